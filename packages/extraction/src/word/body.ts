import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { OfficeFormula } from '../formulas/office-formula.js';
import { appendCode } from '../append-code.js';
import { isMonospaced } from '../code-by-font.js';
import { readSymbols } from '../characters/symbol-fonts.js';
import { newPicturePlace } from '../recognition/picture-places.js';
import { tidy, tidyLines } from '../tidy.js';
import { CheckBoxes } from './check-boxes.js';
import { DOCX_LEFT_OUT } from './left-out.js';
import { BULLET, type ListNumbering } from './numbering.js';
import { Fields } from './fields.js';
import { isOn } from './properties.js';
import { characterProperty, RunFormat } from './run-format.js';
import type { ParagraphStyle } from './styles.js';
import { OpenTables } from './tables.js';

const BODY_TEXT_LEVEL = 9;
const HYPHEN = '-';

/** A container for blocks: the body, a cell, a text box or a note. */
interface Flow {
  readonly blocks: Block[];
  paragraph?: Paragraph;
  /** A paragraph whose end was deleted: the next one continues it. */
  unended?: Paragraph;
}

interface Paragraph {
  text: string;
  style: ParagraphStyle;
  numberingId?: string;
  numberingLevel?: number;
  outlineLevel?: number;
  /** Blocks anchored in the paragraph: text boxes and notes. */
  readonly inside: Block[];
  hasPlainText: boolean;
  hasBoldText: boolean;
  /** Whether the paragraph has text in a monospaced font, and in others. */
  hasMonospaced: boolean;
  hasProportional: boolean;
  hasPageNumber: boolean;
  isEndDeleted: boolean;
}

/** A reference to a part of the file whose text belongs here. */
export interface PartHere {
  readonly what: 'chart' | 'SmartArt' | 'embedded chunk';
  readonly relationship: string;
}

interface BodyOptions {
  readonly styles: ReadonlyMap<string, ParagraphStyle>;
  readonly numbering: ListNumbering;
  /** Footnotes and endnotes, by their kind (`footnote` or `endnote`) and id. */
  readonly notes: ReadonlyMap<string, string>;
}

/** Reads the elements of WordprocessingML into blocks. */
export class WordBody implements XmlHandler {
  readonly blocks: Block[] = [];
  readonly bold = new Set<Block>();
  private readonly flows: Flow[] = [{ blocks: this.blocks }];
  private readonly tables = new OpenTables();
  /** The relationships of pictures, by their placeholder blocks. */
  readonly pictures = new Map<Block, string>();
  /** Placeholders of pictures in cells, which are put behind the table. */
  private waiting: Block[] = [];
  /** Charts and the like, by their placeholder blocks. */
  readonly parts = new Map<Block, PartHere>();
  /** The text of paragraphs in a monospaced font, with its spaces. */
  readonly monospaced = new Map<Block, string>();
  /** Blocks that were displayed with a page number. */
  readonly numbered = new Set<Block>();
  hasHiddenText = false;
  private readonly checkBoxes = new CheckBoxes();
  private readonly fields = new Fields();
  private run = new RunFormat();
  private formula: OfficeFormula | undefined;
  private leftOut = 0;
  private isText = false;
  private isFieldCode = false;
  private inParagraphProperties = false;
  private contentsDepth = 0;
  private controls: boolean[] = [];

  constructor(private readonly options: BodyOptions) {}

  open(name: string, attributes: Attributes): void {
    if (this.leftOut > 0 || DOCX_LEFT_OUT.has(name)) this.leaveOut(name);
    else if (this.formula) this.formula.open(name, attributes);
    else if (name === 'tc') {
      this.tables.openCell();
      this.flows.push({ blocks: [] });
    } else {
      if (name === 'tbl') this.endParagraph();
      if (!this.tables.open(name, attributes)) this.openInline(name, attributes);
    }
  }

