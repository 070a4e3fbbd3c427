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
const MAX_NOTES = 20;
const NUMBER = /^[+-]?[.,]?\d[\d.,\s]*(?:e[+-]?\d+)?%?$/i;
const MAX_NUMBER = 40;

/** Reads comma-separated values, also with other delimiters; the first row names the columns. */
export function readCsv(content: Uint8Array, context: ReadingContext): Block[] {
  const [text, named] = withoutDelimiterLine(decodeText(content, context));
  const delimiter = named ?? detectDelimiter(text);
  const all =
    parseRows(text, { delimiter }, context) ?? parseRows(text, { delimiter, quote: null }, context);
  if (!all) throw new Unreadable('parse_failed', 'The rows of the file cannot be told apart.');
  const { before, rows, after } = withoutNotes(all);
  return [...toParagraphs(before), ...toTable(rows), ...toParagraphs(after)];
}

/** Excel's first line `sep=;`, which names the delimiter. */
function withoutDelimiterLine(text: string): [text: string, delimiter?: string] {
  const [line = '', delimiter] =
    /^\ufeff?"?sep=([^\w\s"]|\t)"?[^\S\n]*(?:\r?\n|$)/i.exec(text) ?? [];
  return delimiter === undefined ? [text] : [text.slice(line.length), delimiter];
}

/**
 * Separates lines of text before and after the table, which have one cell, from its rows, which have
 * several.
 */
function withoutNotes(rows: readonly TableRow[]) {
  const isRow = ({ cells }: TableRow) => cells.filter((cell) => cell !== '').length > 1;
  const first = rows.findIndex(isRow);
  const last = rows.findLastIndex(isRow);
  const table = rows.slice(first, last + 1);
  const width = Math.max(0, table[0]?.cells.length ?? 0);
  // Spreadsheets pad each line with delimiters.
  const isNote = ({ cells }: TableRow) => cells.length < width || isHeader(table[0]?.cells ?? []);
  const before = rows.slice(0, Math.max(0, first));
  const isTable = first !== -1 && before.length <= MAX_NOTES && before.every(isNote);
  if (!isTable) return { before: [], rows, after: [] };
  const notes = rows.slice(last + 1);
  // A row with only its first cell filled still has all delimiters, so it is not a note.
  const firstNote = notes.findIndex((row) => row.cells.length < width && isSentence(row));
  const end = firstNote === -1 ? rows.length : last + 1 + firstNote;
  return { before, rows: rows.slice(before.length, end), after: rows.slice(end) };
}

/** Whether a lone cell reads like a note rather than the name of a row. */
const isSentence = ({ cells: [text = ''] }: TableRow): boolean => /\s|[.:]$/u.test(text);

const toParagraphs = (notes: readonly TableRow[]): Block[] =>
  notes.map(({ cells }) => ({
    kind: 'paragraph',
    text: cells.filter((cell) => cell !== '').join(' '),
  }));

function toTable(rows: readonly TableRow[]): Block[] {
  const [first, ...body] = rows;
  if (!first) return [];
  const hasHeader = body.length > 0 && isHeader(first.cells);
  // A CSV file has no sheets to name a row by, so its passages have no locator.
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

/** @returns undefined if the quotes do not match */
function parseRows(
  text: string,
  options: Options,
  context: ReadingContext,
): TableRow[] | undefined {
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

/**
 * Chooses the delimiter that splits most of the first lines into the same number of cells, or the one that
 * gives more cells. Lines without the delimiter may precede the header, so they are ignored.
 */
function detectDelimiter(text: string): string {
  const lines = takeFirstLines(text);
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => countOutsideQuotes(line, delimiter));
    const lengths = Map.groupBy(
      counts.filter((count) => count > 0),
      (count) => count,
    );
    for (const [count, { length }] of lengths) {
      const score = (length / counts.length) * 1000 + Math.min(count, 999) / 1000;
      if (score > best.score) best = { delimiter, score };
    }
  }
  return best.delimiter;
}

function takeFirstLines(text: string): string[] {
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
