import type { Table } from '../block.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';

/** Limits the cells: each line has one in every column, however short it is. */
const MAX_CELLS = 2_000_000;
export const GRID_BORDER = /^\+(?:[-=]+\+)+$/;
export const SIMPLE_BORDER = /^=+(?: +=+)+$/;
/** Characters that are as wide as two in a font of fixed width, by which columns are drawn. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;
/** Adds a NUL as the second half of each wide character; `tidy` removes it. */
const widen = (line: string) => line.replace(WIDE, '$&\0');

type Inline = (text: string) => string;

/** @param lines from the first border to the last */
export function readGridTable(lines: readonly string[], inline: Inline): Table {
  const edges = [...(lines[0] ?? '').matchAll(/\+/g)].map(({ index }) => index);
  checkSize(edges.length, lines.length);
  const rows: string[][] = [];
  let row: string[] = [];
  let headerRows = 0;
  for (const line of lines.map(widen)) {
    if (GRID_BORDER.test(line)) {
      if (row.length > 0) rows.push(row);
      row = [];
      if (line.includes('=')) headerRows = rows.length;
    } else row = appendCells(row, cutCells(line, edges));
  }
  if (row.length > 0) rows.push(row);
  return toTable(rows, headerRows, inline);
}

function checkSize(columns: number, lines: number): void {
  if (columns * lines > MAX_CELLS) {
    throw new Unreadable('too_large', 'A table has more than two million cells.');
  }
}

/** Without a drawn edge, a cell continues into the next column. */
function cutCells(line: string, edges: readonly number[]): string[] {
  const cells = edges.slice(1).map(() => '');
  let at = 0;
  for (const [column, edge] of edges.slice(0, -1).entries()) {
    if (line[edge] === '|' || line[edge] === '+') at = column;
    const next = edges[column + 1];
    cells[at] = `${cells[at] ?? ''}${line.slice(edge, next)}`;
  }
  // A border in only one column ends a cell beside one that continues.
  return cells.map((cell) => cell.replace(/^(?:\+-+$|[|+])/, ''));
}

/** @param lines from the first border to the last */
export function readSimpleTable(lines: readonly string[], inline: Inline): Table {
  const starts = [...(lines[0] ?? '').matchAll(/=+/g)].map(({ index }) => index);
  checkSize(starts.length, lines.length);
  const rows: string[][] = [];
  let headerRows = 0;
  for (const [at, line] of lines.map(widen).entries()) {
    if (SIMPLE_BORDER.test(line)) {
      if (at < lines.length - 1) headerRows = rows.length;
      continue;
    }
    if (line.trim() === '' || /^-+(?: +-+)*$/.test(line)) continue;
    const cells = starts.map((start, column) => line.slice(start, starts[column + 1]));
    const previous = rows.at(-1);
    // A row without a first cell continues the row above it.
    if (cells[0]?.trim() === '' && previous && rows.length > headerRows) {
      rows[rows.length - 1] = appendCells(previous, cells);
    } else rows.push(cells);
  }
  return toTable(rows, headerRows, inline);
}

const appendCells = (row: readonly string[], cells: readonly string[]): string[] =>
  cells.map((cell, column) => `${row[column] ?? ''}\n${cell}`);

function toTable(rows: readonly string[][], headerRows: number, inline: Inline): Table {
  const texts = rows.map((row) => row.map((cell) => tidy(inline(cell))));
  const [header = null] = headerRows === 1 ? texts : [];
  return { kind: 'table', header, rows: texts.slice(header ? 1 : 0).map((cells) => ({ cells })) };
}
