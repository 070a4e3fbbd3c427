/** With which a spreadsheet begins a formula, some also in full width and in small forms. */
const OPENERS = '=+\\-@＝＋－＠﹦﹢﹣﹫−';
/** Spaces, marks that are not seen, and quotation marks may stand before it. */
const FIRST = new RegExp(`^(?:[\\s\\p{C}"]*[${OPENERS}]|[\\t\\r])`, 'u');
/** The same behind what other spreadsheets take for the end of a cell, within quotation marks too. */
const LATER = new RegExp(`([;\\t\\r\\n])([\\p{Zs}\\p{Cf}"]*[${OPENERS}])`, 'gu');

/**
 * RFC 4180. What a spreadsheet would take for a formula gets an apostrophe before it, by whatever character
 * it parts cells: people whom nobody vouches for choose names.
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join()}\r\n`).join('');

function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const [first = ''] = FIRST.exec(value) ?? [];
  const rest = value.slice(first.length).replace(LATER, "$1'$2");
  const text = `${first === '' ? '' : "'"}${first}${rest}`;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
