import { OfficeFormula } from '../formulas/office-formula.js';
import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { newPicturePlace } from '../recognition/picture-places.js';
import { type Cell, type SpannedRow, toTableBlocks } from '../table-layout.js';
import { tidy, tidyLines } from '../tidy.js';
import { BULLET } from '../word/numbering.js';
import { type SlideBox, inReadingOrder, type Placed } from './reading-order.js';
import { SlideRun } from './slide-run.js';

const LEFT_OUT = new Set(['Fallback', 'fld']);
const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders that are repeated on every slide. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

const MAX_DEPTH = 8;

interface Paragraph {
  text: string;
  depth: number;
  bullet: 'none' | 'char' | 'number' | undefined;
}

interface Shape {
  /** The type of the placeholder that the shape fills, such as `title` or `body`. */
  type: string | undefined;
  readonly paragraphs: Paragraph[];
}

/** A shape, picture, table or group, with its position. */
class Item implements Placed {
  box: SlideBox | undefined;
  readonly blocks: Block[] = [];
  readonly items: Item[] = [];
}

/** Elements with their own position. */
const PLACED = new Set(['spTree', 'grpSp', 'sp', 'pic', 'graphicFrame', 'cxnSp']);

/** Reads the shapes of a slide, or of its notes: a title, and blocks in their order. */
export class Slide implements XmlHandler {
  title = '';
  isHidden = false;
  /** The relationships of pictures, by their placeholder blocks. */
  readonly pictures = new Map<Block, string>();
  /** The open items, the outermost first. */
  private readonly items: [Item, ...Item[]] = [new Item()];
  private run = new SlideRun();
  private offset: { readonly x: number; readonly y: number } | undefined;
  private rightToLeft = 0;
  private leftToRight = 0;
  private formula: OfficeFormula | undefined;
  private leftOut = 0;
  private isText = false;
  private shape: Shape | undefined;
  private paragraph: Paragraph | undefined;
  private rows: SpannedRow[] | undefined;
  private isFirstRowHeader = false;
  private cells: Cell[] = [];
  private cell: Attributes | undefined;
  private cellTexts: string[] = [];

  /** @param only the type of placeholder to read; all others are left out */
  constructor(private readonly only?: string) {}

  open(name: string, attributes: Attributes): void {
    // Slide numbers and dates are left out; other fields keep their text.
    const isLeftOut = LEFT_OUT.has(name) && (name !== 'fld' || isRepeated(attributes));
    if (this.leftOut > 0 || isLeftOut) this.leftOut++;
    else if (this.formula) this.formula.open(name, attributes);
    else this.openElement(name, attributes);
  }

  text(text: string): void {
    if (this.leftOut === 0) this.formula?.text(text);
    if (this.isText && this.leftOut === 0 && this.paragraph)
      this.paragraph.text += this.run.write(text);
  }

  get blocks(): Block[] {
    return this.collectBlocks(this.items[0]);
  }

  private collectBlocks({ blocks, items }: Item): Block[] {
    const shapes = items.map((item) => ({ box: item.box, blocks: this.collectBlocks(item) }));
    // The title is not among the blocks: a wide title would hide columns below it.
    const filled = shapes.filter((shape) => shape.blocks.length > 0);
    const ordered = inReadingOrder(filled, this.rightToLeft > this.leftToRight);
    return [...blocks, ...ordered.flatMap((shape) => shape.blocks)];
  }

  private get item(): Item {
    return this.items.at(-1) ?? this.items[0];
  }

  close(name: string): void {
    if (this.leftOut > 0) {
      this.leftOut--;
      return;
    }
    if (this.formula) {
      const latex = this.formula.close();
      if (latex === undefined) return;
      if (this.paragraph && latex !== '') this.paragraph.text += `$${latex}$`;
      this.formula = undefined;
      return;
    }
    this.closeElement(name);
    if (PLACED.has(name) && this.items.length > 1) this.items.pop();
  }

  private closeElement(name: string): void {
    switch (name) {
      case 't':
        this.isText = false;
        break;
      case 'p':
        this.closeParagraph();
        break;
      case 'sp':
      case 'pt':
        this.closeShape();
        break;
      case 'tc':
        this.closeCell();
        break;
      case 'tr':
        this.rows?.push({
          cells: this.cells,
          isHeader: this.isFirstRowHeader && this.rows.length === 0,
        });
        break;
      case 'tbl':
        if (this.rows && this.only === undefined)
          this.item.blocks.push(...toTableBlocks(this.rows));
        this.rows = undefined;
        break;
    }
  }

