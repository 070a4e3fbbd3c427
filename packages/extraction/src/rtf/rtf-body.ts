import type { Block } from '../block.js';
import { type Cell, type SpannedRow, tableBlocks } from '../table-layout.js';
import { tidy, tidyLines } from '../tidy.js';
import { Unreadable } from '../unreadable.js';
import { decoderOf, encodingOfCharset, encodingOfCodePage } from './code-pages.js';
import { RTF_CHARACTERS, RTF_KEPT, RTF_LEFT_OUT } from './rtf-destinations.js';
import type { RtfToken } from './tokens.js';

const MAX_DEPTH = 1000;
const MAX_LEVEL = 9;
const HEADING_STYLE = /^(?:heading|überschrift|titre|título|titolo|kop) ?(\d)$|^(?:title|titel)$/i;
/** The marker of an item that its program has written as text, before a tab. */
const TYPED_MARKER = /^\s*(\S{1,6})\t/;

type Destination = 'text' | 'left out' | 'fonts' | 'styles' | 'marker';

interface Group {
  destination: Destination;
  isNote: boolean;
  isBold: boolean;
  isHidden: boolean;
  /** Characters that stand for a Unicode character where that cannot be shown. */
  substitutes: number;
  font: number;
}

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

/** Makes blocks of the tokens of an RTF file. */
export class RtfBody {
  readonly blocks: Block[] = [];
  readonly bold = new Set<Block>();
  private readonly groups: Group[] = [];
  private group: Group = {
    destination: 'text',
    isNote: false,
    isBold: false,
    isHidden: false,
    substitutes: 1,
    font: -1,
  };
  private encoding = 'windows-1252';
  private readonly fontEncodings = new Map<number, string>();
  private readonly styleLevels = new Map<number, number>();
  private styleNumber = 0;
  private styleName = '';
  private bytes = '';
  private skipped = 0;
  /** Whether the group is one that a program that does not know it leaves out. */
  private isOptional = false;
  private text = '';
  private marker = '';
  private note = '';
  private notes: Block[] = [];
  private hasPlainText = false;
  private hasBoldText = false;
  private format: ParagraphFormat = { ...PLAIN };
  private cellBlocks: Block[] = [];
  private cells: Cell[] = [];
  private rows: SpannedRow[] = [];

  add(token: RtfToken): void {
    if (token.kind === 'text') {
      this.addBytes(token.bytes);
      return;
    }
    this.flushBytes();
    if (token.kind === 'control') this.control(token.word, token.parameter);
    else if (token.kind === 'open') this.openGroup();
    else this.closeGroup();
  }

  finish(): void {
    this.flushBytes();
    this.closeParagraph();
    this.closeTable();
  }

  private openGroup(): void {
    if (this.groups.length >= MAX_DEPTH) {
      throw new Unreadable('parse_failed', 'The document is nested too deeply.');
    }
    this.groups.push(this.group);
    this.group = { ...this.group };
    this.skipped = 0;
  }

  private closeGroup(): void {
    const closed = this.group;
    this.group = this.groups.pop() ?? closed;
    this.skipped = 0;
    if (closed.destination === 'styles') this.closeStyle();
    if (closed.isNote && !this.group.isNote) {
      const text = tidy(this.note);
      if (text !== '') this.notes.push({ kind: 'note', text });
      this.note = '';
    }
  }

  private closeStyle(): void {
    const found = HEADING_STYLE.exec(tidy(this.styleName.replace(/;.*/s, '')));
    if (found) this.styleLevels.set(this.styleNumber, Number(found[1] ?? 1));
    this.styleName = '';
  }

  private control(word: string, parameter: number | undefined): void {
    if (word === '*') {
      this.isOptional = true;
      return;
    }
    const { isOptional, group } = this;
    this.isOptional = false;
    if (RTF_LEFT_OUT.has(word) || (isOptional && !RTF_KEPT.has(word)))
      group.destination = 'left out';
    if (group.destination === 'left out') return;
    const character = RTF_CHARACTERS[word];
    if (character !== undefined) this.append(character);
    else if (!this.characterControl(word, parameter)) this.paragraphControl(word, parameter);
  }

  /** @returns whether it is one that concerns characters and groups */
  private characterControl(word: string, parameter: number | undefined): boolean {
    const { group } = this;
    const isOn = parameter !== 0;
    switch (word) {
      case 'ansicpg':
        this.encoding = encodingOfCodePage(parameter ?? 1252);
        return true;
      case 'mac':
        this.encoding = 'macintosh';
        return true;
      case 'fonttbl':
        group.destination = 'fonts';
        return true;
      case 'stylesheet':
        group.destination = 'styles';
        return true;
      case 'listtext':
      case 'pntext':
        group.destination = 'marker';
        this.marker = '';
        return true;
      case 'footnote':
        group.isNote = true;
        return true;
      case 'f':
        group.font = parameter ?? -1;
        return true;
      case 'fcharset': {
        const encoding = encodingOfCharset(parameter ?? 0);
        if (encoding !== undefined) this.fontEncodings.set(group.font, encoding);
        return true;
      }
      case 'uc':
        group.substitutes = Math.min(Math.max(parameter ?? 1, 0), 10);
        return true;
      case 'u':
        this.append(String.fromCharCode((parameter ?? 0) & 0xffff));
        this.skipped = group.substitutes;
        return true;
      case 'b':
        group.isBold = isOn;
        return true;
      case 'v':
      case 'deleted':
        group.isHidden = isOn;
        return true;
      case 'plain':
        group.isBold = group.isHidden = false;
        return true;
      default:
        return false;
    }
  }

  private paragraphControl(word: string, parameter = 0): void {
    if (this.group.isNote) {
      if (word === 'par') this.append('\n');
      return;
    }
    const { format } = this;
    switch (word) {
      case 'pard':
        this.format = { ...PLAIN };
        break;
      case 's':
        if (this.group.destination === 'styles') this.styleNumber = parameter;
        else format.style = parameter;
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

  private addBytes(bytes: string): void {
    const skipped = Math.min(this.skipped, bytes.length);
    this.skipped -= skipped;
    this.bytes += skipped === 0 ? bytes : bytes.slice(skipped);
  }

  private flushBytes(): void {
    if (this.bytes === '') return;
    const decoder = decoderOf(this.fontEncodings.get(this.group.font) ?? this.encoding);
    const text = decoder.decode(Buffer.from(this.bytes, 'latin1'));
    this.bytes = '';
    this.append(text);
  }

  private append(text: string): void {
    const { destination, isNote, isHidden, isBold } = this.group;
    if (destination === 'styles') this.styleName += text;
    else if (destination === 'marker') this.marker += text;
    else if (isNote && destination === 'text' && !isHidden) this.note += text;
    if (destination !== 'text' || isHidden || isNote) return;
    this.text += text;
    if (text.trim() === '') return;
    if (isBold) this.hasBoldText = true;
    else this.hasPlainText = true;
  }

  private closeParagraph(): void {
    const { format, text: raw, notes } = this;
    const isBold = this.hasBoldText && !this.hasPlainText;
    const block = this.blockOf(raw);
    this.text = this.marker = '';
    this.notes = [];
    this.hasBoldText = this.hasPlainText = false;
    if (!block) return;
    if (!format.isInTable) this.closeTable();
    const into = format.isInTable ? this.cellBlocks : this.blocks;
    into.push(block, ...notes);
    if (isBold && block.kind === 'paragraph') this.bold.add(block);
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
    if (this.rows.length === 0) return;
    this.blocks.push(...tableBlocks(this.rows));
    this.rows = [];
  }
}
