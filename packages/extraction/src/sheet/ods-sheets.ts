import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block, ReadingContext } from '../block.js';
import { raiseText } from '../characters/raised-text.js';
import { readSymbols } from '../characters/symbol-fonts.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';
import { OdtBody, type OdtObjects } from '../word/odt-body.js';
import type { OdtStyles } from '../word/odt-styles.js';
import { withExactDigits } from './exact-digits.js';
import { HiddenCells, MAX_COLUMNS } from './hidden-cells.js';
import { toSheetBlocks } from './regions.js';
import { withPlaces } from './sheet-drawing.js';
import type { SheetRow } from './sheet-row.js';

const MAX_CELLS = 1_000_000;
/** The number of drawings with text, pictures or charts that are read. */
const MAX_DRAWINGS = 1000;
/** Elements of drawings over the cells or in one. */
const DRAWINGS = new Set([
  ...['frame', 'g', 'custom-shape', 'rect', 'ellipse', 'circle', 'caption', 'connector', 'line'],
  ...['polyline', 'polygon', 'path', 'regular-polygon', 'measure'],
]);
/** The value of a merged cell is repeated in at most this many columns. */
const MAX_REPEATED_COLUMNS = 50;
/** Limits the repetition of rows with values. Empty rows are usually repeated to the end of the sheet. */
const MAX_REPEATS = 100;
const LEFT_OUT = new Set(['annotation', 'tracked-changes', 'forms', 'covered-table-cell']);
/** Matches the prefix of a formula, such as `of:` in `of:=[.B2]*0.19`. */
const FORMULA_LANGUAGE = /^\w+:(?==)/;
const MAX_FORMULA = 200;
const NUMBERS = new Set(['float', 'percentage', 'currency', 'date', 'time', 'boolean']);

interface Sheet {
  readonly name: string;
  readonly blocks: Block[];
}

/** Reads the sheets of an OpenDocument spreadsheet into blocks. */
export class OdsSheets implements XmlHandler {
  readonly sheets: Sheet[] = [];
  /** The parts of pictures, by their placeholder blocks. */
  readonly pictures = new Map<Block, string>();
  private name = '';
  private isHidden = false;
  private hidden = new HiddenCells();
  /** The number of columns that the sheet has declared so far. */
  private columns = 0;
  private withoutValue = 0;
  private rows: SheetRow[] = [];
  private rowNumber = 0;
  /** The row in which each drawing begins. */
  private drawingRows = new Map<Block, number>();
  private drawing: { readonly body: OdtBody; depth: number } | undefined;
  private drawings = 0;
  private rowRepeats = 1;
  private isRowHidden = false;
  private row: OpenRow = newRow(0);
  private column = 0;
  /** The number of cells in the row that no merged cell covers. */
  private ownCells = 0;
  /** The last merged cell of each column, and the last row that it covers. */
  private readonly merged = new Map<number, { text: string; kind: string; end: number }>();
  private cell: Attributes = {};
  private cellText = '';
  private inParagraph = 0;
  /** The styles of open spans. */
  private readonly spans: (string | undefined)[] = [];
  private leftOut = 0;
  private cells = 0;

  constructor(
    private readonly styles: OdtStyles,
    private readonly objects: OdtObjects,
    private readonly context: ReadingContext,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (this.drawing) this.openInDrawing(this.drawing, name, attributes);
    else if (this.leftOut === 0 && DRAWINGS.has(name)) this.openDrawing(name, attributes);
    else this.openElement(name, attributes);
  }

