import type { Char } from './characters.js';

const MARK = /^(?:\d{1,3}(?:,\d{1,3})*|[*†‡§¶]+)$/u;
/** Shorter words may be units or variables, whose raised numbers are powers. */
const WORD_END =
  /(?:\p{L}{3}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2}|\p{L}[.,;:!?"'”’)\]»。，]{1,2})$/u;
const CONTEXT = 4;

/** The characters of a line without raised numbers that refer to notes. */
export function withoutMarks(chars: readonly Char[]): readonly Char[] {
  if (!chars.some(isRaised)) return chars;
  const kept: Char[] = [];
  for (let start = 0; start < chars.length;) {
    let end = start;
    while (chars[end]?.position === 'super') end++;
    const isMark =
      end > start &&
      MARK.test(joinChars(chars.slice(start, end))) &&
      WORD_END.test(joinChars(kept.slice(-CONTEXT)));
    end = Math.max(end, start + 1);
    if (!isMark) kept.push(...chars.slice(start, end));
    start = end;
  }
  return kept;
}

const isRaised = ({ position }: Char): boolean => position === 'super';
const joinChars = (chars: readonly Char[]): string => chars.map(({ text }) => text).join('');
