import { type Options, parse } from 'csv-parse/sync';
import type { Block, ReadingContext, TableRow } from './block.js';
import { decodeText } from './decode-text.js';
import { tidy } from './tidy.js';
import { Unreadable } from './unreadable.js';

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_LINES = 20;
const MAX_RECORD = 1_000_000;
const MAX_CELLS = 2_000_000;
const PROGRESS_ROWS = 1000;
const NUMBER = /^[+-]?[.,]?\d[\d.,\s]*(?:e[+-]?\d+)?%?$/i;
const MAX_NUMBER = 40;

/** Reads comma-separated values, also with other delimiters; the first row names the columns. */
export function readCsv(content: Uint8Array, context: ReadingContext): Block[] {
  const text = decodeText(content);
  const delimiter = delimiterOf(text);
  const rows =
    rowsOf(text, { delimiter }, context) ?? rowsOf(text, { delimiter, quote: null }, context);
  if (!rows) throw new Unreadable('parse_failed', 'The rows of the file cannot be told apart.');
  const [first, ...body] = rows;
  if (!first) return [];
  const hasHeader = body.length > 0 && isHeader(first.cells);
  // A file has no sheet by which a row could be named, so passages of it have no locator.
  return [
    hasHeader
      ? { kind: 'table', header: first.cells, rows: body }
      : { kind: 'table', header: null, rows },
  ];
}

/** The column of row numbers or names may have no name. */
const isHeader = ([first = '', ...others]: readonly string[]): boolean =>
  !isNumber(first) &&
  others.every((name) => name !== '' && !isNumber(name)) &&
  (first !== '' || others.length > 0);

/** @returns undefined where the quotes do not match */
function rowsOf(text: string, options: Options, context: ReadingContext): TableRow[] | undefined {
  const rows: TableRow[] = [];
  let cells = 0;
  try {
    parse(text, {
      ...options,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD,
      on_record: (record: string[]) => {
        if (rows.length % PROGRESS_ROWS === 0) context.progress();
        if ((cells += record.length) > MAX_CELLS) {
          throw new Unreadable('too_large', 'The file has more than two million cells.');
        }
        const values = record.map(tidy);
        if (values.some((value) => value !== '')) rows.push({ cells: values });
        return undefined;
      },
    });
    return rows;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    return undefined;
  }
}

const isNumber = (text: string) => text.length <= MAX_NUMBER && NUMBER.test(text);

/** The delimiter that parts the first lines into the same number of cells, the most if several do. */
function delimiterOf(text: string): string {
  const lines = firstLines(text);
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => countOutsideQuotes(line, delimiter));
    const usual = counts[0] ?? 0;
    const alike = counts.filter((count) => count === usual).length / counts.length;
    const score = usual === 0 ? 0 : alike * 1000 + Math.min(usual, 999) / 1000;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function firstLines(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length && lines.length < SAMPLE_LINES;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, Math.min(end === -1 ? text.length : end, start + MAX_RECORD));
    if (line.trim() !== '') lines.push(line);
    start = end === -1 ? text.length : end + 1;
  }
  return lines;
}

function countOutsideQuotes(line: string, delimiter: string): number {
  let count = 0;
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === delimiter && !isQuoted) count++;
  }
  return count;
}
