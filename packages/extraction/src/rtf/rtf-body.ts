import type { Block } from '../block.js';
import { raiseText, type TextPosition } from '../characters/raised-text.js';
import { isSymbolFont, readSymbols } from '../characters/symbol-fonts.js';
import { newPicturePlace } from '../recognition/picture-places.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';
import { createDecoder, findCharsetEncoding, toEncodingName } from './code-pages.js';
import { RTF_CHARACTERS, RTF_KEPT, RTF_LEFT_OUT, RTF_MARGINS } from './rtf-destinations.js';
import { RtfParagraphs } from './rtf-paragraphs.js';
import type { RtfToken } from './tokens.js';

const MAX_DEPTH = 1000;
const HEADING_STYLE = /^(?:heading|überschrift|titre|título|titolo|kop) ?(\d)$|^(?:title|titel)$/i;
type Destination = 'text' | 'left out' | 'fonts' | 'styles' | 'marker' | 'picture' | 'instruction';
/** Matches the instruction of a field that shows a page number or the number of pages. */
const PAGE_NUMBER = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i;

interface Group {
  destination: Destination;
  margin: 'headers' | 'footers' | undefined;
  isPageNumber: boolean;
  isNote: boolean;
  isBold: boolean;
  isHidden: boolean;
  isDeleted: boolean;
  /** The number of fallback characters after each Unicode character. */
  substitutes: number;
  font: number;
  position: TextPosition | undefined;
}

