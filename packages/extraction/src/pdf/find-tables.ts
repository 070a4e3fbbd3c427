import {
  selectColumn,
  findColumns,
  type Column,
  isNumber,
  mergeColumns,
  MIN_GUTTER,
  countWordsPerSegment,
} from './columns.js';
import { putNotesBesideText, hasNotes } from './margin-notes.js';
import { isScattered } from './scattered.js';
import { type PageRow, getUsualSize } from './segment.js';
import { CELL_LINE, type CellRow, nameColumns } from './table-header.js';

/**
 * Cells from top to bottom and from left to right. The lines of a cell are separated by line
 * breaks.
 */
export interface FoundTable {
  readonly page: number;
  readonly header: string[] | null;
  readonly rows: string[][];
  /** Whether the header is set in bold, and the rows are not. */
  readonly isBold: boolean;
  readonly columns: Column[];
}

export type PageItem = PageRow | FoundTable;

export const isTable = (item: PageItem): item is FoundTable => 'header' in item;

/** These limits are shares of the letter size. */
const MAX_ROW_GAP = 3.2;
/** The gap allowed between a bold header and the rows below its names. */
const MAX_HEADER_GAP = 5;
const SAME_EDGE = 0.4;
/** If the cells have more words than this, the columns are prose rather than a table. */
const PROSE_WORDS = 9;
const MARKER = /^(?:[•◦▪▫‣●○■□➢✓✔·–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\])$/u;
const MAX_MARKER_GAP = 4;
const MAX_ROWS = 500;

/** Replaces rows whose segments stand in columns by tables, and joins the segments of the others. */
export function findTables(rows: readonly PageRow[]): PageItem[] {
  const joined = rows.map(joinMarker);
  const items: PageItem[] = [];
  for (let start = 0; start < joined.length;) {
    const marginEnd = findTableEnd(joined, start, Infinity);
    const beside = joined.slice(start, marginEnd);
    const columns = findColumns(beside);
    if (marginEnd > start + 1 && hasNotes(beside, columns)) {
      items.push(...putNotesBesideText(beside, columns));
      start = marginEnd;
      continue;
    }
    const end = findTableEnd(joined, start, MAX_ROW_GAP);
    if (end > start + 1) {
      items.push(...toTableOrRows(joined.slice(start, end)));
      start = end;
    } else {
      const row = joined[start];
      if (row) items.push(row);
      start++;
    }
  }
  return items;
}

/** Joins the marker of a list item with its text. */
function joinMarker(row: PageRow): PageRow {
  const [marker, next, ...rest] = row.segments;
  if (!marker || !next || marker.rightToLeft || !MARKER.test(marker.text)) return row;
  if (next.left - marker.right > MAX_MARKER_GAP * next.size) return row;
  const segment = { ...next, text: `${marker.text} ${next.text}`, left: marker.left };
  return { ...row, segments: [segment, ...rest] };
}

/**
 * The end of the rows from `start` on that share columns; `start + 1` if there are none.
 *
 * @param maxGap the gap allowed between rows, as a share of the letter size
 */
function findTableEnd(rows: readonly PageRow[], start: number, maxGap: number): number {
  let columns: Column[] = [];
  let before: PageRow | undefined;
  let end = start;
  let full = 0;
  let lastFull = start;
  for (let index = start; index < rows.length && index < start + MAX_ROWS; index++) {
    const row = rows[index];
    if (!row) break;
    const size = getUsualSize(row);
    if (before) {
      const gap = before.y - row.y;
      const isBelowHeader = index === start + 1 && isHeaderAbove(before, row);
      const limit = isBelowHeader ? Math.max(maxGap, MAX_HEADER_GAP) : maxGap;
      if (gap < 0 || gap > limit * Math.max(size, getUsualSize(before))) break;
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
  // Single lines close below the last full row belong to that row; other lines are text.
  while (end > lastFull) {
    const last = rows[end - 1];
    const above = rows[end - 2];
    if (last && above && above.y - last.y <= CELL_LINE * getUsualSize(last) && end - lastFull <= 3)
      break;
    end--;
  }
  return full >= 2 ? end : start + 1;
}

/** Whether a bold row has as many names as the next row has cells, or one above the start of each cell. */
const isHeaderAbove = (header: PageRow, { segments }: PageRow): boolean =>
  segments.length > 1 &&
  header.segments.every(({ bold }) => bold) &&
  segments.every(({ bold }) => !bold) &&
  (segments.length === header.segments.length ||
    segments.every(({ left, size }) =>
      header.segments.some((name) => Math.abs(name.left - left) <= SAME_EDGE * size),
    ));

function toTableOrRows(region: readonly PageRow[]): PageItem[] {
  const columns = findColumns(region);
  if (columns.length < 2) return [...region];
  if (hasNotes(region, columns)) return putNotesBesideText(region, columns);
  if (isProse(region, columns) || isScattered(region, columns)) {
    return columns.flatMap((column) => selectColumn(region, column));
  }
  const lines: CellRow[] = [];
  for (const row of region) {
    const texts = toCells(row, columns);
    const before = lines.at(-1);
    const isClose = before !== undefined && before.lastY - row.y <= CELL_LINE * getUsualSize(row);
    // A row without a first cell continues the row above.
    const isRest = texts[0] === '' && !texts.some(isNumber);
    if (before && isClose && isRest && row.segments.length < columns.length) {
      texts.forEach((text, column) => {
        if (text !== '') before.cells[column] = `${before.cells[column] ?? ''}\n${text}`.trim();
      });
      before.lastY = row.y;
    } else lines.push({ cells: texts, row, lastY: row.y });
  }
  return [{ page: region[0]?.page ?? 1, ...nameColumns(lines, columns) }];
}

/** The texts of a row, one for each column. */
export const toCells = ({ segments }: PageRow, columns: readonly Column[]): string[] =>
  columns.map(({ left, right }) =>
    segments
      .filter((one) => one.left >= left - 0.5 && one.right <= right + 0.5)
      .map(({ text }) => text)
      .join(' '),
  );

/** Whether the columns are running text. */
const isProse = (region: readonly PageRow[], columns: readonly Column[]): boolean =>
  columns.length <= 3 && countWordsPerSegment(region) > PROSE_WORDS;
