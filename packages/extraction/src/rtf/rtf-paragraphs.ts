import type { Block } from '../block.js';
import { tidy, tidyLines } from '../tidy.js';
import { RtfTable } from './rtf-table.js';

const MAX_LEVEL = 9;
/** Matches a list marker that the program wrote as text before a tab. */
const TYPED_MARKER = /^\s*(\S{1,6})\t/;

interface ParagraphFormat {
  level: number | undefined;
  style: number;
  depth: number;
  isInTable: boolean;
  /** Whether the paragraph is in a table within a cell. */
  isNested: boolean;
  isHanging: boolean;
}

const PLAIN: ParagraphFormat = {
  level: undefined,
  style: 0,
  depth: 0,
  isInTable: false,
  isNested: false,
  isHanging: false,
};

/** Turns the paragraphs and table rows of an RTF file into blocks. */
export class RtfParagraphs {
  readonly blocks: Block[] = [];
  readonly bold = new Set<Block>();
  /** The indexes in `blocks` of blocks that were displayed with a page number. */
  private readonly numberedPlaces = new Set<number>();
  /** The levels of heading styles, by the number of the style. */
  readonly styleLevels = new Map<number, number>();
  /** The marker of the open list item. */
  marker = '';
  private text = '';
  private notes: Block[] = [];
  /** Placeholders of pictures in the open paragraph, and of those in cells, which are put behind the table. */
  private places: Block[] = [];
  private placesInTable: Block[] = [];
  private hasPlainText = false;
  private hasBoldText = false;
  private format: ParagraphFormat = { ...PLAIN };
  private cellBlocks: Block[] = [];
  private nestedBlocks: Block[] = [];
  private table = new RtfTable();
  /** The table within the open cell; deeper tables are merged into it. */
  private nested = new RtfTable();

  append(text: string, isBold: boolean): void {
    this.text += text;
    if (text.trim() === '') return;
    if (isBold) this.hasBoldText = true;
    else this.hasPlainText = true;
  }

  /** Puts a note behind the paragraph that refers to it. */
  addNote(text: string): void {
    if (text !== '') this.notes.push({ kind: 'note', text });
  }

  /** Leaves out the page number itself, which differs from page to page. */
  addPageNumber(): void {
    this.numberedPlaces.add(this.blocks.length);
  }

  get numbered(): Set<Block> {
    return new Set([...this.numberedPlaces].flatMap((place) => this.blocks[place] ?? []));
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
      case 'itap':
        format.isNested = parameter > 1;
        break;
      case 'par':
      case 'sect':
      case 'page':
        this.closeParagraph();
        break;
      case 'cell':
        this.closeCell();
        break;
      case 'nestcell':
        this.closeNestedCell();
        break;
      case 'row':
        this.table.closeRow();
        break;
      case 'nestrow':
        this.nested.closeNestedRow(this.table.endNestedProperties());
        break;
      default:
        this.table.define(word, parameter);
    }
  }

  finish(): void {
    this.closeParagraph();
    this.closeTable();
  }

  private closeParagraph(): void {
    const { format, text: raw, notes, places } = this;
    const isBold = this.hasBoldText && !this.hasPlainText;
    const block = this.toBlock(raw);
    this.text = this.marker = '';
    this.notes = [];
    this.places = [];
    this.hasBoldText = this.hasPlainText = false;
    if (!block && places.length === 0) return;
    if (!format.isInTable) this.closeTable();
    else if (!format.isNested) this.closeNested();
    const into = !format.isInTable
      ? this.blocks
      : format.isNested
        ? this.nestedBlocks
        : this.cellBlocks;
    if (block) into.push(block, ...notes);
    (format.isInTable ? this.placesInTable : this.blocks).push(...places);
    if (isBold && block?.kind === 'paragraph') this.bold.add(block);
  }

  private toBlock(raw: string): Block | undefined {
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
    Object.assign(this.format, { isInTable: true, isNested: false });
    this.closeParagraph();
    this.closeNested();
    this.table.addCell(this.cellBlocks, this.areBold(this.cellBlocks));
    this.cellBlocks = [];
  }

  private closeNestedCell(): void {
    Object.assign(this.format, { isInTable: true, isNested: true });
    this.closeParagraph();
    this.nested.addCell(this.nestedBlocks, this.areBold(this.nestedBlocks));
    this.nestedBlocks = [];
  }

  private areBold(blocks: readonly Block[]): boolean {
    return blocks.length > 0 && blocks.every((block) => this.bold.has(block));
  }

  private closeNested(): void {
    if (this.nested.isEmpty) return;
    this.cellBlocks.push(...this.nested.toBlocks());
    this.nested = new RtfTable();
  }

  private closeTable(): void {
    this.blocks.push(...this.table.toBlocks(), ...this.placesInTable);
    this.table = new RtfTable();
    this.placesInTable = [];
  }
}
