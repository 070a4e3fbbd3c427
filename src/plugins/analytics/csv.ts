/** The characters with which a spreadsheet begins a formula, including full-width and small forms. */
const OPENERS = '=+\\-@＝＋－＠﹦﹢﹣﹫−';
/** Spaces, invisible characters and quotation marks may precede it. */
const FIRST = new RegExp(`^(?:[\\s\\p{C}"]*[${OPENERS}]|[\\t\\r])`, 'u');
/** Other spreadsheets end a cell at these characters, even within quotation marks, so a formula may follow. */
const LATER = new RegExp(`([;\\t\\r\\n])([\\p{Zs}\\p{Cf}"]*[${OPENERS}])`, 'gu');

/**
 * Writes RFC 4180. Names are chosen by untrusted people, so an apostrophe precedes whatever a spreadsheet
 * would read as a formula, whichever separator it uses.
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
