/** Spreadsheets shorten numbers from here on, such as the EAN 4006381333931 to 4.00638E+12. */
const LONG = 1e11;
/** JavaScript shortens numbers from here on, too. */
const TOO_LONG = 1e21;
const SHORTENED = /-?\d{1,25}(?:[.,]\d{1,25})?E\+?\d{1,3}/i;
const WHOLE = /^-?\d+$/;

interface Shown {
  /** The text as displayed. */
  readonly text: string;
  /** The value as stored in the file. */
  readonly value: string;
  /** Whether the number format is the program's default. */
  readonly isGeneral: boolean;
}

/** Writes a long number as displayed, but with the digits that the display drops or rounds. */
export function withExactDigits({ text, value, isGeneral }: Shown): string {
  const number = Number(value);
  const size = Math.abs(number);
  if (!(size >= LONG && size < TOO_LONG)) return text;
  if (WHOLE.test(text)) {
    return WHOLE.test(value) && value.length === text.length ? value : text;
  }
  const shortened = SHORTENED.exec(text)?.[0];
  if (shortened === undefined) return text;
  const isExact = Number(shortened.replace(',', '.')) === number;
  return isExact && !isGeneral ? text : text.replace(shortened, roundDigits(value, number));
}

function roundDigits(value: string, number: number): string {
  if (WHOLE.test(value)) return value;
  // More than 15 digits of a fraction are rounding errors.
  return String(Number.isInteger(number) ? number : Number(number.toPrecision(15)));
}
