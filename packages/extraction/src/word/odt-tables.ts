import { attribute, type Attributes } from '../archive/xml.js';
import type { Block } from '../block.js';
import { type Cell, type SpannedRow, toTableBlocks } from '../table-layout.js';

/** Limits repeated cells, which are usually empty ones up to the edge of the sheet. */
const MAX_REPEATS = 100;

interface OpenTable {
  readonly rows: SpannedRow[];
  cells: Cell[];
  inHeader: boolean;
  /** The attributes of the open cell. */
  cell: Attributes;
}

/** The tables of an ODT that are open, the outermost first. */
export class OdtTables {
  private readonly tables: OpenTable[] = [];

  get isOpen(): boolean {
    return this.tables.length > 0;
  }

  open(): void {
    this.tables.push({ rows: [], cells: [], inHeader: false, cell: {} });
  }

  openHeader(): void {
    if (this.last) this.last.inHeader = true;
  }

  closeHeader(): void {
    if (this.last) this.last.inHeader = false;
  }

  openRow(): void {
    if (this.last) this.last.cells = [];
  }

  closeRow(): void {
    const { last } = this;
    last?.rows.push({ cells: last.cells, isHeader: last.inHeader });
  }

  openCell(attributes: Attributes): void {
    if (this.last) this.last.cell = attributes;
  }

  closeCell(blocks: readonly Block[], isHeader: boolean): void {
    const { last } = this;
    if (!last) return;
    const count = (name: string) => Number(attribute(last.cell, name) ?? 1) || 1;
    const cell: Cell = {
      blocks,
      colSpan: count('number-columns-spanned'),
      rowSpan: count('number-rows-spanned'),
      isHeader,
    };
    const repeats = Math.min(count('number-columns-repeated'), MAX_REPEATS);
    for (let n = 0; n < repeats; n++) last.cells.push(cell);
  }

  close(): Block[] {
    return toTableBlocks(this.tables.pop()?.rows ?? []);
  }

  private get last(): OpenTable | undefined {
    return this.tables.at(-1);
  }
}
