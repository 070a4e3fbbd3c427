import type { Style } from './read-page.js';
import type { Segment } from './segment.js';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Char {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly style: Style;
}

/** As shares of the size of the letters. */
const SPACE = 0.18;
const COLUMN_GAP = 1.1;
const SAME_BASELINE = 0.3;
/** Subscripts and footnote marks stay in their line. */
const SCRIPT_SHIFT = 0.55;
const LARGER = 1.15;

const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]/u;
const LAM = 'ل';
const ALEF = /[اأإآٱ]/;
/** PDFium's sign for a hyphen at the end of a line. */
const LINE_HYPHENS = new Set([0x02, 0xfffe]);
const MAX_LINE_CHARS = 5000;

/** Joins the characters of a page, which come in logical order, into segments. */
export class SegmentBuilder {
  private readonly segments: Segment[][] = [[], [], [], []];
  private chars: Char[] = [];
  private style: Style | null = null;
  private y = 0;
  private hasSpace = false;
  private isRightToLeft = false;

  /** A space or a line end that PDFium found. */
  addGenerated(code: number): void {
    if (code === 0x20) this.hasSpace = true;
  }

  add(code: number, box: Box, origin: Point, style: Style): void {
    const { left, right, y } = turned(box, origin, style.turns);
    const text = textOf(code);
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
      this.style = style;
      this.y = y;
    }
    const isRightToLeft = RIGHT_TO_LEFT.test(text);
    const before = this.chars.at(-1);
    if (before && !this.isRightToLeft && !isRightToLeft) {
      const gap = left - before.right;
      // What stands far to the left of it is no continuation.
      if (gap > COLUMN_GAP * this.style.size || gap < -2 * this.style.size) {
        const { y: line } = this;
        this.close();
        this.style = style;
        this.y = line;
      } else if (this.hasSpace || gap > SPACE * this.style.size) this.space(left, style);
    } else if (before && this.hasSpace) this.space(left, style);
    this.hasSpace = false;
    this.isRightToLeft ||= isRightToLeft;
    this.push({ text, left, right, style });
    if (this.chars.length >= MAX_LINE_CHARS) this.close();
  }

  /** @returns the segments of the main direction, and of the turned ones each for itself */
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
    const isScript = size < this.style.size * 0.85 || this.style.size < size * 0.85;
    const limit = isScript ? SCRIPT_SHIFT : SAME_BASELINE;
    return Math.abs(y - this.y) <= limit * Math.max(size, this.style.size);
  }

  private push(char: Char): void {
    const before = this.chars.at(-1);
    // PDFium takes the ligature of lam and alef apart in the wrong order: both have its box.
    if (
      before &&
      char.text === LAM &&
      ALEF.test(before.text) &&
      before.left === char.left &&
      before.right === char.right
    ) {
      this.chars[this.chars.length - 1] = char;
      this.chars.push(before);
    } else this.chars.push(char);
  }

  private space(at: number, style: Style): void {
    if (this.chars.at(-1)?.text !== ' ') this.chars.push({ text: ' ', left: at, right: at, style });
  }

  private close(): void {
    const { chars, style, y, isRightToLeft } = this;
    if (style && chars.length > 0) {
      const pieces = isRightToLeft ? clusters(chars, COLUMN_GAP * 1.5 * style.size) : [chars];
      for (const piece of pieces) {
        const text = piece
          .map((char) => char.text)
          .join('')
          .trim();
        if (text === '') continue;
        this.segments[style.turns]?.push({
          text,
          left: piece.reduce((least, { left }) => Math.min(least, left), Infinity),
          right: piece.reduce((most, { right }) => Math.max(most, right), -Infinity),
          y,
          ...lookOf(piece),
          rightToLeft: isRightToLeft,
        });
      }
    }
    this.chars = [];
    this.style = null;
    this.hasSpace = false;
    this.isRightToLeft = false;
  }
}

/** The style of most characters. */
function lookOf(chars: readonly Char[]): Pick<Style, 'size' | 'bold' | 'monospaced'> {
  const counts = new Map<Style, number>();
  let main: Style | undefined;
  for (const { style } of chars) {
    const count = (counts.get(style) ?? 0) + 1;
    counts.set(style, count);
    if (!main || count > (counts.get(main) ?? 0)) main = style;
  }
  const { size = 0, bold = false, monospaced = false } = main ?? {};
  return { size, bold, monospaced };
}

/** Cuts a line at wide gaps. The order of its characters is not that of their places. */
function clusters(chars: readonly Char[], gap: number): Char[][] {
  const visible = chars
    .map((char, index) => ({ ...char, index }))
    .filter(({ text }) => text !== ' ')
    .sort((one, other) => one.left - other.left);
  const clusterOf = new Map<number, number>();
  let cluster = 0;
  let end = visible[0]?.right ?? 0;
  for (const { left, right, index } of visible) {
    if (left - end > gap) cluster++;
    end = Math.max(end, right);
    clusterOf.set(index, cluster);
  }
  const found: Char[][] = Array.from({ length: cluster + 1 }, () => []);
  let current = 0;
  for (const [index, char] of chars.entries()) {
    current = clusterOf.get(index) ?? current;
    found[current]?.push(char);
  }
  return found;
}

function textOf(code: number): string {
  if (LINE_HYPHENS.has(code)) return '-';
  if (code === 0xa0 || code === 0x09) return ' ';
  if (code < 0x20 || code === 0xfffd || code > 0x10ffff)
    return code === 0x0a || code === 0x0d ? ' ' : '';
  // Half of a pair: PDFium gives UTF-16 on some systems.
  return String.fromCodePoint(code);
}

function turned({ left, top, right, bottom }: Box, { x, y }: Point, turns: number) {
  switch (turns) {
    case 1:
      return { left: bottom, right: top, y: -x };
    case 2:
      return { left: -right, right: -left, y: -y };
    case 3:
      return { left: -top, right: -bottom, y: x };
    default:
      return { left, right, y };
  }
}
