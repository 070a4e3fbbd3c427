import { mergeColumns, MIN_GUTTER } from './columns.js';
import type { PageText, Segment } from './segment.js';

/** Lines whose heights differ by fewer points are at the same height. */
export const SAME_HEIGHT = 3;
/** Rows of a table are at most this many letter sizes apart. */
const MAX_ROW_GAP = 3.2;
/** The number of rows that are compared with a line at the edge of a page. */
const MAX_ROWS = 6;
/** A line belongs to rows that are farther apart than this share of its distance to them. */
const SAME_DISTANCE = 1.6;
const SAME_EDGE = 0.5;
/** A line with more parts is not a row of a table. */
const MAX_PARTS = 200;

/** The segments at one height of a page. */
export type HeightLine = readonly Segment[];

/** The lines of a page from top to bottom. */
export function groupByHeight({ rows }: PageText): HeightLine[] {
  const sorted = [...rows].sort((one, other) => other.y - one.y);
  const lines: Segment[][] = [];
  let before = Infinity;
  for (const { y, segments } of sorted) {
    if (before - y < SAME_HEIGHT) lines.at(-1)?.push(...segments);
    else lines.push([...segments]);
    before = y;
  }
  return lines;
}

/**
 * Whether a line stands in the columns of the rows next to it, at the distance of rows.
 *
 * @param rows from the line on inwards
 * @param isName whether the line has to have a name for nearly all columns
 */
export function isTableRow(
  line: HeightLine,
  rows: readonly HeightLine[],
  isName: boolean,
): boolean {
  if (line.length > MAX_PARTS) return false;
  const near = findNearRows(line, rows.slice(0, MAX_ROWS));
  const size = findLargestSize(line);
  const gap = size * MIN_GUTTER;
  const full = near.filter((row) => row.length > 1 && row.length <= MAX_PARTS);
  if (full.length === 0) return false;
  const columns = full.reduce<{ left: number; right: number }[]>(
    (found, row) => mergeColumns(found, row, gap),
    [],
  );
  if (columns.length < 2 || (isName && line.length < Math.max(2, columns.length - 1))) return false;
  const taken = new Set<number>();
  for (const { left, right } of line) {
    const over = columns.flatMap((column, index) =>
      left < column.right + size * SAME_EDGE && right > column.left - size * SAME_EDGE
        ? [index]
        : [],
    );
    const [column] = over;
    if (column === undefined || over.length > 1 || taken.has(column)) return false;
    taken.add(column);
  }
  return true;
}

/** The rows that follow a line at about the distances that they have among themselves. */
function findNearRows(line: HeightLine, rows: readonly HeightLine[]): HeightLine[] {
  const near: HeightLine[] = [];
  let before = line;
  for (const row of rows) {
    if (
      measureDistance(before, row) >
      MAX_ROW_GAP * Math.max(findLargestSize(before), findLargestSize(row))
    )
      break;
    near.push(row);
    before = row;
  }
  const [first, ...rest] = near;
  if (!first || rest.length === 0) return near;
  const usual = Math.max(...rest.map((row, index) => measureDistance(near[index] ?? first, row)));
  return measureDistance(line, first) <= usual * SAME_DISTANCE ? near : [];
}

const measureDistance = (one: HeightLine, other: HeightLine) =>
  Math.abs((one[0]?.y ?? 0) - (other[0]?.y ?? 0));

const findLargestSize = (line: HeightLine) =>
  line.reduce((most, { size }) => Math.max(most, size), 0);
