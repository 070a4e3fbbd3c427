import type { Block, Locator, Table, TableRow } from './block.js';
import { tidy } from './tidy.js';

/** A cell of the document, before merged cells are spread over the grid. */
export interface Cell {
  readonly blocks: readonly Block[];
  readonly colSpan: number;
  /** From 1. */
  readonly rowSpan: number;
  /** Whether the document marks the cell as a header or sets it in bold. */
  readonly isHeader: boolean;
}

export interface SpannedRow {
  readonly cells: readonly Cell[];
  /** Whether the document marks the row as a header. */
  readonly isHeader: boolean;
  readonly locator?: Locator;
}

const MAX_COLUMNS = 1000;
/** The text of a merged cell is repeated in the cells it covers up to this length. */
const MAX_REPEATED = 200;
/** Limits the characters and cells that a table may repeat: at least so many, or this multiple of its size. */
const REPEATED = { least: 20_000, times: 50 };
/** A cell with more text contains a part of the page, not a value. */
const MAX_VALUE = 2000;
const MAX_HEADER_ROWS = 4;
const MAX_COLUMN_NAME = 100;
/** The expression for numbers is not tried on longer texts. */
const MAX_NUMBER = 40;
const NUMBER = /^[(~≈<>+\-–]*\p{Sc}? ?\d[\d\s.,:/%)–-]*\p{Sc}?$/u;

/**
 * Turns a table into a block with one text for each cell of its grid. A table that only lays out the page
 * gives the blocks of its cells instead.
 */
export function toTableBlocks(rows: readonly SpannedRow[]): Block[] {
  const filled = rows.filter(({ cells }) => cells.some(({ blocks }) => blocks.length > 0));
  if (isLayout(filled)) return filled.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks));
  const grid = spread(rows).filter(({ cells }) => cells.some((text) => text !== ''));
  const headerRows = countHeaderRows(grid);
  const header = headerRows > 0 ? joinColumnNames(grid.slice(0, headerRows)) : null;
  const body: TableRow[] = grid
    .slice(headerRows)
    .map(({ cells, locator }) => ({ cells, ...(locator && { locator }) }));
  const table: Table = { kind: 'table', header, rows: body };
  return grid.length === 0 ? [] : [table];
}

function isLayout(rows: readonly SpannedRow[]): boolean {
  if (rows.every((row) => filledCells(row) <= 1)) return true;
  if (rows.some(({ cells }) => cells.some(({ blocks }) => isPartOfPage(blocks)))) return true;
  // Tables occur in the cells of a page layout, and in tables whose other rows have values.
  const withTables = rows.filter(hasTable);
  return withTables.length > 0 && !rows.some((row) => !hasTable(row) && filledCells(row) > 1);
}

const filledCells = ({ cells }: SpannedRow): number =>
  cells.filter(({ blocks }) => blocks.length > 0).length;

const hasTable = ({ cells }: SpannedRow): boolean =>
  cells.some(({ blocks }) => blocks.some(({ kind }) => kind === 'table'));

const isPartOfPage = (blocks: readonly Block[]): boolean =>
  blocks.some(({ kind }) => kind === 'heading') ||
  blocks.reduce((length, block) => length + measureLength(block), 0) > MAX_VALUE;

const measureLength = (block: Block): number =>
  block.kind === 'table'
    ? block.rows.reduce((length, { cells }) => length + cells.join(' ').length, 0)
    : block.text.length;

interface GridRow {
  readonly cells: string[];
  readonly isHeader: boolean;
  /** Whether all cells with text are marked as headers. */
  readonly isAllHeaderCells: boolean;
  readonly locator?: Locator | undefined;
}

/**
 * Gives each column of each row its text; the text of a merged cell is repeated in each of its
 * columns and rows.
 */
