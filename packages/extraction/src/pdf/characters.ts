import { raiseText, type TextPosition, writeRaised } from '../characters/raised-text.js';
import type { Style } from './read-page.js';

/** A rectangle in points, measured from the lower left corner of the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Char {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly style: Style;
  /** Set for a small character above or below the baseline. */
  readonly position?: TextPosition | undefined;
}

const NEARLY_ALL = 0.9;
/** PDFium's sign for a hyphen at the end of a line. */
const LINE_HYPHENS = new Set([0x02, 0xfffe]);
/** Spacing accents, which some programs set over a letter, with their combining forms. */
const ACCENTS = new Map([
  ['`', '\u0300'],
  ['´', '\u0301'],
  ['ˆ', '\u0302'],
  ['˜', '\u0303'],
  ['¯', '\u0304'],
  ['˘', '\u0306'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['˚', '\u030a'],
  ['˝', '\u030b'],
  ['ˇ', '\u030c'],
  ['¸', '\u0327'],
]);
/** The size of most characters; bold or monospaced if nearly all of them are. */
export function findUsualStyle(
  chars: readonly Char[],
): Pick<Style, 'size' | 'bold' | 'monospaced'> {
  const counts = new Map<number, number>();
  let size = 0;
  let bold = 0;
  let monospaced = 0;
  for (const { style } of chars) {
    const count = (counts.get(style.size) ?? 0) + 1;
    counts.set(style.size, count);
    if (count > (counts.get(size) ?? 0)) size = style.size;
    if (style.bold) bold++;
    if (style.monospaced) monospaced++;
  }
  const most = chars.length * NEARLY_ALL;
  return { size, bold: bold >= most, monospaced: monospaced >= most };
}

/** Writes characters as text, with raised and lowered ones as Unicode has them. */
export function writeChars(chars: readonly Char[]): string {
  let text = '';
  let part = '';
  for (const [index, char] of chars.entries()) {
    part += char.text;
    if (chars[index + 1]?.position === char.position && index < chars.length - 1) continue;
    text += raiseText(part, char.position);
    part = '';
  }
  return writeRaised(text);
}

export const isAccent = ({ text }: Char): boolean => ACCENTS.has(text);

/** Whether an accent is in the middle of a letter. */
export const isOver = (accent: Char, letter: Char): boolean => {
  const middle = (accent.left + accent.right) / 2;
  return /\p{L}/u.test(letter.text) && middle > letter.left && middle < letter.right;
};

export const addAccent = (letter: Char, accent: Char): Char => ({
  ...letter,
  text: (letter.text + (ACCENTS.get(accent.text) ?? '')).normalize('NFC'),
});

/** Cuts a line at wide gaps. The characters need not be in the order of their positions. */
export function splitAtGaps(chars: readonly Char[], gap: number): Char[][] {
  const visible = chars
    .map((char, index) => ({ ...char, index }))
    .filter(({ text }) => text !== ' ')
    .sort((one, other) => one.left - other.left);
  const clusterByIndex = new Map<number, number>();
  let cluster = 0;
  let end = visible[0]?.right ?? 0;
  for (const { left, right, index } of visible) {
    if (left - end > gap) cluster++;
    end = Math.max(end, right);
    clusterByIndex.set(index, cluster);
  }
  const found: Char[][] = Array.from({ length: cluster + 1 }, () => []);
  let current = 0;
  for (const [index, char] of chars.entries()) {
    current = clusterByIndex.get(index) ?? current;
    found[current]?.push(char);
  }
  return found;
}

export function decodeCharacter(code: number): string {
  if (LINE_HYPHENS.has(code)) return '-';
  if (code === 0xa0 || code === 0x09) return ' ';
  if (code < 0x20 || code === 0xfffd || code > 0x10ffff)
    return code === 0x0a || code === 0x0d ? ' ' : '';
  // Half of a pair: PDFium gives UTF-16 on some systems.
  return String.fromCodePoint(code);
}

export function turnBox({ left, top, right, bottom }: Box, { x, y }: Point, turns: number) {
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