  text(text: string): void {
    const { paragraph } = this.flow;
    if (this.isFieldCode) this.fields.addCode(text);
    if (this.leftOut === 0) this.formula?.text(text);
    if (!this.isText || this.leftOut > 0 || !paragraph) return;
    if (this.fields.isPageNumber) {
      paragraph.hasPageNumber = true;
      return;
    }
    const isBlank = text.trim() === '';
    if (this.run.isHidden(paragraph.style)) {
      this.hasHiddenText ||= !isBlank;
      return;
    }
    paragraph.text += this.run.write(this.checkBoxes.replaceText(text), paragraph.style);
    if (isBlank) return;
    if (this.run.isBold) paragraph.hasBoldText = true;
    else paragraph.hasPlainText = true;
    if (isMonospaced(this.run.getFont(paragraph.style))) paragraph.hasMonospaced = true;
    else paragraph.hasProportional = true;
  }

  close(name: string): void {
    if (this.leftOut > 0) {
      if (--this.leftOut === 0) this.isFieldCode = false;
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
    else if (name === 'fldSimple') this.fields.end();
    else if (name === 'body') this.endParagraph();
    else if (name === 'pPr') this.inParagraphProperties = false;
    else if (name === 'p') this.closeParagraph();
    else if (name === 'txbxContent') this.closeTextBox();
    else if (name === 'sdt') this.contentsDepth -= this.controls.pop() ? 1 : 0;
    else this.closeTable(name);
  }

  private leaveOut(name: string): void {
    if (this.leftOut === 0) {
      this.isFieldCode = name === 'instrText';
      // Inside the properties of a paragraph, this means that its end was deleted.
      const { paragraph } = this.flow;
      const isEnd = this.inParagraphProperties && (name === 'del' || name === 'moveFrom');
      if (isEnd && paragraph) paragraph.isEndDeleted = true;
    }
    this.leftOut++;
  }

  private get flow(): Flow {
    return this.flows[this.flows.length - 1] ?? { blocks: this.blocks };
  }

  private openInline(name: string, attributes: Attributes): void {
    const value = attribute(attributes, 'val');
    const { paragraph } = this.flow;
    this.checkBoxes.open(name, value);
    if (this.fields.open(name, attributes)) {
      if (attribute(attributes, 'fldCharType') === 'end') this.append(this.fields.end());
      return;
    }
    switch (name) {
      case 'p':
        this.openParagraph();
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
        this.run = new RunFormat();
        break;
      case 'rStyle':
        if (!this.inParagraphProperties)
          this.run.setStyle(this.options.styles.get(value ?? '') ?? {});
        break;
      case 'vanish':
      case 'rFonts':
      case 'vertAlign':
        if (!this.inParagraphProperties) this.run.add(characterProperty(name, attributes));
        break;
      case 'b':
        if (!this.inParagraphProperties) this.run.isBold = isOn(value);
        break;
      case 't':
        this.isText = true;
        break;
      case 'tab':
      case 'ptab':
        if (!this.inParagraphProperties) this.append('\t');
        break;
      case 'br':
      case 'cr':
        this.append('\n');
        break;
      case 'sym':
        this.append(this.checkBoxes.replaceText(readSymbol(attributes)));
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
      case 'chart':
        this.addPart('chart', attribute(attributes, 'id'));
        break;
      case 'relIds':
        this.addPart('SmartArt', attribute(attributes, 'dm'));
        break;
      case 'altChunk':
        this.addPart('embedded chunk', attribute(attributes, 'id'));
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
    if (paragraph && !this.run.isHidden(paragraph.style)) paragraph.text += text;
  }

  /** Marks a content control that contains the table of contents. */
  private markContents(gallery: string | undefined): void {
    if (gallery !== 'Table of Contents' || this.controls.length === 0) return;
    this.controls[this.controls.length - 1] = true;
    this.contentsDepth++;
  }

  private addPicture(relationship: string | undefined): void {
    if (relationship === undefined) return;
    this.pictures.set(this.addPlace(), relationship);
  }

  private addPart(what: PartHere['what'], relationship: string | undefined): void {
    if (relationship === undefined) return;
    if (what === 'embedded chunk') this.endParagraph();
    this.parts.set(this.addPlace(), { what, relationship });
  }

  private addPlace(): Block {
    const place = newPicturePlace();
    if (this.tables.isOpen) this.waiting.push(place);
    else (this.flow.paragraph?.inside ?? this.flow.blocks).push(place);
    return place;
  }

  private addNote(key: string): void {
    const text = this.options.notes.get(key);
    if (text) this.flow.paragraph?.inside.push({ kind: 'note', text });
  }

  private openParagraph(): void {
    const { flow } = this;
    const before: Partial<Paragraph> = flow.unended ?? {};
    delete flow.unended;
    flow.paragraph = {
      text: before.text ?? '',
      style: {},
      inside: before.inside ?? [],
      hasPlainText: before.hasPlainText ?? false,
      hasBoldText: before.hasBoldText ?? false,
      hasMonospaced: before.hasMonospaced ?? false,
      hasProportional: before.hasProportional ?? false,
      hasPageNumber: before.hasPageNumber ?? false,
      isEndDeleted: false,
    };
  }

  /** Ends a paragraph whose end was deleted if no other follows. */
  private endParagraph(): void {
    const { flow } = this;
    if (!flow.unended || flow.paragraph) return;
    flow.paragraph = { ...flow.unended, isEndDeleted: false };
    delete flow.unended;
    this.closeParagraph();
  }

  private closeTextBox(): void {
    this.endParagraph();
    const { blocks } = this.flow;
    this.flows.pop();
    // A text box outside of paragraphs has no paragraph to belong to.
    (this.flow.paragraph?.inside ?? this.flow.blocks).push(...blocks);
  }

  private closeParagraph(): void {
    const { flow } = this;
    const { paragraph } = flow;
    if (!paragraph) return;
    delete flow.paragraph;
    if (paragraph.isEndDeleted) {
      flow.unended = paragraph;
      return;
    }
    if (this.contentsDepth > 0 || paragraph.style.role === 'contents') return;
    const block = this.toBlock(paragraph, flow.blocks);
    if (block) {
      flow.blocks.push(block);
      if (paragraph.hasBoldText && !paragraph.hasPlainText) this.bold.add(block);
      if (paragraph.hasPageNumber) this.numbered.add(block);
      if (block.kind === 'paragraph' && paragraph.hasMonospaced && !paragraph.hasProportional)
        this.monospaced.set(block, paragraph.text);
    }
    for (const inside of paragraph.inside) flow.blocks.push(inside);
  }

  private toBlock(paragraph: Paragraph, blocks: Block[]): Block | undefined {
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
    const marker = this.takeMarker(paragraph);
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

  private takeMarker({ numberingId, numberingLevel, style }: Paragraph): string | undefined {
    const id = numberingId ?? style.numberingId;
    // 0 removes the numbering of the style.
    if (id === undefined || id === '0') return undefined;
    return this.options.numbering.takeMarker(id, numberingLevel ?? style.numberingLevel ?? 0);
  }

  private closeTable(name: string): void {
    if (name === 'tc') {
      this.endParagraph();
      const { blocks } = this.flow;
      this.flows.pop();
      const isBold = blocks.length > 0 && blocks.every((block) => this.bold.has(block));
      this.tables.closeCell(blocks, isBold);
    } else if (name === 'tr') this.tables.closeRow();
    // The surrounding cell may continue after the table.
    else if (name === 'tbl') {
      this.flow.blocks.push(...this.tables.close());
      if (this.tables.isOpen) return;
      this.flow.blocks.push(...this.waiting);
      this.waiting = [];
    }
  }
}

/** Reads the character of a `sym` element: a code of its font, or of Unicode. */
function readSymbol(attributes: Attributes): string {
  const code = parseInt(attribute(attributes, 'char') ?? '', 16);
  if (!(code > 0 && code <= 0xffff)) return '';
  return readSymbols(String.fromCharCode(code), attribute(attributes, 'font'));
}