function spread(rows: readonly SpannedRow[]): GridRow[] {
  /** The text of the earlier cell that still covers each column. */
  const covering: ({ text: string; left: number } | undefined)[] = [];
  let room = REPEATED.least + REPEATED.times * countCharacters(rows);
  const mayRepeat = (text: string) => room > 0 && (room -= text.length + 1) > 0;
  return rows.map(({ cells, isHeader, locator }) => {
    const texts: string[] = [];
    let column = 0;
    const skipCovered = () => {
      for (let above = covering[column]; above && column < MAX_COLUMNS; above = covering[column]) {
        if (!mayRepeat(above.text)) return;
        texts[column] = above.text;
        covering[column++] =
          above.left > 1 ? { text: above.text, left: above.left - 1 } : undefined;
      }
    };
    // A single cell over several columns is a title within the table.
    const isLone = cells.filter(({ blocks }) => blocks.length > 0).length < 2;
    for (const cell of cells) {
      skipCovered();
      const isRepeated = isHeader || !isLone || (cell.isHeader && cells.length > 1);
      const text = toText(cell.blocks);
      const span = Math.min(cell.colSpan, MAX_COLUMNS - column);
      const repeated = text.length <= MAX_REPEATED ? text : '';
      for (let n = 0; n < Math.max(1, span); n++) {
        if (n > 0 && !mayRepeat(repeated)) break;
        texts[column] = n === 0 ? text : isRepeated ? repeated : '';
        const below = n === 0 || isRepeated ? repeated : '';
        if (cell.rowSpan > 1) covering[column] = { text: below, left: cell.rowSpan - 1 };
        column++;
      }
    }
    skipCovered();
    const named = cells.filter(({ blocks }) => blocks.length > 0);
    const isAllHeaderCells = named.length > 1 && named.every((cell) => cell.isHeader);
    return { cells: texts, isHeader, isAllHeaderCells, locator };
  });
}

const countCharacters = (rows: readonly SpannedRow[]): number =>
  rows.reduce(
    (size, { cells }) =>
      cells.reduce(
        (sum, { blocks }) => blocks.reduce((own, block) => own + measureLength(block), sum + 1),
        size,
      ),
    0,
  );

function toText(blocks: readonly Block[]): string {
  const texts = blocks.map((block) => {
    switch (block.kind) {
      case 'table':
        return `${block.rows.map(({ cells }) => writeNestedRow(cells, block.header)).join('; ')}.`;
      case 'list-item':
        return blocks.length > 1 ? `${block.marker} ${block.text}` : block.text;
      default:
        return block.text;
    }
  });
  return tidy(texts.join(' '));
}

/** Writes a row of a table within a cell, with the column names. */
const writeNestedRow = (cells: readonly string[], header: readonly string[] | null): string =>
  cells
    .map((text, column) => (text === '' ? '' : tidy(`${header?.[column] ?? ''} ${text}`)))
    .filter((text) => text !== '')
    .join(header ? ', ' : ' ');

/** Counts the header rows: those marked as such, or the first row if it looks like a header. */
function countHeaderRows(rows: readonly GridRow[]): number {
  const [first, ...body] = rows;
  if (!first || body.length === 0) return 0;
  const unmarked = rows.findIndex(
    ({ isHeader, isAllHeaderCells }) => !isHeader && !isAllHeaderCells,
  );
  if (unmarked > 0 && unmarked <= MAX_HEADER_ROWS) return unmarked;
  // If no row is unmarked, or only a late one, the first row alone is the header.
  if (unmarked !== 0) return first.isHeader || first.isAllHeaderCells ? 1 : 0;
  return looksLikeHeader(first, body) ? 1 : 0;
}

/** Whether the first row has distinct short names above a column of numbers. */
function looksLikeHeader({ cells }: GridRow, body: readonly GridRow[]): boolean {
  const names = cells.filter((text) => text !== '');
  if (names.length < 2 || names.length < cells.length - 1) return false;
  if (new Set(names).size < names.length) return false;
  if (names.some((name) => name.length > MAX_COLUMN_NAME || isNumber(name))) return false;
  return cells.some((_, column) => {
    const values = body.map((row) => row.cells[column] ?? '').filter((text) => text !== '');
    return values.length > 0 && values.every(isNumber);
  });
}

/** Joins the names of several header rows into one name per column. */
function joinColumnNames(rows: readonly GridRow[]): string[] {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map(({ cells }) => cells[column] ?? ''))]
      .filter((text) => text !== '')
      .join(' '),
  );
}

const isNumber = (text: string): boolean => text.length <= MAX_NUMBER && NUMBER.test(text);