/** Turns the tokens of an RTF file into blocks, keeping track of groups, characters and styles. */
export class RtfBody {
  readonly text = new RtfParagraphs();
  readonly headers = new RtfParagraphs();
  readonly footers = new RtfParagraphs();
  /** Pictures as hexadecimal digits, by their placeholder blocks. */
  readonly pictures = new Map<Block, string>();
  private readonly groups: Group[] = [];
  private group: Group = {
    destination: 'text',
    margin: undefined,
    isPageNumber: false,
    isNote: false,
    isBold: false,
    isHidden: false,
    isDeleted: false,
    substitutes: 1,
    font: -1,
    position: undefined,
  };
  private encoding = 'windows-1252';
  private readonly fontEncodings = new Map<number, string>();
  private readonly fontNames = new Map<number, string>();
  private fontName = '';
  hasHiddenText = false;
  private styleNumber = 0;
  private styleName = '';
  private bytes = '';
  private skipped = 0;
  /** Whether the group may be skipped if it is unknown. */
  private isOptional = false;
  private note = '';
  private picture = '';
  private instruction = '';

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
    for (const part of [this.headers, this.text, this.footers]) part.finish();
  }

  private get paragraphs(): RtfParagraphs {
    return this[this.group.margin ?? 'text'];
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
    if (closed.destination === 'picture' && this.group.destination !== 'picture') {
      this.closePicture();
    }
    if (closed.destination === 'instruction' && this.group.destination !== 'instruction') {
      // The result of the field is in the same group.
      this.group.isPageNumber ||= PAGE_NUMBER.test(this.instruction);
      this.instruction = '';
    }
    if (closed.margin && !this.group.margin) this[closed.margin].finish();
    if (closed.isNote && !this.group.isNote) {
      this.paragraphs.addNote(tidy(this.note));
      this.note = '';
    }
  }

  private closePicture(): void {
    const place = newPicturePlace();
    this.pictures.set(place, this.picture);
    this.paragraphs.addPlace(place);
    this.picture = '';
  }

  private closeStyle(): void {
    const found = HEADING_STYLE.exec(tidy(this.styleName.replace(/;.*/s, '')));
    if (found) this.paragraphs.styleLevels.set(this.styleNumber, Number(found[1] ?? 1));
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
    const margin = RTF_MARGINS.get(word);
    if (margin) {
      group.margin = margin;
      return;
    }
    const character = RTF_CHARACTERS[word];
    if (character !== undefined) this.append(character);
    else if (!this.characterControl(word, parameter)) this.paragraphControl(word, parameter);
  }

  /** @returns whether the control concerns characters or groups */
  private characterControl(word: string, parameter: number | undefined): boolean {
    const { group } = this;
    const isOn = parameter !== 0;
    switch (word) {
      case 'fldinst':
        group.destination = 'instruction';
        return true;
      case 'chpgn':
        this.paragraphs.addPageNumber();
        return true;
      case 'ansicpg':
        this.encoding = toEncodingName(parameter ?? 1252);
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
      case 'pict':
        group.destination = 'picture';
        return true;
      case 'listtext':
      case 'pntext':
        group.destination = 'marker';
        this.paragraphs.marker = '';
        return true;
      case 'footnote':
        group.isNote = true;
        return true;
      case 'f':
        group.font = parameter ?? -1;
        return true;
      case 'fcharset': {
        const encoding = findCharsetEncoding(parameter ?? 0);
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
        group.isHidden = isOn;
        return true;
      case 'deleted':
        group.isDeleted = isOn;
        return true;
      case 'plain':
        group.isBold = group.isHidden = group.isDeleted = false;
        group.position = undefined;
        return true;
      case 'super':
      case 'sub':
        group.position = isOn ? word : undefined;
        return true;
      case 'up':
      case 'dn':
        group.position = parameter === 0 ? undefined : word === 'up' ? 'super' : 'sub';
        return true;
      case 'nosupersub':
        group.position = undefined;
        return true;
      default:
        return false;
    }
  }

  private paragraphControl(word: string, parameter = 0): void {
    const { isNote, isHidden, isDeleted, destination } = this.group;
    if (isNote) {
      if (word === 'par') this.append('\n');
      // A paragraph whose end is hidden or deleted continues.
    } else if (word === 'par' && (isHidden || isDeleted)) return;
    else if (word === 's' && destination === 'styles') this.styleNumber = parameter;
    else this.paragraphs.control(word, parameter);
  }

  private addBytes(bytes: string): void {
    const skipped = Math.min(this.skipped, bytes.length);
    this.skipped -= skipped;
    this.bytes += skipped === 0 ? bytes : bytes.slice(skipped);
  }

  private flushBytes(): void {
    if (this.bytes === '') return;
    if (this.group.destination === 'picture') {
      this.picture += this.bytes;
      this.bytes = '';
      return;
    }
    const text = isSymbolFont(this.font)
      ? // Their codes are no letters of any code page.
        this.bytes
      : createDecoder(this.fontEncodings.get(this.group.font) ?? this.encoding).decode(
          Buffer.from(this.bytes, 'latin1'),
        );
    this.bytes = '';
    this.append(text);
  }

  private get font(): string | undefined {
    const { destination, font } = this.group;
    return destination === 'fonts' || destination === 'styles'
      ? undefined
      : this.fontNames.get(font);
  }

  /** Names of fonts end with a semicolon. */
  private addFontName(text: string): void {
    this.fontName += text;
    const end = this.fontName.indexOf(';');
    if (end === -1) return;
    this.fontNames.set(this.group.font, this.fontName.slice(0, end).trim());
    this.fontName = '';
  }

  private append(text: string): void {
    const { destination, isNote, isHidden, isDeleted, isBold, position, margin } = this.group;
    const shown = raiseText(readSymbols(text, this.font), position);
    if (destination === 'fonts') this.addFontName(text);
    else if (destination === 'styles') this.styleName += text;
    else if (destination === 'instruction') this.instruction += text;
    else if (destination === 'marker') this.paragraphs.marker += shown;
    if (destination !== 'text' || isDeleted) return;
    if (isHidden) this.hasHiddenText ||= text.trim() !== '';
    else if (isNote) this.note += shown;
    else if (margin && this.group.isPageNumber) this.paragraphs.addPageNumber();
    else this.paragraphs.append(shown, isBold);
  }
}
