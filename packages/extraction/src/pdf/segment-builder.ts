import {
  addAccent,
  type Box,
  type Char,
  splitAtGaps,
  isAccent,
  isOver,
  findUsualStyle,
  type Point,
  decodeCharacter,
  turnBox,
  writeChars,
} from './characters.js';
import { withoutMarks } from './footnote-marks.js';
import type { TextPosition } from '../characters/raised-text.js';
import type { Style } from './read-page.js';
import type { Segment } from './segment.js';

/** These limits are shares of the letter size. */
const SPACE = 0.18;
const COLUMN_GAP = 1.1;
const SAME_BASELINE = 0.3;
/** Subscripts and footnote marks belong to their line, although they are lower or higher. */
const SCRIPT_SHIFT = 0.55;
const LARGER = 1.15;
/** PDFium also finds spaces where letters are only kerned. */
const MIN_SPACE = 0.09;

const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]/u;
/** A combining mark, which PDFium returns before its letter. */
const SET_BACK = / (\p{M}+)(\p{L})/gu;
/** Matches a character of a symbol font at the start of a text, where it is a bullet. */
const SYMBOL_MARKER = /^[\uf020-\uf0ff] ?(?=\S)/u;
const SYMBOLS = /[\ue000-\uf8ff]/gu;
const LATIN = /[\p{sc=Latin}\p{N}]/u;
const LAM = 'ل';
const ALEF = /[اأإآٱ]/;
/** An accent may come after later letters; some programs put it after the whole line. */
const ACCENT_REACH = 400;
const SMALLER = 0.85;
/** A small letter counts as raised or lowered if it differs from its neighbours by this share of their size. */
const RAISED = 0.15;
const LOWERED = 0.06;
/** Matches the mark at the beginning of a note. */
const NOTE_MARK = /^[\d*†‡§]$/u;
const MAX_LINE_CHARS = 5000;

/** Joins the characters of a page, which come in logical order, into segments. */
export class SegmentBuilder {
  private readonly segments: Segment[][] = [[], [], [], []];
  private chars: Char[] = [];
  private style: Style | null = null;
  private y = 0;
  private hasSpace = false;
  private hasGeneratedSpace = false;
  private isRightToLeft = false;

  /** Adds a space or line end that PDFium inserted. */
  addGenerated(code: number): void {
    if (code === 0x20) this.hasGeneratedSpace = true;
  }

  add(code: number, box: Box, origin: Point, style: Style): void {
    const { left, right, y } = turnBox(box, origin, style.turns);
    const text = decodeCharacter(code);
    if (text === '') return;
    if (this.style && !this.isSameLine(y, style)) this.close();
    if (text.trim() === '') {
      this.hasSpace = true;
      return;
    }
    if (this.style === null) {
      this.style = style;
      this.y = y;
    } else if (style.size > this.style.size * LARGER && this.chars.length < 4) {
      // A line may begin with a small mark.
      const isMark = this.y > y && this.chars.every((char) => NOTE_MARK.test(char.text));
      if (isMark && /\p{L}/u.test(text)) {
        this.hasSpace = true;
        this.chars = this.chars.map((char) => ({ ...char, position: 'super' }));
      }
      this.style = style;
      this.y = y;
    }
    const char = { text, left, right, style, position: this.findPosition(y, style, this.style) };
    if (isAccent(char) && this.setOver(char)) return;
    const isRightToLeft = RIGHT_TO_LEFT.test(text);
    const before = this.chars.at(-1);
    if (before && !this.isRightToLeft && !isRightToLeft) {
      const gap = left - before.right;
      // A character far to the left begins a new segment.
      if (gap > COLUMN_GAP * this.style.size || gap < -2 * this.style.size) {
        const { y: line } = this;
        this.close();
        this.style = style;
        this.y = line;
      } else if (this.hasSpace || gap > this.getSpaceWidth(this.style)) this.space(left, style);
    } else if (before) {
      // Arabic may put a prefix before a Latin word, but no ending after one.
      const isBehindLatin = isRightToLeft && LATIN.test(before.text);
      if (this.hasSpace || this.hasGeneratedSpace || isBehindLatin) this.space(left, style);
    }
    this.hasSpace = false;
    this.hasGeneratedSpace = false;
    this.isRightToLeft ||= isRightToLeft;
    this.push(char);
    if (this.chars.length >= MAX_LINE_CHARS) this.close();
  }

