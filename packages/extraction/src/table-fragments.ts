import type { Locator, Table } from './block.js';
import { type Fragment, cutFragment, type BlockText } from './block-fragments.js';
import { cellText, type RowPart } from './passage-table.js';
import { countWords } from './word-count.js';

/** A longer header would leave no room for the rows. */
const MAX_HEADER_SHARE = 0.4;

/**
 * Writes a table as rows below the column names; if the names are too long to be repeated, writes each
 * row as lines with a name and a value.
 */
export function writeTable(table: Table, chunkSize: number): BlockText | null {
  const { header, locator } = table;
  const rows = table.rows.filter(({ cells }) => !isEmpty(cells));
  const head = header && !isEmpty(header) ? rowFragment(header, locator ?? null) : null;
  if (rows.length === 0 && !head) return null;
  const isRepeated = head !== null && head.size <= chunkSize * MAX_HEADER_SHARE;
  const repeated = isRepeated && rows.length > 0 ? head : null;
  const isInLines = head !== null && header !== null && !isRepeated && rows.length > 0;
  /** Counts no further than the limit. */
  const sizeUpTo = (limit: number) => {
    let size = head?.size ?? 0;
    for (const { cells } of rows) {
      if (size > limit) break;
      size += countWords(rowText(cells));
    }
    return size;
  };
  return {
    separator: '\n\n',
    fragmentSeparator: '\n',
    header: repeated,
    table,
    text: null,
    locator: rows[0]?.locator ?? locator ?? null,
    size: () => sizeUpTo(Infinity),
    fits: (limit) => sizeUpTo(limit) <= limit,
    *fragments() {
      if (head && rows.length === 0) yield* cutFragment(head.text, chunkSize, head.locator, false);
      const room = chunkSize - (repeated?.size ?? 0);
      for (const row of rows) {
        const at = row.locator ?? locator ?? null;
        const part = { table, row };
        if (isInLines) yield* cutIntoLines(part, header, chunkSize, at);
        else yield* cutRow(part, room, at);
      }
    },
  };
}

/** Cuts a row into one fragment, or into its cells if it is too long. */
function* cutRow(part: RowPart, room: number, locator: Locator | null): Generator<Fragment> {
  const { cells } = part.row;
  const row = rowFragment(cells, locator);
  if (row.size <= room) {
    yield { ...row, part };
    return;
  }
  for (const [column, cell] of cells.entries()) {
    const ofCell = { ...part, column, value: cellText(cell) };
    for (const fragment of cutCell([column === 0 ? '| ' : ' ', ' |'], ofCell, room, locator)) {
      yield { ...fragment, isRest: column > 0 || fragment.isRest === true };
    }
  }
}

/** Writes a line for each cell; the first line is repeated if a passage begins within the row. */
function* cutIntoLines(
  part: RowPart,
  header: readonly string[],
  chunkSize: number,
  locator: Locator | null,
): Generator<Fragment> {
  let first: Fragment | undefined;
  for (const [column, cell] of part.row.cells.entries()) {
    const value = cellText(cell);
    if (value === '') continue;
    const name = cellText(header[column] ?? '');
    const label = name === '' ? '' : `${name}: `;
    const room = chunkSize - (first?.size ?? 0);
    const ofCell = { ...part, column, value };
    // An empty line separates rows.
    for (const fragment of cutCell([`${first ? '' : '\n'}${label}`, ''], ofCell, room, locator)) {
      yield { ...fragment, ...(first && { header: first }) };
    }
    first ??= toKeyFragment(`${label}${value}`, ofCell, chunkSize, locator);
  }
}

type CellPart = Omit<RowPart, 'cell'> & { readonly column: number; readonly value: string };

/** Writes the value of a cell between other text, in parts if it is too long. */
function* cutCell(
  [before, after]: readonly [string, string],
  { table, row, column, value }: CellPart,
  room: number,
  locator: Locator | null,
): Generator<Fragment> {
  let at = -before.length;
  for (const fragment of cutFragment(`${before}${value}${after}`, room, locator, false)) {
    const cell = {
      column,
      text: value.slice(Math.max(0, at), Math.max(0, at + fragment.text.length)),
    };
    yield { ...fragment, repeatable: false, part: { table, row, cell } };
    at += fragment.text.length;
  }
}

/** Repeats the first cell of a row if a passage begins within the row. */
function toKeyFragment(
  line: string,
  { table, row, column, value }: CellPart,
  chunkSize: number,
  locator: Locator | null,
): Fragment {
  const size = countWords(line);
  const isShort = size <= chunkSize * MAX_HEADER_SHARE;
  const cell = { column, text: isShort ? value : '' };
  const shown = isShort ? { text: line, size } : { text: '…', size: 0 };
  return { ...shown, locator, repeatable: false, part: { table, row, cell } };
}

function rowFragment(cells: readonly string[], locator: Locator | null): Fragment {
  const text = rowText(cells);
  return { text, size: countWords(text), locator, repeatable: false };
}

const isEmpty = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

const rowText = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`;
