import type { Block } from '../block.js';
import { type Cell, type SpannedRow, tableBlocks } from '../table-layout.js';
import { tidy, tidyLines } from '../tidy.js';

const MAX_LEVEL = 9;
/** The marker of an item that its program has written as text, before a tab. */
const TYPED_MARKER = /^\s*(\S{1,6})\t/;

interface ParagraphFormat {
  level: number | undefined;
  style: number;
  depth: number;
  isInTable: boolean;
  isHanging: boolean;
}

const PLAIN: ParagraphFormat = {
  level: undefined,
  style: 0,
  depth: 0,
  isInTable: false,
  isHanging: false,
};

/** Makes blocks of the paragraphs and table rows of an RTF file. */
export class RtfParagraphs {
  readonly blocks: Block[] = [];
  readonly bold = new Set<Block>();
  /** Of the styles of headings, by their numbers. */
  readonly styleLevels = new Map<number, number>();
  /** Of the item that is open. */
  marker = '';
  private text = '';
  private notes: Block[] = [];
  /** The places of pictures in the open paragraph, and of those in cells, which stand behind their table. */
  private places: Block[] = [];
  private placesInTable: Block[] = [];
  private hasPlainText = false;
  private hasBoldText = false;
  private format: ParagraphFormat = { ...PLAIN };
  private cellBlocks: Block[] = [];
  private cells: Cell[] = [];
  private rows: SpannedRow[] = [];

  append(text: string, isBold: boolean): void {
    this.text += text;
    if (text.trim() === '') return;
    if (isBold) this.hasBoldText = true;
    else this.hasPlainText = true;
  }

  /** A note stands behind the paragraph that refers to it. */
  addNote(text: string): void {
    if (text !== '') this.notes.push({ kind: 'note', text });
  }

  addPlace(place: Block): void {
    this.places.push(place);
  }

  control(word: string, parameter: number): void {
    const { format } = this;
    switch (word) {
      case 'pard':
        this.format = { ...PLAIN };
        break;
      case 's':
        format.style = parameter;
        break;
      case 'outlinelevel':
        if (parameter < MAX_LEVEL) format.level = parameter + 1;
        break;
      case 'ilvl':
        format.depth = Math.min(Math.max(parameter, 0), MAX_LEVEL);
        break;
      case 'fi':
        format.isHanging = parameter < 0;
        break;
      case 'intbl':
        format.isInTable = true;
        break;
      case 'par':
      case 'sect':
      case 'page':
        this.closeParagraph();
        break;
      case 'cell':
      case 'nestcell':
        this.closeCell();
        break;
      case 'row':
        this.rows.push({ cells: this.cells, isHeader: false });
        this.cells = [];
        break;
    }
  }

  finish(): void {
    this.closeParagraph();
    this.closeTable();
  }

  private closeParagraph(): void {
    const { format, text: raw, notes, places } = this;
    const isBold = this.hasBoldText && !this.hasPlainText;
    const block = this.blockOf(raw);
    this.text = this.marker = '';
    this.notes = [];
    this.places = [];
    this.hasBoldText = this.hasPlainText = false;
    if (!block && places.length === 0) return;
    if (!format.isInTable) this.closeTable();
    const into = format.isInTable ? this.cellBlocks : this.blocks;
    if (block) into.push(block, ...notes);
    (format.isInTable ? this.placesInTable : this.blocks).push(...places);
    if (isBold && block?.kind === 'paragraph') this.bold.add(block);
  }

  private blockOf(raw: string): Block | undefined {
    const { format } = this;
    const text = tidyLines(raw);
    if (text === '') return undefined;
    const level = format.level ?? this.styleLevels.get(format.style);
    const marker = tidy(this.marker);
    if (level !== undefined) return { kind: 'heading', level, text: tidy(`${marker} ${text}`) };
    const typed = format.isHanging ? TYPED_MARKER.exec(raw) : null;
    if (marker === '' && !typed) return { kind: 'paragraph', text };
    return {
      kind: 'list-item',
      depth: format.depth,
      marker: (marker || typed?.[1] || '').replace(/^[•·\uf0b7o▪§]$/, '–'),
      text: marker === '' && typed ? tidyLines(raw.slice(typed[0].length)) : text,
    };
  }

  private closeCell(): void {
    this.format.isInTable = true;
    this.closeParagraph();
    const blocks = this.cellBlocks;
    this.cellBlocks = [];
    const isHeader = blocks.length > 0 && blocks.every((block) => this.bold.has(block));
    this.cells.push({ blocks, colSpan: 1, rowSpan: 1, isHeader });
  }

  private closeTable(): void {
    if (this.rows.length > 0) this.blocks.push(...tableBlocks(this.rows));
    this.blocks.push(...this.placesInTable);
    this.rows = [];
    this.placesInTable = [];
  }
}
