import { parse } from 'csv-parse/sync';
import type { Table } from '../block.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';

type Inline = (text: string) => string;

const SUBSTITUTION = /^\.\. +\|([^|\s][^|]*)\| +(replace|unicode|image)::(?: +(\S.*))?$/;
const REFERENCE = /\|([^|\s](?:[^|\n]{0,98}[^|\s])?)\|_{0,2}/g;
const CODE_POINT = /^(?:U\+|0x|\\u|\\x|u)([0-9a-f]{2,6})$/i;
const ALT = /^\s*:alt:\s+(\S.*)$/;
const NAMED_DELIMITERS: Partial<Record<string, string>> = { tab: '\t', space: ' ' };
/** Further header rows become ordinary rows. */
const MAX_HEADER_ROWS = 4;
/** Limits the characters that all substitutions of a document insert. */
const MAX_SUBSTITUTED = 2_000_000;
const CELL = /^[*+-](?: +|$)/;

/** The texts that a document defines for names such as `|product|`. */
function readSubstitutions(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, name, kind, argument = ''] = SUBSTITUTION.exec(line) ?? [];
    if (name === undefined) continue;
    let end = at + 1;
    while (/^\s+\S/.test(lines[end] ?? '')) end++;
    const more = lines.slice(at + 1, end);
    if (kind === 'image') found.set(name, findAlt(more));
    else if (kind === 'unicode') found.set(name, decodeCharacters(argument));
    else found.set(name, [argument, ...more.map((each) => each.trim())].join(' ').trim());
  }
  return found;
}

/** Replaces names such as `|product|` by the texts that a document defines. */
export class Substitutions {
  private readonly texts: ReadonlyMap<string, string>;
  private written = 0;

  constructor(lines: readonly string[]) {
    this.texts = readSubstitutions(lines);
  }

  /** @throws Unreadable if the document would grow too large */
  replace(text: string): string {
    if (this.texts.size === 0) return text;
    return text.replace(REFERENCE, (whole: string, name: string) => {
      const found = this.texts.get(name);
      this.written += found?.length ?? 0;
      if (this.written > MAX_SUBSTITUTED) {
        throw new Unreadable(
          'too_large',
          'The substitutions of the document stand for more than two million characters.',
        );
      }
      return found ?? whole;
    });
  }
}

/** Finds the alternative text of a picture. */
export const findAlt = (options: readonly string[]): string =>
  options.map((line) => ALT.exec(line)?.[1]).find((alt) => alt !== undefined) ?? '';

const decodeCharacters = (codes: string): string =>
  codes
    .replace(/\s\.\.\s.*$/, '')
    .split(/\s+/)
    .map((code) => {
      const point = parseInt(CODE_POINT.exec(code)?.[1] ?? '', 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : code;
    })
    .join('');

/** The options of a directive, such as `:header-rows: 1`. */
export const parseOptions = (lines: readonly string[]): Map<string, string> =>
  new Map(
    lines.flatMap((line): [string, string][] => {
      const [, name, value = ''] = /^\s*:([\w-]+):(?:\s+(\S.*))?$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );

/** @returns null for values that cannot be split into rows */
export function readCsvTable(
  content: readonly string[],
  options: ReadonlyMap<string, string>,
  inline: Inline,
): Table | null {
  const delimiter = options.get('delim') ?? ',';
  const read = (text: string): string[][] =>
    parse(text, {
      delimiter: NAMED_DELIMITERS[delimiter] ?? delimiter,
      quote: options.get('quote') ?? '"',
      ltrim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  try {
    const [header] = read(options.get('header') ?? '');
    return toTable(read(content.join('\n')), options, inline, header);
  } catch {
    return null;
  }
}

/** A table as a list of rows, each a list of cells. */
export function readListTable(
  content: readonly string[],
  options: ReadonlyMap<string, string>,
  inline: Inline,
): Table {
  const rows = splitItems(content).map((row) => splitItems(row).map((cell) => cell.join('\n')));
  return toTable(rows, options, inline);
}

/** The contents of the items of a list, without their marks and indentation. */
function splitItems(lines: readonly string[]): string[][] {
  const items: string[][] = [];
  let indent = 0;
  for (const line of lines) {
    const mark = CELL.exec(line)?.[0];
    if (mark !== undefined) {
      indent = Math.max(mark.length, 2);
      items.push([line.slice(mark.length)]);
    } else items.at(-1)?.push(line.slice(indent));
  }
  return items;
}

function toTable(
  rows: readonly (readonly string[])[],
  options: ReadonlyMap<string, string>,
  inline: Inline,
  header?: readonly string[],
): Table {
  const texts = rows.map((row) => row.map((cell) => tidy(inline(cell))));
  const names = Number(options.get('header-rows') ?? 0);
  const count = Number.isInteger(names) ? Math.min(Math.max(names, 0), MAX_HEADER_ROWS) : 0;
  const heads = [
    ...(header ? [header.map((cell) => tidy(inline(cell)))] : []),
    ...texts.slice(0, count),
  ];
  const width = Math.max(0, ...heads.map(({ length }) => length));
  const joined = Array.from({ length: width }, (_, column) =>
    tidy(heads.map((row) => row[column] ?? '').join(' ')),
  );
  return {
    kind: 'table',
    header: width > 0 ? joined : null,
    rows: texts.slice(count).map((cells) => ({ cells })),
  };
}
