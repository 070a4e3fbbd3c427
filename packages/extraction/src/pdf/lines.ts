import { type FoundTable, isTable, type PageItem } from './find-tables.js';
import { getLeft, getRight, type PageRow, getUsualSize, joinSegments } from './segment.js';

/** The extent of a column of text. */
export interface TextColumn {
  left: number;
  right: number;
}

export interface Line {
  readonly page: number;
  readonly y: number;
  /** The start and end of the line; both are negative for text from right to left. */
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly bold: boolean;
  readonly monospaced: boolean;
  readonly text: string;
  readonly column: TextColumn;
}

export type LineOrTable = Line | FoundTable;

/** A share of the letter size. */
const MAX_INDENT = 8;
const MAX_GAP = 4;

/** Turns rows into lines, and finds the columns that they are in. */
export function toLines(items: readonly PageItem[]): LineOrTable[] {
  let column: TextColumn = { left: 0, right: 0 };
  let before: Line | null = null;
  return items.map((item) => {
    if (isTable(item)) {
      before = null;
      return item;
    }
    const line = toLine(item, column);
    if (before && isBelow(before, line)) {
      column.left = Math.min(column.left, line.start);
      column.right = Math.max(column.right, line.end);
      before = line;
      return line;
    }
    column = { left: line.start, right: line.end };
    before = { ...line, column };
    return before;
  });
}

function toLine(row: PageRow, column: TextColumn): Line {
  const isRightToLeft = row.segments.some(({ rightToLeft }) => rightToLeft);
  const [left, right] = [getLeft(row), getRight(row)];
  const segments = isRightToLeft ? [...row.segments].reverse() : row.segments;
  return {
    page: row.page,
    y: row.y,
    start: isRightToLeft ? -right : left,
    end: isRightToLeft ? -left : right,
    size: getUsualSize(row),
    bold: row.segments.every(({ bold }) => bold),
    monospaced: row.segments.every(({ monospaced }) => monospaced),
    text: joinSegments({ ...row, segments }),
    column,
  };
}

function isBelow(above: Line, line: Line): boolean {
  const gap = above.y - line.y;
  return (
    above.page === line.page &&
    gap > 0 &&
    gap < MAX_GAP * Math.max(above.size, line.size) &&
    Math.abs(above.column.left - line.start) < MAX_INDENT * line.size
  );
}
