import { type PageRow, type Segment, getUsualSize } from './segment.js';

/** The extent of a column, from its leftmost to its rightmost segment. */
export interface Column {
  left: number;
  right: number;
}

/** Segments closer than this share of the letter size are in one column. */
export const MIN_GUTTER = 0.6;

/** The mean number of words in a segment. */
export function countWordsPerSegment(rows: readonly PageRow[]): number {
  const segments = rows.flatMap((row) => row.segments);
  return segments.reduce((sum, { text }) => sum + text.split(' ').length, 0) / segments.length;
}

/** Adds segments to columns; columns that then overlap become one. */
export function mergeColumns(
  columns: readonly Column[],
  segments: readonly Segment[],
  gap: number,
): Column[] {
  const sorted = [...columns, ...segments].sort((one, other) => one.left - other.left);
  const merged: Column[] = [];
  for (const { left, right } of sorted) {
    const before = merged.at(-1);
    if (before && left < before.right + gap) before.right = Math.max(before.right, right);
    else merged.push({ left, right });
  }
  return merged;
}

/** Finds the columns in which segments of rows stand below each other. */
export function findColumns(region: readonly PageRow[]): Column[] {
  const gap = Math.min(...region.map(getUsualSize)) * MIN_GUTTER;
  return region.reduce<Column[]>((found, { segments }) => mergeColumns(found, segments, gap), []);
}

/** The rows, reduced to their segments in one column. */
export function selectColumn(region: readonly PageRow[], { left, right }: Column): PageRow[] {
  return region.flatMap((row) => {
    const segments = row.segments.filter(
      (one) => one.left >= left - 0.5 && one.right <= right + 0.5,
    );
    return segments.length > 0 ? [{ ...row, segments }] : [];
  });
}

export const isNumber = (cell: string | undefined): boolean =>
  cell !== undefined && /\d/.test(cell) && !/\p{L}/u.test(cell);
