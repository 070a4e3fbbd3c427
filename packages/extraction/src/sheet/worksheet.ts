import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';
import { HiddenCells, MAX_COLUMNS, toColumnName } from './hidden-cells.js';
import type { NumberFormats } from './number-formats.js';
import { RichText } from './rich-text.js';
import { findCell, type SheetRow } from './sheet-row.js';

const MAX_MERGES = 20_000;
/** The value of a merged cell is repeated in at most this many columns. */
const MAX_REPEATED_COLUMNS = 50;
const MAX_FORMULA = 200;
/** Prefixes of functions newer than the file format, which spreadsheets do not show. */
const FORMULA_PREFIXES = /\b_xl(?:fn|ws|pm)\./g;
const PROGRESS_ROWS = 1000;
/** Texts up to this length are copied anyway. */
const MAX_COPIED = 12;

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
  readonly hidden = new HiddenCells();
  /** The number of formulas without a stored value, and the first cell with one. */
  readonly withoutValue = { count: 0, first: '' };
  private readonly merges: Merge[] = [];
  private columns: number[] = [];
  private texts: string[] = [];
  private kinds = '';
  private rowNumber = 0;
  private column = -1;
  private type = '';
  private style = 0;
  private value: string | undefined;
  private isValue = false;
  private formula: string | undefined;
  private isFormula = false;
  private inPhonetic = false;
  private readonly rich = new RichText();

  constructor(
    private readonly strings: readonly string[],
    private readonly formats: NumberFormats,
    private readonly budget: CellBudget,
    private readonly progress: () => void,
  ) {}

  open(name: string, attributes: Attributes): void {
    this.rich.open(name, attributes);
    switch (name) {
      case 'row': {
        const number = Number(attributes['r']);
        this.rowNumber = Number.isInteger(number) && number > 0 ? number : this.rowNumber + 1;
        this.columns = [];
        this.texts = [];
        this.kinds = '';
        this.column = -1;
        if (isTrue(attributes['hidden']) || isZero(attributes['ht'])) {
          this.hidden.addRow(this.rowNumber);
        }
        break;
      }
      case 'col':
        if (isTrue(attributes['hidden']) || isZero(attributes['width'])) {
          this.hidden.addColumns(Number(attributes['min']) - 1, Number(attributes['max']));
        }
        break;
      case 'c':
        this.column = parseColumn(attributes['r']) ?? this.column + 1;
        this.type = attributes['t'] ?? 'n';
        this.style = Number(attributes['s'] ?? 0);
        this.value = undefined;
        this.formula = undefined;
        break;
      case 'f':
        this.formula = '';
        this.isFormula = true;
        break;
      case 'v':
      case 't':
        this.value ??= '';
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
    if (this.isFormula) this.formula = (this.formula ?? '') + text;
    if (!this.isValue || this.inPhonetic) return;
    const shown = this.type === 'inlineStr' ? this.rich.write(text) : text;
    this.value = (this.value ?? '') + shown;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.isValue = false;
    if (name === 'f') this.isFormula = false;
    if (name === 'rPh') this.inPhonetic = false;
    if (name === 'c') this.closeCell();
    if (name === 'row' && this.texts.length > 0) this.closeRow();
    if (name === 'mergeCells') this.spreadMerges();
  }

  private closeCell(): void {
    if (this.column >= MAX_COLUMNS) return;
    const text = this.isWithoutValue() ? this.formulaText() : this.display(this.value ?? '');
    if (text === '') return;
    if (--this.budget.left < 0) {
      throw new Unreadable('too_large', 'The workbook has more than a million cells.');
    }
    const isNumber = this.type === 'n' || this.type === 'd' || this.type === 'b';
    this.columns.push(this.column);
    this.texts.push(text.length > MAX_COPIED ? copyText(text) : text);
    this.kinds += isNumber ? 'n' : 't';
  }

  /** An empty text counts as a value, as in `=IF(A1>0,A1,"")`. */
  private isWithoutValue(): boolean {
    if (this.formula === undefined) return false;
    return this.value === undefined || (this.value.trim() === '' && this.type === 'n');
  }

  private formulaText(): string {
    const { withoutValue } = this;
    if (withoutValue.count++ === 0) {
      withoutValue.first = `${toColumnName(this.column)}${this.rowNumber}`;
    }
    const formula = tidy(this.formula ?? '').replace(FORMULA_PREFIXES, '');
    // If several cells share a formula, only the first one has its text.
    return formula === '' ? '' : `=${formula.slice(0, MAX_FORMULA)}`;
  }

  private closeRow(): void {
    const before = this.rows.at(-1);
    const { rowNumber: number, texts, kinds } = this;
    const columns = before && areSame(before.columns, this.columns) ? before.columns : this.columns;
    this.rows.push({
      number,
      columns,
      texts,
      kinds: before?.kinds === kinds ? before.kinds : kinds,
    });
    if (this.rows.length % PROGRESS_ROWS === 0) this.progress();
  }

  private display(value: string): string {
    switch (this.type) {
      case 's':
        return this.strings[Number(value)] ?? '';
      case 'n':
        return this.formats.display(value.trim(), this.style);
      case 'b':
        return value === '' ? '' : value.trim() === '1' ? 'TRUE' : 'FALSE';
      case 'e':
        return '';
      default:
        return tidy(value);
    }
  }

  private addMerge(reference: string): void {
    const [, first = '', firstRow, last = '', lastRow] =
      /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? [];
    const firstColumn = parseColumn(first);
    const lastColumn = parseColumn(last);
    if (firstColumn === undefined || lastColumn === undefined) return;
    if (this.merges.length >= MAX_MERGES) return;
    this.merges.push({
      firstColumn,
      lastColumn,
      firstRow: Number(firstRow),
      lastRow: Number(lastRow),
    });
  }

  /**
   * Repeats the value of merged cells in each of them. A single text over several columns is a title: it is
   * not repeated, and only its extent is kept.
   */
  private spreadMerges(): void {
    const index = new Map(this.rows.map((row, at) => [row.number, at]));
    const lone = new Set(this.rows.filter(({ texts }) => texts.length < 2));
    for (const { firstRow, lastRow, firstColumn, lastColumn } of this.merges) {
      const at = index.get(firstRow) ?? -1;
      const row = this.rows[at];
      const place = row ? findCell(row, firstColumn) : -1;
      if (!row || place === -1) continue;
      if (lastColumn > firstColumn) {
        (row.spans ??= new Map()).set(firstColumn, Math.min(lastColumn, MAX_COLUMNS - 1));
        if (lone.has(row)) continue;
      }
      const text = row.texts[place] ?? '';
      const kind = row.kinds.charAt(place);
      const end = Math.min(lastColumn, firstColumn + MAX_REPEATED_COLUMNS - 1);
      for (let below = at; below < this.rows.length; below++) {
        const next = this.rows[below];
        if (!next || next.number > lastRow || --this.budget.left < 0) break;
        for (let column = firstColumn; column <= end; column++) {
          if (findCell(next, column) !== -1) continue;
          if (--this.budget.left < 0) return;
          insert(next, column, text, kind);
        }
      }
    }
  }
}

function insert(row: SheetRow, column: number, text: string, kind: string): void {
  const behind = row.columns.findIndex((each) => each > column);
  const place = behind === -1 ? row.columns.length : behind;
  // Rows share their columns.
  row.columns = row.columns.toSpliced(place, 0, column);
  row.texts.splice(place, 0, text);
  row.kinds = row.kinds.slice(0, place) + kind + row.kinds.slice(place);
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

const isZero = (size: string | undefined): boolean => size !== undefined && Number(size) === 0;

const areSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((column, index) => column === other[index]);

/** Copies a text: a slice would keep the whole part of the file in memory. */
const copyText = (text: string): string => Buffer.from(text).toString();

/** Reads the column, from 0, of a reference such as `AB12` or `AB`. */
function parseColumn(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, char) => sum * 26 + char.charCodeAt(0) - 64, 0) - 1;
}
