import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { OfficeFormula } from '../formulas/office-formula.js';
import { appendCode } from '../append-code.js';
import { pictureHere } from '../recognition/picture-places.js';
import { tidy, tidyLines } from '../tidy.js';
import { CheckBoxes } from './check-boxes.js';
import { DOCX_LEFT_OUT } from './left-out.js';
import { BULLET, type ListNumbering } from './numbering.js';
import { isOn } from './properties.js';
import type { ParagraphStyle } from './styles.js';
import { OpenTables } from './tables.js';

const BODY_TEXT_LEVEL = 9;
const HYPHEN = '-';

/** Where blocks go: the body, a cell, a text box or a note. */
interface Flow {
  readonly blocks: Block[];
  paragraph?: Paragraph;
}

interface Paragraph {
  text: string;
  style: ParagraphStyle;
  numberingId?: string;
  numberingLevel?: number;
  outlineLevel?: number;
  /** Blocks that stand in it: text boxes and notes. */
  readonly inside: Block[];
  hasPlainText: boolean;
  hasBoldText: boolean;
}

interface BodyOptions {
  readonly styles: ReadonlyMap<string, ParagraphStyle>;
  readonly numbering: ListNumbering;
  /** Footnotes and endnotes, by `footnote` or `endnote` and their id. */
  readonly notes: ReadonlyMap<string, string>;
}

/** Reads the elements of WordprocessingML into blocks. */
export class WordBody implements XmlHandler {
  readonly blocks: Block[] = [];
  readonly bold = new Set<Block>();
  private readonly flows: Flow[] = [{ blocks: this.blocks }];
  private readonly tables = new OpenTables();
  /** Of pictures, the relationships by the blocks in their places. */
  readonly pictures = new Map<Block, string>();
  /** Those in cells, which stand behind their table. */
  private waiting: Block[] = [];
  private readonly checkBoxes = new CheckBoxes();
  private formula: OfficeFormula | undefined;
  private leftOut = 0;
  private isText = false;
  private isHidden = false;
  private isBold = false;
  private inParagraphProperties = false;
  private contentsDepth = 0;
  private controls: boolean[] = [];

  constructor(private readonly options: BodyOptions) {}

  open(name: string, attributes: Attributes): void {
    if (this.leftOut > 0 || DOCX_LEFT_OUT.has(name)) this.leftOut++;
    else if (this.formula) this.formula.open(name, attributes);
    else if (name === 'tc') {
      this.tables.openCell();
      this.flows.push({ blocks: [] });
    } else if (!this.tables.open(name, attributes)) this.openInline(name, attributes);
  }

  text(text: string): void {
    const { paragraph } = this.flow;
    if (this.leftOut === 0) this.formula?.text(text);
    if (!this.isText || this.isHidden || this.leftOut > 0 || !paragraph) return;
    paragraph.text += this.checkBoxes.textOf(text);
    if (text.trim() === '') return;
    if (this.isBold) paragraph.hasBoldText = true;
    else paragraph.hasPlainText = true;
  }

  close(name: string): void {
    if (this.leftOut > 0) {
      this.leftOut--;
      return;
    }
    if (this.formula) {
      const latex = this.formula.close();
      if (latex === undefined) return;
      this.append(latex === '' ? '' : `$${latex}$`);
      this.formula = undefined;
      return;
    }
    this.append(this.checkBoxes.close(name));
    if (name === 't') this.isText = false;
    else if (name === 'pPr') this.inParagraphProperties = false;
    else if (name === 'p') this.closeParagraph();
    else if (name === 'txbxContent') this.closeTextBox();
    else if (name === 'sdt') this.contentsDepth -= this.controls.pop() ? 1 : 0;
    else this.closeTable(name);
  }

  private get flow(): Flow {
    return this.flows[this.flows.length - 1] ?? { blocks: this.blocks };
  }

