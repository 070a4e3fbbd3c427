import type { Locator, Table, TableRow } from './block.js';
import { type Atom, whole, type WrittenBlock } from './block-atoms.js';
import { readable } from './readable.js';
import { wordCount } from './word-count.js';

/** A longer header would leave no room for the rows. */
const MAX_HEADER_SHARE = 0.4;

/**
 * A table as its rows, below the names of its columns; where these are too long to be repeated, each
 * row as lines of a name and a value.
 */
export function writeTable(table: Table, chunkSize: number): WrittenBlock | null {
  const { header, locator } = table;
  const rows = table.rows.filter(({ cells }) => !isEmpty(cells));
  const head = header && !isEmpty(header) ? rowAtom(header, locator ?? null) : null;
  if (rows.length === 0 && !head) return null;
  const isRepeated = head !== null && head.size <= chunkSize * MAX_HEADER_SHARE;
  const repeated = isRepeated && rows.length > 0 ? head : null;
  const isInLines = head !== null && header !== null && !isRepeated && rows.length > 0;
  /** Counts no further than the limit. */
  const sizeUpTo = (limit: number) => {
    let size = head?.size ?? 0;
    for (const { cells } of rows) {
      if (size > limit) break;
      size += wordCount(rowText(cells));
    }
    return size;
  };
  return {
    separator: '\n\n',
    atomSeparator: '\n',
    header: repeated,
    text: null,
    locator: rows[0]?.locator ?? locator ?? null,
    size: () => sizeUpTo(Infinity),
    fits: (limit) => sizeUpTo(limit) <= limit,
    *atoms() {
      if (head && rows.length === 0) yield* whole(head.text, chunkSize, head.locator, false);
      const room = chunkSize - (repeated?.size ?? 0);
      for (const row of rows) {
        const at = row.locator ?? locator ?? null;
        if (isInLines) yield* lineAtoms(row, header, chunkSize, at);
        else yield* rowAtoms(row, room, at);
      }
    },
  };
}

/** The row, or its cells where it is too long. */
function* rowAtoms({ cells }: TableRow, room: number, locator: Locator | null): Generator<Atom> {
  const row = rowAtom(cells, locator);
  if (row.size <= room) {
    yield row;
    return;
  }
  for (const [index, cell] of cells.entries()) {
    const text = index === 0 ? `| ${oneLine(cell)} |` : ` ${oneLine(cell)} |`;
    for (const atom of whole(text, room, locator, false)) {
      yield { ...atom, repeatable: false, isRest: index > 0 || atom.isRest === true };
    }
  }
}

/** A line for each cell; the first is repeated where a passage begins within the row. */
function* lineAtoms(
  { cells }: TableRow,
  header: readonly string[],
  chunkSize: number,
  locator: Locator | null,
): Generator<Atom> {
  let first: Atom | undefined;
  for (const [column, cell] of cells.entries()) {
    const value = oneLine(cell);
    if (value === '') continue;
    const name = oneLine(header[column] ?? '');
    const line = name === '' ? value : `${name}: ${value}`;
    const room = chunkSize - (first?.size ?? 0);
    // Rows are apart.
    for (const atom of whole(first ? line : `\n${line}`, room, locator, false)) {
      yield { ...atom, repeatable: false, ...(first && { header: first }) };
    }
    first ??= headerAtom(line, chunkSize, locator);
  }
}

function headerAtom(text: string, chunkSize: number, locator: Locator | null): Atom {
  const size = wordCount(text);
  return size <= chunkSize * MAX_HEADER_SHARE
    ? { text, size, locator, repeatable: false }
    : { text: '…', size: 0, locator, repeatable: false };
}

function rowAtom(cells: readonly string[], locator: Locator | null): Atom {
  const text = rowText(cells);
  return { text, size: wordCount(text), locator, repeatable: false };
}

const isEmpty = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

const oneLine = (cell: string): string => readable(cell).replace(/\s+/g, ' ').trim();

const rowText = (cells: readonly string[]): string => `| ${cells.map(oneLine).join(' | ')} |`;
