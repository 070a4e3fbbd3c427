import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';
import type { NumberFormats } from './number-formats.js';
import type { SheetCell, SheetRow } from './regions.js';

const MAX_COLUMNS = 16_384;
const MAX_MERGES = 20_000;
const PROGRESS_ROWS = 1000;

/** Counts the cells of all sheets of a workbook. */
export interface CellBudget {
  left: number;
}

interface Merge {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** Reads the cells of a worksheet that have a value, row by row. */
export class Worksheet implements XmlHandler {
  readonly rows: SheetRow[] = [];
  private readonly merges: Merge[] = [];
  private cells: SheetCell[] = [];
  private rowNumber = 0;
  private column = -1;
  private type = '';
  private style = 0;
  private value: string | undefined;
  private isValue = false;
  private inPhonetic = false;

  constructor(
    private readonly strings: readonly string[],
    private readonly formats: NumberFormats,
    private readonly budget: CellBudget,
    private readonly progress: () => void,
  ) {}

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row': {
        const number = Number(attributes['r']);
        this.rowNumber = Number.isInteger(number) && number > 0 ? number : this.rowNumber + 1;
        this.cells = [];
        this.column = -1;
        break;
      }
      case 'c':
        this.column = columnOf(attributes['r']) ?? this.column + 1;
        this.type = attributes['t'] ?? 'n';
        this.style = Number(attributes['s'] ?? 0);
        this.value = undefined;
        break;
      case 'v':
      case 't':
        this.isValue = true;
        break;
      case 'rPh':
        this.inPhonetic = true;
        break;
      case 'mergeCell':
        this.addMerge(attribute(attributes, 'ref') ?? '');
        break;
    }
  }

  text(text: string): void {
    if (this.isValue && !this.inPhonetic) this.value = (this.value ?? '') + text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.isValue = false;
    if (name === 'rPh') this.inPhonetic = false;
    if (name === 'c') this.closeCell();
    if (name === 'row' && this.cells.length > 0) {
      this.rows.push({ number: this.rowNumber, cells: this.cells });
      if (this.rows.length % PROGRESS_ROWS === 0) this.progress();
    }
    if (name === 'mergeCells') this.spreadMerges();
  }

  private closeCell(): void {
    if (this.value === undefined || this.column >= MAX_COLUMNS) return;
    const text = this.display(this.value);
    if (text === '') return;
    if (--this.budget.left < 0) {
      throw new Unreadable('too_large', 'The workbook has more than a million cells.');
    }
    const isNumber = this.type === 'n' || this.type === 'd' || this.type === 'b';
    this.cells.push({ column: this.column, text, isNumber });
  }

  private display(value: string): string {
    switch (this.type) {
      case 's':
        return this.strings[Number(value)] ?? '';
      case 'n':
        return this.formats.display(value.trim(), this.style);
      case 'b':
        return value.trim() === '1' ? 'TRUE' : 'FALSE';
      case 'e':
        return '';
      default:
        return tidy(value);
    }
  }

  private addMerge(reference: string): void {
    const [, first = '', firstRow, last = '', lastRow] =
      /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? [];
    const firstColumn = columnOf(first);
    const lastColumn = columnOf(last);
    if (firstColumn === undefined || lastColumn === undefined) return;
    if (this.merges.length >= MAX_MERGES) return;
    this.merges.push({
      firstColumn,
      lastColumn,
      firstRow: Number(firstRow),
      lastRow: Number(lastRow),
    });
  }

  /** Merged cells of one row say how far they reach; those of one column repeat in each row. */
  private spreadMerges(): void {
    const index = new Map(this.rows.map((row, at) => [row.number, at]));
    for (const { firstRow, lastRow, firstColumn, lastColumn } of this.merges) {
      const at = index.get(firstRow);
      const cell = at === undefined ? undefined : cellAt(this.rows[at], firstColumn);
      if (at === undefined || !cell) continue;
      if (lastColumn > firstColumn) cell.lastColumn = Math.min(lastColumn, MAX_COLUMNS - 1);
      if (firstColumn !== lastColumn) continue;
      for (let below = at + 1; below < this.rows.length; below++) {
        const row = this.rows[below];
        if (!row || row.number > lastRow || --this.budget.left < 0) break;
        if (cellAt(row, firstColumn)) continue;
        row.cells.push({ column: firstColumn, text: cell.text, isNumber: cell.isNumber });
        row.cells.sort((a, b) => a.column - b.column);
      }
    }
  }
}

const cellAt = (row: SheetRow | undefined, column: number): SheetCell | undefined =>
  row?.cells.find((cell) => cell.column === column);

/** From 0, of a reference such as `AB12` or `AB`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, char) => sum * 26 + char.charCodeAt(0) - 64, 0) - 1;
}
