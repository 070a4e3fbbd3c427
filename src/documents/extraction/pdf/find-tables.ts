import { leftOf, rightOf, type Row, type Segment, sizeOf } from './segment.js';

/** Cells from top to bottom and from left to right. */
export interface FoundTable {
  readonly page: number;
  readonly header: string[] | null;
  readonly rows: string[][];
}

export type PageItem = Row | FoundTable;

export const isTable = (item: PageItem): item is FoundTable => 'header' in item;

/** As shares of the size of the letters. */
const MIN_GUTTER = 0.6;
const MAX_ROW_GAP = 3.2;
/** The distance of lines within a cell. */
const CELL_LINE = 1.35;
/** The distance of lines within a note in the margin. */
const NOTE_LINE = 1.7;
/** Words in a cell, above which columns are prose. */
const PROSE_WORDS = 9;
/** The same, beside a narrow column of headings. */
const MARGIN_TEXT_WORDS = 6;
const MARKER = /^(?:[•◦▪▫‣●○■□➢✓✔·–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\])$/u;
const MAX_MARKER_GAP = 4;
const MAX_ROWS = 500;
/** As a share of the width of all columns. */
const MAX_MARGIN_WIDTH = 0.35;
/** As a share of the lines: where more have a note beside them, they may be rows of a table. */
const MAX_NOTED = 0.6;
/** As shares of the cells of a table, and of its columns. */
const MIN_ROWS = 3;
const MIN_FILLED = 0.5;
const MIN_ALIGNED = 0.6;
/** Places this close, as a share of the size of the letters, are the same. */
const SAME_EDGE = 0.4;

interface Column {
  left: number;
  right: number;
}

/** Replaces rows whose segments stand in columns by tables, and joins the segments of the others. */
export function findTables(rows: readonly Row[]): PageItem[] {
  const joined = rows.map(joinMarker);
  const items: PageItem[] = [];
  for (let start = 0; start < joined.length;) {
    const marginEnd = tableEnd(joined, start, Infinity);
    const beside = joined.slice(start, marginEnd);
    const columns = columnsOf(beside);
    if (marginEnd > start + 1 && hasNotes(beside, columns)) {
      items.push(...besideEachOther(beside, columns));
      start = marginEnd;
      continue;
    }
    const end = tableEnd(joined, start, MAX_ROW_GAP);
    if (end > start + 1) {
      items.push(...tableOf(joined.slice(start, end)));
      start = end;
    } else {
      const row = joined[start];
      if (row) items.push(row);
      start++;
    }
  }
  return items;
}

/** A list's marker goes with its text. */
function joinMarker(row: Row): Row {
  const [marker, next, ...rest] = row.segments;
  if (!marker || !next || marker.rightToLeft || !MARKER.test(marker.text)) return row;
  if (next.left - marker.right > MAX_MARKER_GAP * next.size) return row;
  const segment = { ...next, text: `${marker.text} ${next.text}`, left: marker.left };
  return { ...row, segments: [segment, ...rest] };
}

/**
 * The end of the rows from `start` on that share columns; `start + 1` if there are none.
 *
 * @param maxGap between rows, as a share of the size of the letters
 */
function tableEnd(rows: readonly Row[], start: number, maxGap: number): number {
  let columns: Column[] = [];
  let before: Row | undefined;
  let end = start;
  let full = 0;
  let lastFull = start;
  for (let index = start; index < rows.length && index < start + MAX_ROWS; index++) {
    const row = rows[index];
    if (!row) break;
    const size = sizeOf(row);
    if (before) {
      const gap = before.y - row.y;
      if (gap < 0 || gap > maxGap * Math.max(size, sizeOf(before))) break;
    } else if (row.segments.length < 2) break;
    const merged = mergeColumns(columns, row.segments, size * MIN_GUTTER);
    if (merged.length < 2 || merged.length < columns.length - 1) break;
    columns = merged;
    before = row;
    end = index + 1;
    if (row.segments.length > 1) {
      full++;
      lastFull = end;
    }
  }
  // Single lines below the last full row belong to it where they are close; the rest is text.
  while (end > lastFull) {
    const last = rows[end - 1];
    const above = rows[end - 2];
    if (last && above && above.y - last.y <= CELL_LINE * sizeOf(last) && end - lastFull <= 3) break;
    end--;
  }
  return full >= 2 ? end : start + 1;
}

