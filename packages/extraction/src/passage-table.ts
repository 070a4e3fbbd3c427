import type { Table, TableRow } from './block.js';
import type { PassageTable } from './extracted.js';
import { toReadable } from './readable.js';

/** The table row that a fragment belongs to. */
export interface RowPart {
  readonly table: Table;
  readonly row: TableRow;
  /** The part of a cell in this fragment, if the row was cut. */
  readonly cell?: { readonly column: number; readonly text: string };
}

/** Rows are padded to the same length only up to this many cells, so that few words make no huge table. */
const MAX_FILLED = 10_000;

/** Collects the table rows of a passage. */
export class PassageRows {
  private table: Table | undefined;
  private readonly rows = new Map<TableRow, (string | undefined)[]>();
  private isCut = false;

  /** Whether the collected rows are of a table with other columns, so that this table's cannot be added. */
  isOther(table: Table | undefined): boolean {
    if (!table || !this.table || table === this.table) return false;
    const [own, others] = [this.table.header ?? [], table.header ?? []];
    return own.length !== others.length || own.some((name, column) => name !== others[column]);
  }

  add({ table, row, cell }: RowPart): void {
    this.table = table;
    if (!cell) {
      this.rows.set(row, row.cells.map(cellText));
      return;
    }
    this.isCut = true;
    const cells = this.rows.get(row) ?? [];
    this.rows.set(row, cells);
    cells[cell.column] = (cells[cell.column] ?? '') + cell.text;
  }

  /** @returns null if it has none */
  toTable(): PassageTable | null {
    if (!this.table || this.rows.size === 0) return null;
    const rows = [...this.rows.values()];
    const names = this.table.header ?? [];
    const all = Math.max(lastFilled(names), ...rows.map(lastFilled)) + 1;
    // A row that does not fit into a passage may have thousands of columns, and as many names.
    const columns = this.isCut
      ? [...new Set(rows.flatMap((cells) => Object.keys(cells).map(Number)))].sort((a, b) => a - b)
      : Array.from({ length: all }, (_, column) => column);
    const isFilled = columns.length * rows.length <= MAX_FILLED;
    return {
      columns: lastFilled(names) < 0 ? [] : columns.map((column) => cellText(names[column] ?? '')),
      rows: rows.map((cells) =>
        (isFilled ? columns : columns.filter((column) => column < cells.length)).map((column) =>
          (cells[column] ?? '').trim().toWellFormed(),
        ),
      ),
    };
  }
}

const lastFilled = (cells: readonly (string | undefined)[]): number =>
  cells.findLastIndex((cell = '') => cell.trim() !== '');

export const cellText = (cell: string): string => toReadable(cell).replace(/\s+/g, ' ').trim();