  private openElement(name: string, attributes: Attributes): void {
    if (name === 'covered-table-cell') this.closeCovered(countRepeats(attributes, 'columns'));
    if (this.leftOut > 0 || LEFT_OUT.has(name)) this.leftOut++;
    else if (name === 'table') {
      this.name = tidy(attribute(attributes, 'name') ?? '');
      this.isHidden = this.styles.isHidden(attribute(attributes, 'style-name'));
      this.rows = [];
      this.rowNumber = 0;
      this.hidden = new HiddenCells();
      this.columns = 0;
      this.withoutValue = 0;
      this.drawingRows = new Map();
      this.merged.clear();
    } else if (name === 'table-column') {
      const end = this.columns + countRepeats(attributes, 'columns');
      if (isHidden(attributes)) this.hidden.addColumns(this.columns, end);
      this.columns = end;
    } else if (name === 'table-row') {
      this.rowRepeats = countRepeats(attributes, 'rows');
      this.row = newRow(this.rowNumber + 1);
      this.isRowHidden = isHidden(attributes);
      this.column = 0;
      this.ownCells = 0;
    } else if (name === 'table-cell') {
      this.cell = attributes;
      this.cellText = '';
    } else if (name === 'p') {
      this.inParagraph++;
      this.cellText += ' ';
    } else if (name === 'span') this.spans.push(attribute(attributes, 'style-name'));
    else if (name === 's' || name === 'tab' || name === 'line-break') this.cellText += ' ';
  }

  text(text: string): void {
    if (this.drawing) this.drawing.body.text(text);
    else this.addText(text);
  }

  private addText(text: string): void {
    if (this.inParagraph === 0 || this.leftOut > 0) return;
    const style = this.spans.at(-1);
    const position = this.styles.getPosition(style);
    const shown = readSymbols(text, this.styles.getFont(style));
    this.cellText += raiseText(shown, position === 'baseline' ? undefined : position);
  }

  close(name: string): void {
    if (this.drawing) this.closeInDrawing(this.drawing, name);
    else if (this.leftOut > 0) this.leftOut--;
    else if (name === 'p') this.inParagraph--;
    else if (name === 'span') this.spans.pop();
    else if (name === 'table-cell') this.closeCell();
    else if (name === 'table-row') this.closeRow();
    else if (name === 'table') this.closeTable();
  }

  private openDrawing(name: string, attributes: Attributes): void {
    const body = new OdtBody(this.styles, this.objects);
    body.open('body', {});
    this.drawing = { body, depth: 0 };
    this.openInDrawing(this.drawing, name, attributes);
  }

  private openInDrawing(
    drawing: { readonly body: OdtBody; depth: number },
    name: string,
    attributes: Attributes,
  ): void {
    drawing.depth++;
    // The paragraphs of a text box belong to the drawing.
    if (name !== 'text-box') drawing.body.open(name, attributes);
  }

  private closeInDrawing(drawing: { readonly body: OdtBody; depth: number }, name: string): void {
    const { body } = drawing;
    if (name !== 'text-box') body.close(name);
    if (--drawing.depth > 0) return;
    body.close('body');
    this.drawing = undefined;
    for (const what of body.unread) this.context.warn({ code: 'not_read', what });
    if (body.blocks.length === 0) return;
    if (++this.drawings > MAX_DRAWINGS) {
      this.context.warn({ code: 'not_read', what: `more than ${MAX_DRAWINGS} drawings` });
      return;
    }
    for (const [place, part] of body.pictures) this.pictures.set(place, part);
    for (const block of body.blocks) this.drawingRows.set(block, this.rowNumber + 1);
  }

  private closeCell(): void {
    const repeats = countRepeats(this.cell, 'columns');
    const text = this.takeCellText();
    const spans = Number(attribute(this.cell, 'number-columns-spanned') ?? 1) || 1;
    const rows = Number(attribute(this.cell, 'number-rows-spanned') ?? 1) || 1;
    const type = attribute(this.cell, 'value-type') ?? '';
    const isNumber = NUMBERS.has(type) || this.isWithoutValue();
    const end = Math.min(this.column + repeats, MAX_COLUMNS);
    for (let column = this.column; text !== '' && column < end; column++) {
      this.countCells(1);
      this.row.columns.push(column);
      this.row.texts.push(text);
      this.row.kinds += isNumber ? 'n' : 't';
      this.ownCells++;
      const reach = Math.min(column + spans, MAX_COLUMNS) - 1;
      if (spans > 1) (this.row.spans ??= new Map()).set(column, reach);
      if (spans === 1 && rows === 1) continue;
      const merged = { text, kind: isNumber ? 'n' : 't', end: this.row.number + rows - 1 };
      const last = Math.min(reach, column + MAX_REPEATED_COLUMNS - 1);
      for (let covered = column; covered <= last; covered++) this.merged.set(covered, merged);
    }
    this.column += repeats;
  }