  /** @returns the segments of the main direction, and those of each other direction separately */
  end(): Segment[][] {
    this.close();
    const letters = this.segments.map((segments) =>
      segments.reduce((sum, { text }) => sum + text.length, 0),
    );
    const main = letters.indexOf(Math.max(...letters));
    return [
      this.segments[main] ?? [],
      ...this.segments.filter((segments, turns) => turns !== main && segments.length > 0),
    ];
  }

  private isSameLine(y: number, { size, turns }: Style): boolean {
    if (this.style?.turns !== turns) return false;
    const isScript = size < this.style.size * SMALLER || this.style.size < size * SMALLER;
    const limit = isScript ? SCRIPT_SHIFT : SAME_BASELINE;
    return Math.abs(y - this.y) <= limit * Math.max(size, this.style.size);
  }

  private findPosition(y: number, { size }: Style, line: Style): TextPosition | undefined {
    if (size >= line.size * SMALLER) return undefined;
    if (y - this.y > RAISED * line.size) return 'super';
    return this.y - y > LOWERED * line.size ? 'sub' : undefined;
  }

  private getSpaceWidth({ size }: Style): number {
    return (this.hasGeneratedSpace ? MIN_SPACE : SPACE) * size;
  }

  private push(char: Char): void {
    const before = this.chars.at(-1);
    // PDFium splits the ligature of lam and alef in the wrong order; both have the box of the ligature.
    if (
      before &&
      char.text === LAM &&
      ALEF.test(before.text) &&
      before.left === char.left &&
      before.right === char.right
    ) {
      this.chars[this.chars.length - 1] = char;
      this.chars.push(before);
    } else if (before && isAccent(before) && isOver(before, char)) {
      this.chars[this.chars.length - 1] = addAccent(char, before);
    } else this.chars.push(char);
  }

  /** @returns false if no letter is below the accent */
  private setOver(accent: Char): boolean {
    const letter = this.chars.findLastIndex(
      (each, index) => index >= this.chars.length - ACCENT_REACH && isOver(accent, each),
    );
    const found = this.chars[letter];
    if (found) this.chars[letter] = addAccent(found, accent);
    return found !== undefined;
  }

  private space(at: number, style: Style): void {
    // Some programs place an accent next to its letter.
    const before = this.chars.at(-1);
    if (before && !isAccent(before) && before.text !== ' ')
      this.chars.push({ text: ' ', left: at, right: at, style });
  }

  private close(): void {
    const { chars, style, y, isRightToLeft } = this;
    if (style && chars.length > 0) {
      const pieces = isRightToLeft ? splitAtGaps(chars, COLUMN_GAP * 1.5 * style.size) : [chars];
      for (const piece of pieces) {
        const text = writeChars(withoutMarks(piece))
          .replace(SET_BACK, '$2$1')
          .replace(SYMBOL_MARKER, '• ')
          .replace(SYMBOLS, '')
          .trim();
        if (text === '') continue;
        this.segments[style.turns]?.push({
          text,
          left: piece.reduce((least, { left }) => Math.min(least, left), Infinity),
          right: piece.reduce((most, { right }) => Math.max(most, right), -Infinity),
          y,
          ...findUsualStyle(piece),
          rightToLeft: isRightToLeft,
          ...(style.turns > 0 && { turns: style.turns }),
        });
      }
    }
    this.chars = [];
    this.style = null;
    this.hasSpace = false;
    this.hasGeneratedSpace = false;
    this.isRightToLeft = false;
  }
}
