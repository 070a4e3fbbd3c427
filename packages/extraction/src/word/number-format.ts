/** The number format of a list; all others are written as decimal numbers. */
export type NumberFormat =
  | 'decimal'
  | 'decimalZero'
  | 'lowerLetter'
  | 'upperLetter'
  | 'lowerRoman'
  | 'upperRoman'
  | 'bullet'
  | 'none';

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const MAX_ROMAN = 3999;
const LETTERS = 26;
/** Word repeats the letter: z, aa, bb. No real list has larger numbers. */
const MAX_LETTER = 10 * LETTERS;

export function formatNumber(number: number, format: NumberFormat): string {
  switch (format) {
    case 'lowerLetter':
      return toLetter(number);
    case 'upperLetter':
      return toLetter(number).toUpperCase();
    case 'lowerRoman':
      return toRoman(number);
    case 'upperRoman':
      return toRoman(number).toUpperCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    default:
      return String(number);
  }
}

function toLetter(number: number): string {
  if (number < 1 || number > MAX_LETTER) return String(number);
  const char = String.fromCharCode(0x61 + ((number - 1) % LETTERS));
  return char.repeat(Math.ceil(number / LETTERS));
}

function toRoman(number: number): string {
  if (number < 1 || number > MAX_ROMAN) return String(number);
  let rest = number;
  let text = '';
  for (const [value, digits] of ROMAN) {
    for (; rest >= value; rest -= value) text += digits;
  }
  return text;
}
