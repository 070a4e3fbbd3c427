/** From here on, spreadsheets show numbers in short, such as 4.00638E+12 for the EAN 4006381333931. */
const LONG = 1e11;
/** From here on, JavaScript writes them in short too. */
const TOO_LONG = 1e21;
const SHORTENED = /-?\d{1,25}(?:[.,]\d{1,25})?E\+?\d{1,3}/i;
const WHOLE = /^-?\d+$/;

interface Shown {
  /** As it is displayed. */
  readonly text: string;
  /** As it stands in the file. */
  readonly value: string;
  /** Whether the program chose the form, not the author. */
  readonly isGeneral: boolean;
}

/** A long number as it is displayed, but with all its digits where the display drops or rounds some of them. */
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
  // Of a fraction, more digits than 15 are an error of computing.
  return String(Number.isInteger(number) ? number : Number(number.toPrecision(15)));
}
