/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe before it: people whom
 * nobody vouches for choose names.
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join()}\r\n`).join('');

function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
