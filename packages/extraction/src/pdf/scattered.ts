import { type Column, selectColumn, isNumber } from './columns.js';
import { getLeft, getRight, type PageRow, getUsualSize } from './segment.js';

/** Limits for a table: the rows it needs, and shares of its cells and columns. */
const MIN_ROWS = 3;
const MIN_FILLED = 0.5;
const MIN_ALIGNED = 0.6;
/** Positions that differ by at most this share of the letter size are the same. */
const SAME_EDGE = 0.4;

/**
 * Whether words stand next to each other by chance, such as the labels of a drawing: there are no numbers
 * and no bold header, and few rows, few filled cells or few columns with a common edge.
 */
export function isScattered(region: readonly PageRow[], columns: readonly Column[]): boolean {
  if (region.some(({ segments }) => segments.some(({ text }) => isNumber(text)))) return false;
  if (region[0]?.segments.every(({ bold }) => bold)) return false;
  const inColumns = columns.map((column) =>
    selectColumn(region, column).map((row) => ({ left: getLeft(row), right: getRight(row) })),
  );
  const filled = inColumns.reduce((sum, cells) => sum + cells.length, 0);
  if (filled < region.length * columns.length * MIN_FILLED) return true;
  const tolerance = Math.min(...region.map(getUsualSize)) * SAME_EDGE;
  const several = inColumns.filter((cells) => cells.length > 1);
  const aligned = several.filter((cells) => isAligned(cells, tolerance)).length;
  return region.length < MIN_ROWS || aligned < several.length * MIN_ALIGNED;
}

/** Whether most cells are aligned at their start, end or middle. */
function isAligned(cells: readonly Column[], tolerance: number): boolean {
  const edges = [
    cells.map(({ left }) => left),
    cells.map(({ right }) => right),
    cells.map(({ left, right }) => (left + right) / 2),
  ];
  return edges.some((places) => {
    const sorted = [...places].sort((one, other) => one - other);
    const median = sorted[sorted.length >> 1] ?? 0;
    const near = places.filter((place) => Math.abs(place - median) <= tolerance).length;
    return near >= places.length * MIN_ALIGNED;
  });
}
