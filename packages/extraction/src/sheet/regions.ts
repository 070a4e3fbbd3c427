import type { Block, Locator, TableRow } from '../block.js';
import type { SheetRow } from './sheet-row.js';

const MAX_COLUMN_NAME = 120;
const MAX_HEADER_ROWS = 3;
const YEAR = /^(19|20)\d\d$/;
const TWO = 2;

/**
 * Turns the rows of a sheet into blocks: single cells become paragraphs, consecutive rows a table. The
 * first row names the columns if it can; the names apply until other rows name columns.
 */
export function toSheetBlocks(
  rows: readonly SheetRow[],
  locate: (row: number) => Locator | undefined,
): Block[] {
  const blocks: Block[] = [];
  let header: Header | undefined;
  let table: SheetRow[] = [];
  /** Rows before this one belong to a table with only one filled column. */
  let listEnd = 0;
  const closeTable = () => {
    if (table.length > 0) blocks.push(toTable(table, header, locate));
    table = [];
  };
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (!row) break;
    if (isLoneText(row) && at >= listEnd) {
      closeTable();
      blocks.push({
        kind: 'paragraph',
        text: row.texts[0] ?? '',
        ...withLocator(locate(row.number)),
      });
      continue;
    }
    const isFirst = table.length === 0;
    const isNew =
      isApart(rows, at) || (header && isBelowTitle(rows, at) && isOther(rows, at, header));
    if ((!header && (isFirst || blocks.length === 0)) || isNew) {
      const found = findHeader(rows, at);
      if (found) {
        closeTable();
        header = found.header;
        at += found.rows - 1;
        listEnd = findListEnd(rows, at + 1);
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

/** Finds the header: the rows from `at` on that name the columns of the rows below. */
function findHeader(
  rows: readonly SheetRow[],
  at: number,
): { header: Header; rows: number } | undefined {
  let count = 0;
  while (count < MAX_HEADER_ROWS && isNames(rows[at + count], rows[at + count - 1], count)) count++;
  // In a sheet with only text, any row could be a header, so the first one is taken.
  const below = rows[at + count];
  if (count > 1 && (!below || !below.kinds.includes('n'))) count = 1;
  if (count === 0 || at + count >= rows.length) return undefined;
  const names = new Map<number, string[]>();
  for (const { columns, texts, spans } of rows.slice(at, at + count)) {
    for (const [place, column] of columns.entries()) {
      const text = texts[place] ?? '';
      for (let n = column; n <= (spans?.get(column) ?? column); n++) {
        const above = names.get(n) ?? [];
        if (!above.includes(text)) names.set(n, [...above, text]);
      }
    }
  }
  const header = new Map([...names].map(([column, texts]) => [column, texts.join(' ')]));
  return { header, rows: count };
}

const isApart = (rows: readonly SheetRow[], at: number): boolean =>
  (rows[at]?.number ?? 0) - (rows[at - 1]?.number ?? 0) > 1;

function isBelowTitle(rows: readonly SheetRow[], at: number): boolean {
  const title = rows[at - 1];
  return title !== undefined && isLoneText(title) && isApart(rows, at - 1);
}

/** Whether a row has other columns than the known names, or is itself above numbers. */
function isOther(rows: readonly SheetRow[], at: number, header: Header): boolean {
  const columns = rows[at]?.columns ?? [];
  const isElsewhere = columns.length !== header.size || !columns.every((each) => header.has(each));
  return isElsewhere || Boolean(rows[at + 1]?.kinds.includes('n'));
}

/** Whether a row has only short texts or years, as column names do. */
function isNames(row: SheetRow | undefined, before: SheetRow | undefined, count: number): boolean {
  if (!row || row.texts.length < TWO) return false;
  if (count > 0 && before && row.number - before.number > 1) return false;
  return row.texts.every(
    (text, place) =>
      text.length <= MAX_COLUMN_NAME && (row.kinds[place] === 't' || YEAR.test(text)),
  );
}

/** The end of consecutive rows from `at` on with one cell each; `at` if there are none. */
function findListEnd(rows: readonly SheetRow[], at: number): number {
  let end = at;
  for (let row = rows[end]; row; row = rows[++end]) {
    if (end > at && row.number - (rows[end - 1]?.number ?? 0) > 1) break;
    if (!isLoneText(row)) return at;
  }
  return end;
}

const isLoneText = ({ kinds }: SheetRow): boolean => kinds === 't';

function toTable(
  rows: readonly SheetRow[],
  header: Header | undefined,
  locate: (row: number) => Locator | undefined,
): Block {
  // Columns without any value are left out.
  const used = new Set(header?.keys());
  let counted: readonly number[] = [];
  for (const { columns: ofRow } of rows) {
    if (ofRow !== counted) for (const column of ofRow) used.add(column);
    counted = ofRow;
  }
  const columns = [...used].sort((a, b) => a - b);
  const place = new Map(columns.map((column, index) => [column, index]));
  const body = rows.map(({ number, columns: ofRow, texts }): TableRow => {
    const isWithoutGap = ofRow.every((column, index) => columns[index] === column);
    return {
      cells: isWithoutGap ? texts : spread(texts, (at) => place.get(ofRow[at] ?? 0) ?? 0),
      ...withLocator(locate(number)),
    };
  });
  return {
    kind: 'table',
    header: header ? columns.map((column) => header.get(column) ?? '') : null,
    rows: body,
    ...withLocator(locate(rows[0]?.number ?? 1)),
  };
}

function spread(texts: readonly string[], placeOf: (index: number) => number): string[] {
  const cells: string[] = [];
  for (const [index, text] of texts.entries()) {
    const at = placeOf(index);
    while (cells.length < at) cells.push('');
    cells[at] = text;
  }
  return cells;
}

const withLocator = (locator: Locator | undefined) => (locator ? { locator } : {});