  /** The displayed text. Some programs write only the value, or no value for a formula. */
  private takeCellText(): string {
    const text = tidy(this.cellText);
    if (text === '' && this.isWithoutValue()) {
      this.withoutValue++;
      return formulaText(attribute(this.cell, 'formula') ?? '');
    }
    const value = attribute(this.cell, 'value');
    if (value !== undefined) {
      return withExactDigits({ text: text === '' ? value : text, value, isGeneral: false });
    }
    return text === '' ? tidy(attribute(this.cell, 'string-value') ?? '') : text;
  }

  private isWithoutValue(): boolean {
    const { cell } = this;
    return attribute(cell, 'formula') !== undefined && attribute(cell, 'value-type') === undefined;
  }

  /** Repeats the value of a merged cell in the cells that it covers. */
  private closeCovered(repeats: number): void {
    const end = Math.min(this.column + repeats, MAX_COLUMNS);
    for (let { column } = this; column < end; column++) {
      const merged = this.merged.get(column);
      if (!merged || merged.end < this.row.number) continue;
      this.countCells(1);
      this.row.columns.push(column);
      this.row.texts.push(merged.text);
      this.row.kinds += merged.kind;
    }
    this.column += repeats;
  }

  private closeRow(): void {
    const { row } = this;
    // A single text over several columns is a title.
    if (this.ownCells === 1 && row.spans?.has(row.columns[0] ?? -1)) {
      row.columns.splice(1);
      row.texts.splice(1);
      row.kinds = row.kinds.slice(0, 1);
    }
    const times = row.texts.length === 0 ? 0 : Math.min(this.rowRepeats, MAX_REPEATS);
    if (times > 1) this.countCells(row.texts.length * (times - 1));
    for (let n = 0; n < times; n++) {
      this.rows.push({ ...row, number: row.number + n });
      if (this.isRowHidden) this.hidden.addRow(row.number + n);
    }
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
    if (this.withoutValue > 0) {
      const cells = this.withoutValue === 1 ? '1 cell' : `${this.withoutValue} cells`;
      this.context.warn({ code: 'values_missing', what: `${cells} in “${name}”` });
    }
    const rows = this.hidden.leaveOut(this.rows, name, this.context);
    const blocks = withPlaces(toSheetBlocks(rows, locate), this.drawingRows);
    this.rows = [];
    this.context.progress();
    this.sheets.push({ name, blocks });
  }

  private countCells(cells: number): void {
    if ((this.cells += cells) > MAX_CELLS) {
      throw new Unreadable('too_large', 'The workbook has more than a million cells.');
    }
  }
}

const isHidden = (attributes: Attributes): boolean =>
  ['collapse', 'filter'].includes(attribute(attributes, 'visibility') ?? '');

/** Writes a formula as a user types it: `=B2*0.19` for `of:=[.B2]*0.19`. */
const formulaText = (formula: string): string =>
  tidy(formula.replace(FORMULA_LANGUAGE, ''))
    .slice(0, MAX_FORMULA)
    .replace(/\[([^[\]]*)\]/g, (_, reference: string) => reference.replace(/(^|:)\./g, '$1'));

interface OpenRow extends SheetRow {
  columns: number[];
}

const newRow = (number: number): OpenRow => ({ number, columns: [], texts: [], kinds: '' });

const countRepeats = (attributes: Attributes, what: 'rows' | 'columns'): number => {
  const count = Number(attribute(attributes, `number-${what}-repeated`) ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
};
