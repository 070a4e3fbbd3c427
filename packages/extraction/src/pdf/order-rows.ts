import { getLeft, type PageText, getRight, type PageRow, type Segment } from './segment.js';

/** Segments whose baselines differ by at most this share of the letter size are in one row. */
const SAME_LINE = 0.35;
/** A line is prose if it is at least this share of its side of the gutter. */
const PROSE_WIDTH = 0.4;
/** The number of lines of prose required on either side of a gutter. */
const MIN_LINES = 6;
/** The share of lines that may cross a gutter. */
const MAX_ACROSS = 0.2;
/** A narrower side contains headings or margin notes. */
const MIN_SIDE = 0.3;
const STEP = 2;
/** Pages with more rows stay in the order of their content. */
const MAX_ROWS = 5000;
const MAX_SEGMENTS = 100;
const MAX_DEPTH = 3;
/** Columns of text stored line by line across the page have at least this many words per segment. */
const MIN_WORDS = 4;

/** The rows of a page in the order in which they are read: columns one after the other. */
export function orderRows({ rows }: PageText): PageRow[] {
  return rows.length > MAX_ROWS ? [...rows] : order(rows, 0);
}

function order(rows: readonly PageRow[], depth: number): PageRow[] {
  if (rows.length < 2) return [...rows];
  const gutter = depth < MAX_DEPTH ? findGutter(rows) : null;
  if (gutter === null) return sortByHeight(rows);
  const parts = splitAt(rows, gutter);
  const isRightToLeft =
    rows.filter(({ segments }) => segments[0]?.rightToLeft).length > rows.length / 2;
  const sides = isRightToLeft ? [parts.right, parts.left] : [parts.left, parts.right];
  const waiting = sides.map((side) => ({ rows: [...side].sort(topDown), taken: 0 }));
  const ordered: PageRow[] = [];
  /** The rows above a height, column by column. */
  const takeAbove = (y: number) => {
    for (const side of waiting) {
      const from = side.taken;
      while ((side.rows[side.taken]?.y ?? -Infinity) > y) side.taken++;
      ordered.push(...order(side.rows.slice(from, side.taken), depth + 1));
    }
  };
  for (const across of sortByHeight(parts.across)) {
    takeAbove(across.y);
    ordered.push(across);
  }
  takeAbove(-Infinity);
  return ordered;
}

const topDown = (one: PageRow, other: PageRow) => other.y - one.y || getLeft(one) - getLeft(other);

/** Sorts rows from top to bottom; segments on one baseline become one row. */
function sortByHeight(rows: readonly PageRow[]): PageRow[] {
  const sorted = [...rows].sort(topDown);
  const merged: PageRow[] = [];
  for (const row of sorted) {
    const before = merged.at(-1);
    if (before && isOneLine(before, row)) {
      before.segments.push(...row.segments);
      before.segments.sort((one, other) => one.left - other.left);
    } else merged.push({ ...row, segments: [...row.segments] });
  }
  return merged;
}

function isOneLine(one: PageRow, other: PageRow): boolean {
  const size = Math.min(one.segments[0]?.size ?? 0, other.segments[0]?.size ?? 0);
  if (Math.abs(one.y - other.y) > SAME_LINE * size) return false;
  if (one.segments.length > MAX_SEGMENTS) return false;
  return one.segments.every((segment) =>
    other.segments.every(
      ({ left, right }) => left >= segment.right - 1 || right <= segment.left + 1,
    ),
  );
}

/** The middle of the gap between two columns of prose; null if there are not two. */
function findGutter(rows: readonly PageRow[]): number | null {
  const segments = rows.flatMap((row) => row.segments);
  let left = Infinity;
  let right = -Infinity;
  for (const segment of segments) {
    left = Math.min(left, segment.left);
    right = Math.max(right, segment.right);
  }
  let best: { x: number; lines: number } | null = null;
  for (let x = left + (right - left) * MIN_SIDE; x < right - (right - left) * MIN_SIDE; x += STEP) {
    const lines = proseBeside(segments, x, { left, right });
    if (lines >= MIN_LINES && lines > (best?.lines ?? 0)) best = { x, lines };
  }
  return best && !isTable(rows, best.x) ? best.x : null;
}

function proseBeside(
  segments: readonly Segment[],
  x: number,
  { left, right }: { left: number; right: number },
): number {
  let before = 0;
  let behind = 0;
  let across = 0;
  for (const segment of segments) {
    const width = segment.right - segment.left;
    if (segment.right <= x) {
      if (width >= (x - left) * PROSE_WIDTH) before++;
    } else if (segment.left >= x) {
      if (width >= (right - x) * PROSE_WIDTH) behind++;
    } else across++;
  }
  return across > MAX_ACROSS * (before + behind) ? 0 : Math.min(before, behind);
}

/** Whether most lines continue across the gutter in the page's content, with few words each. */
function isTable(rows: readonly PageRow[], x: number): boolean {
  const across = rows.filter(
    (row) => getLeft(row) < x && getRight(row) > x && row.segments.length > 1,
  );
  if (across.length < rows.length / 3) return false;
  const segments = across.flatMap((row) => row.segments);
  const words = segments.reduce((sum, { text }) => sum + text.split(' ').length, 0);
  return words / segments.length < MIN_WORDS || segments.length > across.length * 2.5;
}

function splitAt(rows: readonly PageRow[], x: number) {
  const left: PageRow[] = [];
  const right: PageRow[] = [];
  const across: PageRow[] = [];
  const beside = rows.filter((row) => getLeft(row) < x && getRight(row) > x);
  // The columns are stored line by line across the page.
  const isByLine = beside.filter(({ segments }) => segments.length > 1).length > rows.length / 3;
  for (const row of rows) {
    if (getRight(row) <= x) left.push(row);
    else if (getLeft(row) >= x) right.push(row);
    else if (isByLine && row.segments.every((one) => one.right <= x || one.left >= x)) {
      left.push({ ...row, segments: row.segments.filter((one) => one.right <= x) });
      right.push({ ...row, segments: row.segments.filter((one) => one.left >= x) });
    } else across.push(row);
  }
  return { left, right, across };
}
