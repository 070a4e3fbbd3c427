import { attribute, type Attributes } from '../archive/xml.js';
import type { Block } from '../block.js';
import { type Cell, type SpannedRow, toTableBlocks } from '../table-layout.js';
import { isOn } from './properties.js';

type OpenCell = { -readonly [K in keyof Cell]: Cell[K] };

interface OpenTable {
  readonly rows: SpannedRow[];
  cells: Cell[];
  /** The column of the grid in which the next cell begins. */
  column: number;
  /** The cell that a merged cell of the next row belongs to, by column. */
  readonly merged: Map<number, OpenCell>;
  isHeaderRow: boolean;
  colSpan: number;
  merge: 'start' | 'covered' | undefined;
}

/** The open tables of a DOCX, the outermost first. */
export class OpenTables {
  private readonly tables: OpenTable[] = [];

  get isOpen(): boolean {
    return this.tables.length > 0;
  }

  /** @returns whether the element belongs to a table */
  open(name: string, attributes: Attributes): boolean {
    const table = this.tables.at(-1);
    switch (name) {
      case 'tbl':
        this.tables.push({
          rows: [],
          cells: [],
          column: 0,
          merged: new Map(),
          isHeaderRow: false,
          colSpan: 1,
          merge: undefined,
        });
        return true;
      case 'tr':
        if (table) Object.assign(table, { cells: [], column: 0, isHeaderRow: false });
        return true;
      case 'tblHeader':
        if (table) table.isHeaderRow = isOn(attribute(attributes, 'val'));
        return true;
      case 'gridBefore':
        if (table) skipColumns(table, Number(attribute(attributes, 'val')) || 0);
        return true;
      case 'gridSpan':
        if (table) table.colSpan = Number(attribute(attributes, 'val')) || 1;
        return true;
      case 'vMerge':
        if (table) table.merge = attribute(attributes, 'val') === 'restart' ? 'start' : 'covered';
        return true;
      default:
        return false;
    }
  }

  openCell(): void {
    const table = this.tables.at(-1);
    if (table) Object.assign(table, { colSpan: 1, merge: undefined });
  }

  closeCell(blocks: readonly Block[], isHeader: boolean): void {
    const table = this.tables.at(-1);
    if (!table) return;
    const { colSpan, merge, column, merged } = table;
    const above = merge === 'covered' ? merged.get(column) : undefined;
    if (above) above.rowSpan++;
    else {
      const cell = { blocks, colSpan, rowSpan: 1, isHeader };
      table.cells.push(cell);
      if (merge === undefined) merged.delete(column);
      else merged.set(column, cell);
    }
    // A nested table has changed these properties.
    Object.assign(table, { column: column + colSpan, colSpan: 1, merge: undefined });
  }

  closeRow(): void {
    const table = this.tables.at(-1);
    table?.rows.push({ cells: table.cells, isHeader: table.isHeaderRow });
  }

  close(): Block[] {
    return toTableBlocks(this.tables.pop()?.rows ?? []);
  }
}

/** Skips columns at the start of a row. */
function skipColumns(table: OpenTable, colSpan: number): void {
  if (colSpan < 1) return;
  table.cells.push({ blocks: [], colSpan, rowSpan: 1, isHeader: false });
  table.column += colSpan;
}
