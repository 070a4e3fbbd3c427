import {
  columnOf,
  columnsOf,
  type Column,
  isNumber,
  mergeColumns,
  MIN_GUTTER,
  wordsPerSegment,
} from './columns.js';
import { besideEachOther, hasNotes } from './margin-notes.js';
import { isScattered } from './scattered.js';
import { type PageRow, sizeOf } from './segment.js';

/**
 * Cells from top to bottom and from left to right. The lines of a cell are separated by line
 * breaks.
 */
export interface FoundTable {
  readonly page: number;
  readonly header: string[] | null;
  readonly rows: string[][];
}

export type PageItem = PageRow | FoundTable;

export const isTable = (item: PageItem): item is FoundTable => 'header' in item;

/** As shares of the size of the letters. */
const MAX_ROW_GAP = 3.2;
/** Between a bold header and the rows that begin below its names. */
const MAX_HEADER_GAP = 5;
const SAME_EDGE = 0.4;
/** The distance of lines within a cell. */
const CELL_LINE = 1.35;
/** If the cells have more words than this, the columns are prose and no table. */
const PROSE_WORDS = 9;
const MARKER = /^(?:[•◦▪▫‣●○■□➢✓✔·–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\])$/u;
const MAX_MARKER_GAP = 4;
const MAX_ROWS = 500;

/** Replaces rows whose segments stand in columns by tables, and joins the segments of the others. */
export function findTables(rows: readonly PageRow[]): PageItem[] {
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

/** The marker of a list item is joined with its text. */
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
 * @param maxGap between rows, as a share of the size of the letters
 */
function tableEnd(rows: readonly PageRow[], start: number, maxGap: number): number {
  let columns: Column[] = [];
  let before: PageRow | undefined;
  let end = start;
  let full = 0;
  let lastFull = start;
  for (let index = start; index < rows.length && index < start + MAX_ROWS; index++) {
    const row = rows[index];
    if (!row) break;
    const size = sizeOf(row);
    if (before) {
      const gap = before.y - row.y;
      const isBelowHeader = index === start + 1 && isHeaderOf(before, row);
      const limit = isBelowHeader ? Math.max(maxGap, MAX_HEADER_GAP) : maxGap;
      if (gap < 0 || gap > limit * Math.max(size, sizeOf(before))) break;
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
    if (last && above && above.y - last.y <= CELL_LINE * sizeOf(last) && end - lastFull <= 3) break;
    end--;
  }
  return full >= 2 ? end : start + 1;
}

/** Whether a bold row has a name for each cell of the next row, or where each of them begins. */
const isHeaderOf = (header: PageRow, { segments }: PageRow): boolean =>
  segments.length > 1 &&
  header.segments.every(({ bold }) => bold) &&
  segments.every(({ bold }) => !bold) &&
  (segments.length === header.segments.length ||
    segments.every(({ left, size }) =>
      header.segments.some((name) => Math.abs(name.left - left) <= SAME_EDGE * size),
    ));

function tableOf(region: readonly PageRow[]): PageItem[] {
  const columns = columnsOf(region);
  if (columns.length < 2) return [...region];
  if (hasNotes(region, columns)) return besideEachOther(region, columns);
  if (isProse(region, columns) || isScattered(region, columns)) {
    return columns.flatMap((column) => columnOf(region, column));
  }
  const cells: { cells: string[]; row: PageRow; lastY: number }[] = [];
  for (const row of region) {
    const texts = columns.map(({ left, right }) =>
      row.segments
        .filter((one) => one.left >= left - 0.5 && one.right <= right + 0.5)
        .map(({ text }) => text)
        .join(' '),
    );
    const before = cells.at(-1);
    const isClose = before !== undefined && before.lastY - row.y <= CELL_LINE * sizeOf(row);
    // A row without a first cell continues the row above.
    const isRest = texts[0] === '' && !texts.some(isNumber);
    if (before && isClose && isRest && row.segments.length < columns.length) {
      texts.forEach((text, column) => {
        if (text !== '') before.cells[column] = `${before.cells[column] ?? ''}\n${text}`.trim();
      });
      before.lastY = row.y;
    } else cells.push({ cells: texts, row, lastY: row.y });
  }
  const [first, second] = cells;
  const isHeader = first && second && looksLikeHeader(first, second, cells.slice(1));
  const rows = cells.map((each) => each.cells);
  const page = region[0]?.page ?? 1;
  return [
    isHeader
      ? { page, ...withoutHalves(first.cells, rows.slice(1)) }
      : { page, header: null, rows },
  ];
}

/** Joins a name with the column beside it, where that has no name and stands apart from its own. */
function withoutHalves(header: readonly string[], rows: readonly string[][]) {
  const isEmpty = (column: number) => rows.every((cells) => cells[column] === '');
  const names = [...header];
  const left: number[] = [];
  for (let column = 0; column < names.length; column++) {
    const name = names[column] ?? '';
    const beside = [column + 1, column - 1].find((other) => names[other] === '' && !isEmpty(other));
    if (name !== '' && isEmpty(column) && beside !== undefined) {
      names[beside] = name;
      left.push(column);
    }
  }
  const without = (cells: readonly string[]) => cells.filter((_, column) => !left.includes(column));
  return { header: without(names), rows: rows.map(without) };
}

/** The first row is set in bold, or is of words above columns of numbers. */
function looksLikeHeader(
  first: { cells: string[]; row: PageRow },
  second: { row: PageRow },
  rest: readonly { cells: string[] }[],
): boolean {
  const filled = first.cells.filter((cell) => cell !== '');
  if (filled.length < 2) return false;
  const isBold = ({ segments }: PageRow) => segments.every(({ bold }) => bold);
  if (isBold(first.row) && !isBold(second.row)) return true;
  if (filled.some(isNumber)) return false;
  return first.cells.some(
    (cell, column) =>
      cell !== '' && rest.filter(({ cells }) => isNumber(cells[column])).length > rest.length / 2,
  );
}

/** Columns of text. */
const isProse = (region: readonly PageRow[], columns: readonly Column[]): boolean =>
  columns.length <= 3 && wordsPerSegment(region) > PROSE_WORDS;
