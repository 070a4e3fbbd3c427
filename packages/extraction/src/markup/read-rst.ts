import type { Block, ReadingContext } from '../block.js';
import { decodeText } from '../decode-text.js';
import { raiseText } from '../characters/raised-text.js';
import { tidy, tidyCode, tidyLines } from '../tidy.js';
import { BULLET } from '../word/numbering.js';
import { measureIndent } from './list-depth.js';
import {
  findAlt,
  readCsvTable,
  readListTable,
  parseOptions,
  Substitutions,
} from './rst-directives.js';
import { GRID_BORDER, readGridTable, SIMPLE_BORDER, readSimpleTable } from './rst-tables.js';

/** Deeper content is read as text without structure. */
const MAX_NESTING = 12;
const ADORNMENT = /^([!-/:-@[-`{-~])\1+$/;
const ITEM = /^([-*+•]|(?:\d{1,9}|[a-zA-Z#])[.)]|\((?:\d{1,9}|[a-zA-Z#])\))(\s+)(?=\S)/;
const DIRECTIVE = /^\.\. +(?:\|[^|]+\| +)?([\w:.-]+)::(?: (.*))?$/;
const FOOTNOTE = /^\.\. +\[[^\]]+\](.*)$/;
const OPTION = /^\s*:[\w-]+:/;
const CODE = new Set([
  'code',
  'code-block',
  'sourcecode',
  'literalinclude',
  'parsed-literal',
  'prompt',
]);
const LEFT_OUT = new Set(
  'contents highlight include index meta raw replace role sectnum tableofcontents toctree'.split(
    ' ',
  ),
);

/** Reads reStructuredText: headings, lists, tables, code, directives and notes, without comments. */
export function readRst(content: Uint8Array, context: ReadingContext): Block[] {
  const lines = decodeText(content, context)
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '        ')
    .split('\n');
  return new RstReader(
    lines.map((line) => line.trimEnd()),
    context,
  ).read();
}

class RstReader {
  private readonly blocks: Block[] = [];
  /** The adornments of titles, the outermost first. */
  private readonly adornments: string[] = [];
  private readonly substitutions: Substitutions;
  private readonly inline = (text: string): string =>
    withoutMarks(this.substitutions.replace(text));

  constructor(
    private readonly lines: readonly string[],
    private readonly context: ReadingContext,
  ) {
    this.substitutions = new Substitutions(lines);
  }

  read(): Block[] {
    this.readBody(this.lines, 0, -1);
    return this.blocks;
  }

  /** @param listDepth the depth of the list around the lines; -1 outside of lists */
  private readBody(lines: readonly string[], nesting: number, listDepth: number): void {
    if (nesting > MAX_NESTING) {
      this.addParagraph(lines);
      return;
    }
    for (let at = 0; at < lines.length;) {
      const line = lines[at] ?? '';
      const item = ITEM.exec(line);
      const title = nesting === 0 ? this.readTitle(lines, at) : 0;
      let end = at + 1;
      if (title > 0) end = at + title;
      else if (line === '') this.context.progress();
      else if (line.startsWith(' ')) {
        end = findIndentedEnd(lines, at);
        this.readBody(dedent(lines.slice(at, end)), nesting + 1, listDepth);
      } else if (/^\.\.(?:\s|$)/.test(line)) {
        end = findIndentedEnd(lines, at + 1);
        this.readExplicit(line, lines.slice(at + 1, end), nesting, listDepth);
      } else if (GRID_BORDER.test(line)) {
        while (/^[+|]/.test(lines[end] ?? '')) end++;
        this.blocks.push(readGridTable(lines.slice(at, end), this.inline));
      } else if (SIMPLE_BORDER.test(line)) {
        end = findSimpleTableEnd(lines, at);
        this.blocks.push(readSimpleTable(lines.slice(at, end), this.inline));
      } else if (item) {
        end = findIndentedEnd(lines, at + 1);
        this.readItem(item, lines.slice(at, end), nesting, listDepth + 1);
      } else if (!ADORNMENT.test(line) || line.length < 4) {
        while (end < lines.length && lines[end] !== '') end++;
        this.addParagraph(lines.slice(at, end));
        if (line.endsWith('::') || lines[end - 1]?.endsWith('::')) {
          const start = end;
          end = findIndentedEnd(lines, start);
          this.addCode(lines.slice(start, end));
        }
      }
      at = end;
    }
  }

  /** Reads a title, and returns the number of its lines; 0 if there is none. */
  private readTitle(lines: readonly string[], at: number): number {
    const [first = '', second = '', third] = lines.slice(at, at + 3);
    const isOverlined = ADORNMENT.test(first) && first === third && second !== '';
    const text = isOverlined ? second : first;
    const adornment = isOverlined ? first : second;
    if (!ADORNMENT.test(adornment) || ADORNMENT.test(text) || text.trim() === '') return 0;
    // A shorter line is text, unless the title is of wide characters or its author has miscounted.
    if (
      adornment.length < Math.min(text.trim().length, 4) ||
      (!isOverlined && text.startsWith(' '))
    )
      return 0;
    const style = `${adornment.charAt(0)}${isOverlined ? 'over' : ''}`;
    if (!this.adornments.includes(style)) this.adornments.push(style);
    const level = this.adornments.indexOf(style) + 1;
    this.blocks.push({ kind: 'heading', level, text: tidy(this.inline(text)) });
    return isOverlined ? 3 : 2;
  }

  private readItem(
    [mark = '', sign = '']: RegExpExecArray,
    lines: readonly string[],
    nesting: number,
    depth: number,
  ): void {
    const content = dedent([
      ' '.repeat(mark.length) + (lines[0] ?? '').slice(mark.length),
      ...lines.slice(1),
    ]);
    const blank = content.indexOf('');
    const end = blank === -1 ? content.length : blank;
    const text = tidyLines(this.inline(content.slice(0, end).join('\n')));
    const marker = /^[-*+•]$/.test(sign) ? BULLET : sign;
    if (text !== '') this.blocks.push({ kind: 'list-item', depth, marker, text });
    this.readBody(content.slice(end), nesting + 1, depth);
  }

  /** Reads a directive or note; anything else that begins this way is a comment or a link target. */
  private readExplicit(
    line: string,
    indented: readonly string[],
    nesting: number,
    listDepth: number,
  ): void {
    const [, name = '', argument = ''] = DIRECTIVE.exec(line) ?? [];
    const note = FOOTNOTE.exec(line)?.[1];
    const isCode = CODE.has(name);
    const start = indented.findIndex((option) => !OPTION.test(option));
    const content = start === -1 ? [] : dedent(indented.slice(start));
    const options = start === -1 ? indented : indented.slice(0, start);
    if (note !== undefined) {
      const text = tidy(this.inline([note, ...indented].join(' ')));
      if (text !== '') this.blocks.push({ kind: 'note', text });
    } else if (isCode) this.addCode(content);
    else if (name === 'math') {
      // After a formula of one line, pandoc writes a quotation with nothing between them.
      const end = argument === '' ? content.length : content.indexOf('');
      const text = tidy([argument, ...content.slice(0, Math.max(end, 0))].join(' '));
      if (text !== '') this.blocks.push({ kind: 'paragraph', text: `$${text}$` });
      this.readBody(content.slice(Math.max(end, 0)), nesting + 1, listDepth);
    } else if (name === 'csv-table' || name === 'list-table') {
      this.addCaption(argument);
      this.readTable(name, options, content);
    } else if (line.startsWith('.. |')) {
      // A substitution appears only where it is used.
    } else if (name === 'image' || name === 'figure') {
      this.addParagraph([findAlt(options)]);
      if (name === 'figure') this.readBody(content, nesting + 1, listDepth);
    } else if (name !== '' && !LEFT_OUT.has(name)) {
      if (/table$/.test(name)) this.addCaption(argument);
      else this.addParagraph([argument]);
      this.readBody(content, nesting + 1, listDepth);
    }
  }

  private readTable(
    name: 'csv-table' | 'list-table',
    lines: readonly string[],
    content: readonly string[],
  ): void {
    const options = parseOptions(lines);
    const file = options.get('file') ?? options.get('url');
    if (file !== undefined) this.context.warn({ code: 'not_read', what: file });
    const make = name === 'csv-table' ? readCsvTable : readListTable;
    const table = make(content, options, this.inline);
    if (!table) this.addCode(content);
    else if (table.rows.length > 0 || table.header) this.blocks.push(table);
  }

  private addCaption(argument: string): void {
    const text = tidy(this.inline(argument));
    if (text !== '') this.blocks.push({ kind: 'caption', text });
  }

  private addParagraph(lines: readonly string[]): void {
    const source = lines.map((line) => line.replace(/^\| |^:([\w -]{1,60}:)(?= )/, '$1'));
    const text = tidyLines(this.inline(source.join('\n'))).replace(/ ?::$/, ':');
    if (text !== '' && text !== ':') this.blocks.push({ kind: 'paragraph', text });
  }

  private addCode(lines: readonly string[]): void {
    const text = tidyCode(dedent(lines).join('\n'));
    if (text !== '') this.blocks.push({ kind: 'code', text });
  }
}

function findIndentedEnd(lines: readonly string[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length && /^(?:\s|$)/.test(lines[at] ?? ''); at++) {
    if (lines[at] !== '') end = at + 1;
  }
  return end;
}

/** A simple table ends after its second border, or after the third if rows follow the second at once. */
function findSimpleTableEnd(lines: readonly string[], from: number): number {
  let at = from + 1;
  while (at < lines.length && !(SIMPLE_BORDER.test(lines[at] ?? '') && !lines[at + 1])) at++;
  return Math.min(at + 1, lines.length);
}

function dedent(lines: readonly string[]): string[] {
  const indent = lines.reduce(
    (least, line) => (line === '' ? least : Math.min(least, measureIndent(line))),
    Infinity,
  );
  return lines.map((line) => line.slice(indent));
}

const keepBackslashes = (text: string): string => text.replaceAll('\\', '\\\\');

/** The text without marks of emphasis, roles, links, notes and escapes; formulas are LaTeX. */
const withoutMarks = (text: string): string =>
  text
    .replace(/\s?\[(?:\d+|#[\w-]*|\*)\]_/g, '')
    .replace(/:math:`([^`]{1,1000})`/g, (_, formula: string) => `$${keepBackslashes(formula)}$`)
    .replace(/``([^`]{1,500})``/g, (_, code: string) => keepBackslashes(code))
    .replace(
      /:(sup|sub)(?:erscript|script)?:`([^`]{1,500})`/g,
      (_, role: 'sup' | 'sub', label: string) => raiseText(label, role === 'sup' ? 'super' : 'sub'),
    )
    .replace(
      /(?::[\w:.-]{1,40}:)?`([^`<]{1,500})(?:<[^`>]{1,1000}>)?`(?:__?)?/g,
      (_, label: string) => label.trim(),
    )
    .replace(/(^|[\s('"])(\*{1,2})(\S|\S[^*]{0,200}?\S)\2(?!\w)/gm, '$1$3')
    .replace(/\b([\p{L}\d]{1,60})__?(?![\p{L}\d_])/gu, '$1')
    // An escaped space joins what stands around it.
    .replace(/\\(?:\s|([^\p{L}\p{N}]))/gu, '$1');
