import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block, ReadingContext } from '../block.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';
import type { OdtStyles } from '../word/odt-styles.js';
import { sheetBlocks } from './regions.js';
import type { SheetRow } from './sheet-row.js';

const MAX_CELLS = 1_000_000;
const MAX_COLUMNS = 16_384;
/** Rows with values that are repeated; empty ones are mostly repeated to the end of the sheet. */
const MAX_REPEATS = 100;
const LEFT_OUT = new Set([
  'annotation',
  'tracked-changes',
  'forms',
  'shapes',
  'covered-table-cell',
]);
const NUMBERS = new Set(['float', 'percentage', 'currency', 'date', 'time', 'boolean']);

/** Reads the sheets of an OpenDocument spreadsheet into blocks. */
export class OdsSheets implements XmlHandler {
  readonly blocks: Block[] = [];
  private name = '';
  private isHidden = false;
  private rows: SheetRow[] = [];
  private rowNumber = 0;
  private rowRepeats = 1;
  private row: OpenRow = newRow(0);
  private column = 0;
  private cell: Attributes = {};
  private cellText = '';
  private inParagraph = 0;
  private leftOut = 0;
  private cells = 0;

  constructor(
    private readonly styles: OdtStyles,
    private readonly context: ReadingContext,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (name === 'covered-table-cell') this.column += repeatsOf(attributes, 'columns');
    if (this.leftOut > 0 || LEFT_OUT.has(name)) this.leftOut++;
    else if (name === 'table') {
      this.name = tidy(attribute(attributes, 'name') ?? '');
      this.isHidden = this.styles.isHidden(attribute(attributes, 'style-name'));
      this.rows = [];
      this.rowNumber = 0;
    } else if (name === 'table-row') {
      this.rowRepeats = repeatsOf(attributes, 'rows');
      this.row = newRow(this.rowNumber + 1);
      this.column = 0;
    } else if (name === 'table-cell') {
      this.cell = attributes;
      this.cellText = '';
    } else if (name === 'p') {
      this.inParagraph++;
      this.cellText += ' ';
    } else if (name === 's' || name === 'tab' || name === 'line-break') this.cellText += ' ';
  }

  text(text: string): void {
    if (this.inParagraph > 0 && this.leftOut === 0) this.cellText += text;
  }

  close(name: string): void {
    if (this.leftOut > 0) this.leftOut--;
    else if (name === 'p') this.inParagraph--;
    else if (name === 'table-cell') this.closeCell();
    else if (name === 'table-row') this.closeRow();
    else if (name === 'table') this.closeTable();
  }

  private closeCell(): void {
    const repeats = repeatsOf(this.cell, 'columns');
    const text = tidy(this.cellText);
    const spans = Number(attribute(this.cell, 'number-columns-spanned') ?? 1) || 1;
    const isNumber = NUMBERS.has(attribute(this.cell, 'value-type') ?? '');
    const end = Math.min(this.column + repeats, MAX_COLUMNS);
    for (let column = this.column; text !== '' && column < end; column++) {
      this.count(1);
      this.row.columns.push(column);
      this.row.texts.push(text);
      this.row.kinds += isNumber ? 'n' : 't';
      if (spans > 1)
        (this.row.spans ??= new Map()).set(column, Math.min(column + spans, MAX_COLUMNS) - 1);
    }
    this.column += repeats;
  }

  private closeRow(): void {
    const { row } = this;
    const times = row.texts.length === 0 ? 0 : Math.min(this.rowRepeats, MAX_REPEATS);
    if (times > 1) this.count(row.texts.length * (times - 1));
    for (let n = 0; n < times; n++) this.rows.push({ ...row, number: row.number + n });
    this.rowNumber += this.rowRepeats;
    if (this.rowNumber % 1000 === 0) this.context.progress();
  }

  private closeTable(): void {
    const { name } = this;
    if (this.isHidden) {
      this.context.warn({
        code: 'sheet_hidden',
        message: `The hidden sheet “${name}” is left out.`,
      });
      return;
    }
    const locate = (row: number) => ({ sheet: name, row });
    const texts = sheetBlocks(this.rows, locate);
    this.rows = [];
    this.context.progress();
    if (texts.length === 0) return;
    this.blocks.push({ kind: 'heading', level: 1, text: name, locator: locate(1) });
    for (const block of texts) this.blocks.push(block);
  }

  private count(cells: number): void {
    if ((this.cells += cells) > MAX_CELLS) {
      throw new Unreadable('too_large', 'The workbook has more than a million cells.');
    }
  }
}

interface OpenRow extends SheetRow {
  columns: number[];
}

const newRow = (number: number): OpenRow => ({ number, columns: [], texts: [], kinds: '' });

const repeatsOf = (attributes: Attributes, what: 'rows' | 'columns'): number => {
  const count = Number(attribute(attributes, `number-${what}-repeated`) ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
};
