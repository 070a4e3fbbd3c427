import type { Block, Locator, TableRow } from '../block.js';

export interface SheetCell {
  /** From 0. */
  readonly column: number;
  readonly text: string;
  readonly isNumber: boolean;
  /** Where it is merged with those to the right of it. */
  lastColumn?: number;
}

export interface SheetRow {
  /** From 1, as the sheet shows it. */
  readonly number: number;
  /** Those that have a value, from the left. */
  readonly cells: SheetCell[];
}

const MAX_COLUMN_NAME = 120;
const MAX_HEADER_ROWS = 3;
const YEAR = /^(19|20)\d\d$/;
const TWO = 2;

/**
 * The rows of a sheet as blocks: lone cells are paragraphs, rows below each other are a table. The
 * first row names the columns if it can; its names hold until rows name other ones.
 */
export function sheetBlocks(
  rows: readonly SheetRow[],
  locate: (row: number) => Locator | undefined,
): Block[] {
  const blocks: Block[] = [];
  let header: Header | undefined;
  let table: SheetRow[] = [];
  const closeTable = () => {
    if (table.length > 0) blocks.push(tableOf(table, header, locate));
    table = [];
  };
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (!row) break;
    if (isLoneText(row)) {
      closeTable();
      blocks.push({
        kind: 'paragraph',
        text: row.cells[0]?.text ?? '',
        ...located(locate(row.number)),
      });
      continue;
    }
    const isFirst = table.length === 0;
    const isApart = row.number - (rows[at - 1]?.number ?? 0) > 1;
    if ((isFirst && !header) || isApart || blocks.length === 0) {
      const found = headerAt(rows, at);
      if (found) {
        closeTable();
        header = found.header;
        at += found.rows - 1;
        continue;
      }
    }
    table.push(row);
  }
  closeTable();
  return blocks;
}

/** The names of columns by their number. */
type Header = ReadonlyMap<number, string>;

/** The rows from `at` on that name the columns of those below them. */
function headerAt(
  rows: readonly SheetRow[],
  at: number,
): { header: Header; rows: number } | undefined {
  let count = 0;
  while (count < MAX_HEADER_ROWS && isNames(rows[at + count], rows[at + count - 1], count)) count++;
  // All of them are names if nothing but text is in the sheet: the first row is the header.
  const below = rows[at + count];
  if (count > 1 && (!below || !below.cells.some(({ isNumber }) => isNumber))) count = 1;
  if (count === 0 || at + count >= rows.length) return undefined;
  const names = new Map<number, string[]>();
  for (const { cells } of rows.slice(at, at + count)) {
    for (const { column, text, lastColumn = column } of cells) {
      for (let n = column; n <= lastColumn; n++) {
        const above = names.get(n) ?? [];
        if (!above.includes(text)) names.set(n, [...above, text]);
      }
    }
  }
  const header = new Map([...names].map(([column, texts]) => [column, texts.join(' ')]));
  return { header, rows: count };
}

/** Whether a row has only short texts, or years, as names of columns are. */
function isNames(row: SheetRow | undefined, before: SheetRow | undefined, count: number): boolean {
  if (!row || row.cells.length < TWO) return false;
  if (count > 0 && before && row.number - before.number > 1) return false;
  return row.cells.every(
    ({ text, isNumber }) => text.length <= MAX_COLUMN_NAME && (!isNumber || YEAR.test(text)),
  );
}

const isLoneText = ({ cells }: SheetRow): boolean =>
  cells.length === 1 && cells[0]?.isNumber === false;

function tableOf(
  rows: readonly SheetRow[],
  header: Header | undefined,
  locate: (row: number) => Locator | undefined,
): Block {
  // Columns without any value are left out.
  const used = new Set(header?.keys());
  for (const { cells } of rows) for (const { column } of cells) used.add(column);
  const columns = [...used].sort((a, b) => a - b);
  const place = new Map(columns.map((column, index) => [column, index]));
  const body = rows.map(({ number, cells }): TableRow => {
    const texts: string[] = [];
    for (const { column, text } of cells) {
      const at = place.get(column) ?? 0;
      while (texts.length < at) texts.push('');
      texts[at] = text;
    }
    return { cells: texts, ...located(locate(number)) };
  });
  return {
    kind: 'table',
    header: header ? columns.map((column) => header.get(column) ?? '') : null,
    rows: body,
    ...located(locate(rows[0]?.number ?? 1)),
  };
}

const located = (locator: Locator | undefined) => (locator ? { locator } : {});
