import { type Column, isNumber } from './columns.js';
import { type PageRow, getUsualSize } from './segment.js';

/** The cells of a row of a table, whose lines are separated by line breaks. */
export interface CellRow {
  readonly cells: string[];
  readonly row: PageRow;
  lastY: number;
}

interface NamedColumns {
  readonly header: string[] | null;
  readonly rows: string[][];
  /** Whether the header is set in bold, and the rows are not. */
  readonly isBold: boolean;
  readonly columns: Column[];
}

/** The distance of lines within a cell, at most, in letter sizes. */
export const CELL_LINE = 1.35;
const MAX_HEADER_LINES = 4;

/** Separates the column names from the rows, if the first row has them. */
export function nameColumns(lines: readonly CellRow[], columns: readonly Column[]): NamedColumns {
  const [first, second, ...rest] = joinHeaderLines(lines);
  const rows = [second, ...rest].flatMap((each) => each?.cells ?? []).length;
  if (!first || !second || rows === 0 || !looksLikeHeader(first, second, rest)) {
    const cells = lines.map((line) => line.cells);
    return { header: null, rows: cells, isBold: false, columns: [...columns] };
  }
  const body = [second, ...rest].map((line) => line.cells);
  return { ...withoutHalves(first.cells, body, columns), isBold: isBold(first) && !isBold(second) };
}

const isBold = ({ row }: CellRow): boolean => row.segments.every(({ bold }) => bold);

/** Joins header lines at different heights into one row. */
function joinHeaderLines(lines: readonly CellRow[]): readonly CellRow[] {
  const [first] = lines;
  if (!first) return lines;
  const isStillHeader = isBold(first) ? isBold : isCloseText;
  let end = 1;
  while (end < lines.length && isStillHeader(lines[end] ?? first, lines[end - 1] ?? first)) end++;
  const next = lines[end];
  const isApart = next !== undefined && (isBold(first) || !isClose(next, lines[end - 1] ?? first));
  if (end === 1 || end > MAX_HEADER_LINES || !isApart) return lines;
  const header = lines.slice(0, end);
  const cells = first.cells.map((_, column) =>
    header
      .map((line) => line.cells[column] ?? '')
      .filter((text) => text !== '')
      .join('\n'),
  );
  return [{ ...first, cells }, ...lines.slice(end)];
}

const isClose = ({ row }: CellRow, above: CellRow): boolean =>
  above.lastY - row.y <= CELL_LINE * getUsualSize(row);
const isCloseText = (line: CellRow, above: CellRow): boolean =>
  isClose(line, above) && !line.cells.some(isNumber);

/** Whether the first row is bold, or has words above columns of numbers. */
function looksLikeHeader(first: CellRow, second: CellRow, rest: readonly CellRow[]): boolean {
  const filled = first.cells.filter((cell) => cell !== '');
  if (filled.length < 2) return false;
  if (isBold(first) && !isBold(second)) return true;
  if (filled.some(isNumber)) return false;
  const body = [second, ...rest];
  return first.cells.some(
    (cell, column) =>
      cell !== '' && body.filter(({ cells }) => isNumber(cells[column])).length > body.length / 2,
  );
}

/** Joins a column without a name with the named column beside it. */
function withoutHalves(
  header: readonly string[],
  rows: readonly string[][],
  columns: readonly Column[],
) {
  const names = [...header];
  const isEmpty = header.map((_, column) => rows.every((cells) => cells[column] === ''));
  const left = new Set<number>();
  const filled = header.filter((name) => name !== '');
  if (filled.length === isEmpty.filter((empty) => !empty).length) {
    // The names are centred, while the values are aligned to the edge of their column.
    for (const [column, empty] of isEmpty.entries()) {
      if (empty) left.add(column);
      else names[column] = filled.shift() ?? '';
    }
  } else {
    for (const [column, name] of names.entries()) {
      const beside = [column + 1, column - 1].find(
        (other) => names[other] === '' && isEmpty[other] === false,
      );
      if (name !== '' && isEmpty[column] === true && beside !== undefined) {
        names[beside] = name;
        left.add(column);
      }
    }
  }
  const without = <Item>(items: readonly Item[]) => items.filter((_, index) => !left.has(index));
  return { header: without(names), rows: rows.map(without), columns: without(columns) };
}
