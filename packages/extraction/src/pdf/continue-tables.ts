import type { Column } from './columns.js';
import { type FoundTable, isTable, type PageItem } from './find-tables.js';
import type { PageRow } from './segment.js';

/** The number of lines, such as “continued”, allowed between a table and the edge of its page. */
const MAX_LINES_BETWEEN = 2;
/** Edges that differ by no more points than this are the same. */
const SAME_EDGE = 6;

/**
 * Gives each part of a table that continues over pages the columns and the header of its first part.
 *
 * @param pages the items of each page, in order
 */
export function continueTables(pages: readonly PageItem[][]): PageItem[][] {
  const continued = pages.map((items) => [...items]);
  for (const [index, page] of continued.entries()) {
    const before = continued[index - 1] ?? [];
    const at = before.findLastIndex(isTable);
    const above = before[at];
    if (!above || !isTable(above) || before.length - 1 - at > MAX_LINES_BETWEEN) continue;
    const [start = 0, rest] = findTableRest(above, page);
    if (!rest) continue;
    page.splice(start, rest.taken, rest.table);
    before[at] = rest.above;
  }
  return continued;
}

interface RestOfTable {
  readonly table: FoundTable;
  /** The number of items that it replaces. */
  readonly taken: number;
  /** The table that continues. Its header may be recognised only here. */
  readonly above: FoundTable;
}

/** Finds the continuation of a table at the top of the next page, and its index. */
function findTableRest(above: FoundTable, page: readonly PageItem[]): [number?, RestOfTable?] {
  for (const [index, item] of page.slice(0, MAX_LINES_BETWEEN + 1).entries()) {
    if (isTable(item)) {
      const rest = restInTable(above, item);
      return rest ? [index, rest] : [];
    }
    const rows = findRowsInColumns(page.slice(index), above.columns);
    if (rows.length > 0) {
      const table = { ...above, page: item.page, rows };
      return [index, { table, taken: rows.length, above }];
    }
  }
  return [];
}

function restInTable(above: FoundTable, item: FoundTable): RestOfTable | null {
  const places = matchColumns(item.columns, above.columns);
  if (!places) return null;
  const rows = [...(item.header ? [item.header] : []), ...item.rows].map((cells) =>
    spreadCells(cells, places, above.columns),
  );
  const [first = []] = rows;
  const [name = [], ...named] = above.header ? [above.header, ...above.rows] : above.rows;
  const isRepeated = rows.length > 1 && named.length > 0 && first.join('\t') === name.join('\t');
  // The header belongs to a new table.
  if (!isRepeated && (!above.header || item.isBold)) return null;
  const table = {
    ...above,
    page: item.page,
    header: name,
    rows: isRepeated ? rows.slice(1) : rows,
  };
  return { table, taken: 1, above: { ...above, header: name, rows: named } };
}

/** The cells of the first rows that stand in the columns but were not recognised as a table. */
function findRowsInColumns(items: readonly PageItem[], columns: readonly Column[]): string[][] {
  const rows: string[][] = [];
  for (const item of items) {
    if (isTable(item)) break;
    const places = matchColumns(item.segments, columns);
    if (!places) break;
    rows.push(spreadCells(getTexts(item), places, columns));
  }
  return rows;
}

const getTexts = ({ segments }: PageRow): string[] => segments.map(({ text }) => text);

const spreadCells = (
  cells: readonly string[],
  places: readonly number[],
  columns: readonly Column[],
): string[] => columns.map((_, column) => cells[places.indexOf(column)] ?? '');

/** The index of the column that contains each part; null if some part is in none. */
function matchColumns(parts: readonly Column[], columns: readonly Column[]): number[] | null {
  const places: number[] = [];
  for (const part of parts) {
    const place = columns.findIndex((column) => isSameColumn(part, column));
    if (place <= (places.at(-1) ?? -1)) return null;
    places.push(place);
  }
  return places.length > 1 ? places : null;
}

const isSameColumn = (one: Column, other: Column): boolean =>
  one.left < other.right &&
  one.right > other.left &&
  [
    one.left - other.left,
    one.right - other.right,
    (one.left + one.right - other.left - other.right) / 2,
  ].some((distance) => Math.abs(distance) <= SAME_EDGE);