  private openInline(name: string, attributes: Attributes): void {
    const value = attribute(attributes, 'val');
    const { paragraph } = this.flow;
    this.checkBoxes.open(name, value);
    switch (name) {
      case 'p':
        this.flow.paragraph = {
          text: '',
          style: {},
          inside: [],
          hasPlainText: false,
          hasBoldText: false,
        };
        break;
      case 'pPr':
        this.inParagraphProperties = true;
        break;
      case 'pStyle':
        if (paragraph) paragraph.style = this.options.styles.get(value ?? '') ?? {};
        break;
      case 'numId':
        if (paragraph && value !== undefined) paragraph.numberingId = value;
        break;
      case 'ilvl':
        if (paragraph) paragraph.numberingLevel = Number(value);
        break;
      case 'outlineLvl':
        if (paragraph) paragraph.outlineLevel = Number(value);
        break;
      case 'r':
        this.isHidden = false;
        this.isBold = false;
        break;
      case 'vanish':
        if (!this.inParagraphProperties) this.isHidden = isOn(value);
        break;
      case 'b':
        if (!this.inParagraphProperties) this.isBold = isOn(value);
        break;
      case 't':
        this.isText = true;
        break;
      case 'tab':
      case 'ptab':
        if (!this.inParagraphProperties) this.append(' ');
        break;
      case 'br':
      case 'cr':
        this.append('\n');
        break;
      case 'sym':
        this.append(this.checkBoxes.textOf(''));
        break;
      case 'noBreakHyphen':
        this.append(HYPHEN);
        break;
      case 'footnoteReference':
      case 'endnoteReference':
        this.addNote(`${name.slice(0, name.indexOf('R'))}${attribute(attributes, 'id') ?? ''}`);
        break;
      case 'txbxContent':
        this.flows.push({ blocks: [] });
        break;
      case 'sdt':
        this.controls.push(false);
        break;
      case 'blip':
        this.addPicture(attribute(attributes, 'embed'));
        break;
      case 'imagedata':
        this.addPicture(attribute(attributes, 'id'));
        break;
      case 'oMath':
        this.formula = new OfficeFormula();
        this.formula.open(name, attributes);
        break;
      case 'docPartGallery':
        this.markContents(value);
        break;
    }
  }

  private append(text: string): void {
    const { paragraph } = this.flow;
    if (paragraph && !this.isHidden) paragraph.text += text;
  }

  /** A content control that holds the table of contents. */
  private markContents(gallery: string | undefined): void {
    if (gallery !== 'Table of Contents' || this.controls.length === 0) return;
    this.controls[this.controls.length - 1] = true;
    this.contentsDepth++;
  }

  private addPicture(relationship: string | undefined): void {
    if (relationship === undefined) return;
    const place = pictureHere();
    this.pictures.set(place, relationship);
    if (this.tables.isOpen) this.waiting.push(place);
    else (this.flow.paragraph?.inside ?? this.flow.blocks).push(place);
  }

  private addNote(key: string): void {
    const text = this.options.notes.get(key);
    if (text) this.flow.paragraph?.inside.push({ kind: 'note', text });
  }

  private closeTextBox(): void {
    const { blocks } = this.flow;
    this.flows.pop();
    // A box beside the paragraphs has none around it.
    (this.flow.paragraph?.inside ?? this.flow.blocks).push(...blocks);
  }

  private closeParagraph(): void {
    const { flow } = this;
    const { paragraph } = flow;
    if (!paragraph) return;
    delete flow.paragraph;
    if (this.contentsDepth > 0 || paragraph.style.role === 'contents') return;
    const block = this.blockOf(paragraph, flow.blocks);
    if (block) {
      flow.blocks.push(block);
      if (paragraph.hasBoldText && !paragraph.hasPlainText) this.bold.add(block);
    }
    for (const inside of paragraph.inside) flow.blocks.push(inside);
  }

  private blockOf(paragraph: Paragraph, blocks: Block[]): Block | undefined {
    const { style } = paragraph;
    if (style.role === 'code') return appendCode(paragraph.text, blocks);
    const text = tidyLines(paragraph.text);
    if (text === '') return undefined;
    const level =
      paragraph.outlineLevel === undefined
        ? style.headingLevel
        : paragraph.outlineLevel < BODY_TEXT_LEVEL
          ? paragraph.outlineLevel + 1
          : undefined;
    const marker = this.markerOf(paragraph);
    if (level !== undefined) {
      const number = marker === undefined || marker === BULLET ? '' : `${marker} `;
      return { kind: 'heading', level, text: tidy(`${number}${text}`) };
    }
    if (marker !== undefined) {
      const depth = paragraph.numberingLevel ?? style.numberingLevel ?? 0;
      return { kind: 'list-item', depth, marker, text };
    }
    return { kind: style.role === 'caption' ? 'caption' : 'paragraph', text };
  }

  private markerOf({ numberingId, numberingLevel, style }: Paragraph): string | undefined {
    const id = numberingId ?? style.numberingId;
    // 0 takes the numbering of the style away.
    if (id === undefined || id === '0') return undefined;
    return this.options.numbering.next(id, numberingLevel ?? style.numberingLevel ?? 0);
  }

  private closeTable(name: string): void {
    if (name === 'tc') {
      const { blocks } = this.flow;
      this.flows.pop();
      const isBold = blocks.length > 0 && blocks.every((block) => this.bold.has(block));
      this.tables.closeCell(blocks, isBold);
    } else if (name === 'tr') this.tables.closeRow();
    // The cell around it may go on after it.
    else if (name === 'tbl') {
      this.flow.blocks.push(...this.tables.close());
      if (this.tables.isOpen) return;
      this.flow.blocks.push(...this.waiting);
      this.waiting = [];
    }
  }
}