  private openElement(name: string, attributes: Attributes): void {
    if (PLACED.has(name)) {
      const item = new Item();
      this.item.items.push(item);
      this.items.push(item);
    }
    if (!this.paragraph) this.openPlace(name, attributes);
    else if (this.run.open(name, attributes)) return;
    switch (name) {
      case 'sld':
        this.isHidden = attributes['show'] === '0' || attributes['show'] === 'false';
        break;
      // A `pt` is a point of a diagram.
      case 'sp':
      case 'pt':
        this.shape = { type: undefined, paragraphs: [] };
        break;
      case 'ph':
        if (this.shape) this.shape.type = attribute(attributes, 'type') ?? 'body';
        break;
      case 'p':
        this.paragraph = { text: '', depth: 0, bullet: undefined };
        break;
      case 'pPr':
        if (!this.paragraph) break;
        this.paragraph.depth = parseDepth(attributes['lvl']);
        if (isOn(attributes['rtl'])) this.rightToLeft++;
        else this.leftToRight++;
        break;
      case 'buNone':
        if (this.paragraph) this.paragraph.bullet = 'none';
        break;
      case 'buChar':
      case 'buBlip':
        if (this.paragraph) this.paragraph.bullet = 'char';
        break;
      case 'buAutoNum':
        if (this.paragraph) this.paragraph.bullet = 'number';
        break;
      case 't':
        this.isText = true;
        break;
      case 'blip':
        this.addPicture(attribute(attributes, 'embed'));
        break;
      case 'oMath':
        this.formula = new OfficeFormula();
        this.formula.open(name, attributes);
        break;
      case 'br':
        if (this.paragraph) this.paragraph.text += '\n';
        break;
      case 'tbl':
        this.rows = [];
        this.isFirstRowHeader = false;
        break;
      case 'tblPr':
        this.isFirstRowHeader = ['1', 'true'].includes(attributes['firstRow'] ?? '');
        break;
      case 'tr':
        this.cells = [];
        break;
      case 'tc':
        this.cell = attributes;
        this.cellTexts = [];
        break;
    }
  }

  private openPlace(name: string, attributes: Attributes): void {
    if (name === 'off') {
      this.offset = { x: Number(attributes['x']), y: Number(attributes['y']) };
    } else if (name === 'ext' && this.offset && attributes['cx'] !== undefined) {
      const box = {
        ...this.offset,
        width: Number(attributes['cx']),
        height: Number(attributes['cy']),
      };
      if (Object.values(box).every(Number.isFinite)) this.item.box ??= box;
      this.offset = undefined;
    }
  }

  private addPicture(relationship: string | undefined): void {
    if (relationship === undefined || this.only !== undefined) return;
    const place = newPicturePlace();
    this.pictures.set(place, relationship);
    this.item.blocks.push(place);
  }

  private closeParagraph(): void {
    const { paragraph } = this;
    this.paragraph = undefined;
    if (!paragraph) return;
    paragraph.text = tidyLines(paragraph.text);
    if (paragraph.text === '') return;
    if (this.cell) this.cellTexts.push(paragraph.text);
    else this.shape?.paragraphs.push(paragraph);
  }

  private closeCell(): void {
    const { cell } = this;
    this.cell = undefined;
    // The file has empty cells for those that a merged cell covers.
    if (!cell || isOn(cell['hMerge']) || isOn(cell['vMerge'])) return;
    this.cells.push({
      blocks: this.cellTexts.map((text) => ({ kind: 'paragraph', text })),
      colSpan: Number(cell['gridSpan']) || 1,
      rowSpan: Number(cell['rowSpan']) || 1,
      isHeader: false,
    });
  }

  private closeShape(): void {
    const { shape } = this;
    this.shape = undefined;
    if (!shape || (this.only !== undefined && shape.type !== this.only)) return;
    if (shape.type !== undefined && REPEATED.has(shape.type)) return;
    if (shape.type !== undefined && TITLES.has(shape.type) && this.title === '') {
      this.title = tidy(shape.paragraphs.map(({ text }) => text).join(' '));
      return;
    }
    // The text of a slide is a list, unless it has one paragraph or its own bullet settings.
    const isList = shape.type === 'body' && this.only === undefined && shape.paragraphs.length > 1;
    /** The last number at each depth. */
    const numbers: number[] = [];
    for (const { text, depth, bullet } of shape.paragraphs) {
      numbers.length = Math.min(numbers.length, depth + 1);
      if (bullet === 'number') {
        numbers[depth] = (numbers[depth] ?? 0) + 1;
        this.item.blocks.push({ kind: 'list-item', depth, marker: `${numbers[depth]}.`, text });
      } else if (bullet === 'char' || (isList && bullet !== 'none')) {
        this.item.blocks.push({ kind: 'list-item', depth, marker: BULLET, text });
      } else {
        this.item.blocks.push({ kind: 'paragraph', text });
      }
    }
  }
}

const isRepeated = ({ type = '' }: Attributes): boolean =>
  type === 'slidenum' || type.startsWith('datetime');

const parseDepth = (level = '0'): number =>
  Math.min(Math.max(Math.trunc(Number(level)) || 0, 0), MAX_DEPTH);

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';