function mergeColumns(
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

function columnsOf(region: readonly Row[]): Column[] {
  const gap = Math.min(...region.map(sizeOf)) * MIN_GUTTER;
  return region.reduce<Column[]>(
    (found, { segments }) => mergeColumns(found, segments, gap),
    [],
  );
}

function tableOf(region: readonly Row[]): PageItem[] {
  const columns = columnsOf(region);
  if (columns.length < 2) return [...region];
  if (hasNotes(region, columns)) return besideEachOther(region, columns);
  if (isProse(region, columns) || isScattered(region, columns)) {
    return columns.flatMap((column) => columnOf(region, column));
  }
  const cells: { cells: string[]; row: Row; lastY: number }[] = [];
  for (const row of region) {
    const texts = columns.map(({ left, right }) =>
      row.segments
        .filter((one) => one.left >= left - 0.5 && one.right <= right + 0.5)
        .map(({ text }) => text)
        .join(' '),
    );
    const before = cells.at(-1);
    const isClose = before !== undefined && before.lastY - row.y <= CELL_LINE * sizeOf(row);
    // A row without its first cell goes on with the one above.
    const isRest = texts[0] === '' && !texts.some(isNumber);
    if (before && isClose && isRest && row.segments.length < columns.length) {
      texts.forEach((text, column) => {
        if (text !== '') before.cells[column] = `${before.cells[column] ?? ''} ${text}`.trim();
      });
      before.lastY = row.y;
    } else cells.push({ cells: texts, row, lastY: row.y });
  }
  const [first, second] = cells;
  const isHeader = first && second && looksLikeHeader(first, second, cells.slice(1));
  const rows = cells.map((each) => each.cells);
  const page = region[0]?.page ?? 1;
  return [
    isHeader ? { page, header: first.cells, rows: rows.slice(1) } : { page, header: null, rows },
  ];
}

/** The first row is set in bold, or is of words above columns of numbers. */
function looksLikeHeader(
  first: { cells: string[]; row: Row },
  second: { row: Row },
  rest: readonly { cells: string[] }[],
): boolean {
  const filled = first.cells.filter((cell) => cell !== '');
  if (filled.length < 2) return false;
  const isBold = ({ segments }: Row) => segments.every(({ bold }) => bold);
  if (isBold(first.row) && !isBold(second.row)) return true;
  if (filled.some(isNumber)) return false;
  return first.cells.some(
    (cell, column) =>
      cell !== '' && rest.filter(({ cells }) => isNumber(cells[column])).length > rest.length / 2,
  );
}

/** Columns of text. */
const isProse = (region: readonly Row[], columns: readonly Column[]): boolean =>
  columns.length <= 3 && wordsPerSegment(region) > PROSE_WORDS;

/** Whether headings or notes stand in the margin of a text. */
function hasNotes(region: readonly Row[], columns: readonly Column[]): boolean {
  const [margin, text, ...others] = columns;
  if (!margin || !text || others.length > 0) return false;
  if (margin.right - margin.left >= MAX_MARGIN_WIDTH * (text.right - margin.left)) return false;
  const noted = region.filter(({ segments }) => segments.length > 1).length;
  const words = wordsPerSegment(columnOf(region, text));
  return words > (noted < region.length * MAX_NOTED ? MARGIN_TEXT_WORDS : PROSE_WORDS);
}

/**
 * Whether words only happen to stand beside each other, as the labels of a drawing do: no numbers
 * and no bold header, and few rows, few cells of the grid filled or few columns with a common edge.
 */
function isScattered(region: readonly Row[], columns: readonly Column[]): boolean {
  if (region.some(({ segments }) => segments.some(({ text }) => isNumber(text)))) return false;
  if (region[0]?.segments.every(({ bold }) => bold)) return false;
  const inColumns = columns.map((column) =>
    columnOf(region, column).map((row) => ({ left: leftOf(row), right: rightOf(row) })),
  );
  const filled = inColumns.reduce((sum, cells) => sum + cells.length, 0);
  if (filled < region.length * columns.length * MIN_FILLED) return true;
  const tolerance = Math.min(...region.map(sizeOf)) * SAME_EDGE;
  const several = inColumns.filter((cells) => cells.length > 1);
  const aligned = several.filter((cells) => isAligned(cells, tolerance)).length;
  return region.length < MIN_ROWS || aligned < several.length * MIN_ALIGNED;
}

/** Whether most cells begin, end or have their middle at the same place. */
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

function wordsPerSegment(rows: readonly Row[]): number {
  const segments = rows.flatMap((row) => row.segments);
  return segments.reduce((sum, { text }) => sum + text.split(' ').length, 0) / segments.length;
}

const isNumber = (cell: string | undefined): boolean =>
  cell !== undefined && /\d/.test(cell) && !/\p{L}/u.test(cell);

/** What stands in the margin, each before what stands beside it. */
function besideEachOther(region: readonly Row[], [margin, text]: readonly Column[]): Row[] {
  if (!margin || !text) return [...region];
  const notes = columnOf(region, margin);
  const rows: Row[] = [];
  let taken = 0;
  for (const row of columnOf(region, text)) {
    for (let note = notes[taken]; note && note.y >= row.y - 1; note = notes[taken]) {
      // A note of several lines stays one.
      do {
        rows.push(note);
        const next: Row | undefined = notes[++taken];
        const isSame = next && note.y - next.y < NOTE_LINE * sizeOf(next);
        if (!isSame) break;
        note = next;
      } while (taken < notes.length);
    }
    rows.push(row);
  }
  return [...rows, ...notes.slice(taken)];
}

function columnOf(region: readonly Row[], { left, right }: Column): Row[] {
  return region.flatMap((row) => {
    const segments = row.segments.filter(
      (one) => one.left >= left - 0.5 && one.right <= right + 0.5,
    );
    return segments.length > 0 ? [{ ...row, segments }] : [];
  });
}
