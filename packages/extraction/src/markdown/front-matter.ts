import type { Block } from '../block.js';
import { tidy } from '../tidy.js';

/** YAML between lines of `---`, or TOML between lines of `+++`. */
const FRONT_MATTER = /^\ufeff?(---|\+\+\+)[^\S\n]*\n((?:[^\n]*\n){0,200}?)\1[^\S\n]*(?:\n|$)/;
const FIELD =
  /^(["']?)([\p{L}\p{N}_$@](?:[\p{L}\p{N}_$@/.-]| (?! |[:=])|:(?=[\p{L}\p{N}_])){0,100})\1 {0,9}[:=](?:\s+(\S.*))?$/su;
const TABLE = /^\[[^\]]*\]{1,2}$/;
const BLOCK_TEXT = /^[|>][+-]?\d?$/;
const QUOTED = /^(["'])(.*)\1$/s;
const LIST = /^\[(.*)\],?$/s;
const ITEM = /^\s*-(?: +|$)/;
/** Lists nested deeper than this stay as they are written. */
const MAX_NESTING = 10;

interface Field {
  readonly name: string;
  readonly parts: string[];
  readonly isText: boolean;
}

/**
 * Splits a document into its front matter, as a title and the other fields, and the rest. Text between
 * two rules that does not consist of fields stays in the document.
 */
export function readFrontMatter(source: string): { blocks: Block[]; rest: string } {
  const [whole = '', mark, inner = ''] = FRONT_MATTER.exec(source) ?? [];
  const fields = parseFields(inner.split('\n'), mark === '+++').map((field) => ({
    name: field.name,
    value: joinParts(field),
  }));
  if (fields.length === 0) return { blocks: [], rest: source };
  const title = fields.find(({ name }) => name.toLowerCase() === 'title');
  const others = fields.filter((field) => field !== title && field.value !== '');
  const blocks: Block[] = [];
  if (title && title.value !== '') blocks.push({ kind: 'heading', level: 1, text: title.value });
  if (others.length > 0) {
    const text = others.map(({ name, value }) => `${name}: ${value}`).join('\n');
    blocks.push({ kind: 'paragraph', text });
  }
  return { blocks, rest: source.slice(whole.length) };
}

/** The top-level fields with everything nested in them; none if a line belongs to no field. */
function parseFields(lines: readonly string[], isToml: boolean): Field[] {
  const fields: Field[] = [];
  // Front matter starts in the first line; after an empty line, `#` begins a heading, not a comment.
  const isDocument = lines[0]?.trim() === '' && lines.some((line) => line.startsWith('#'));
  if (isDocument && !isToml) return [];
  for (const line of lines) {
    const open = fields.at(-1);
    const isIndented = /^\s/.test(line);
    if (open?.isText && isIndented) {
      open.parts.push(line.trim());
      continue;
    }
    const text = withoutComment(line).trimEnd();
    if (text === '' || (isToml && TABLE.test(text))) continue;
    const [, , name = '', value = ''] = FIELD.exec(isToml ? text.trimStart() : text) ?? [];
    if (name !== '') {
      const isText = BLOCK_TEXT.test(value);
      fields.push({ name, parts: isText ? [] : [value], isText });
      continue;
    }
    const isItem = open?.parts[0] === '' && ITEM.test(text);
    if (!open || !(isToml || isIndented || isItem || /^[\]}]/.test(text))) return [];
    open.parts.push(text.replace(ITEM, '').trim());
  }
  return fields;
}

/** The line up to ` # `, unless that stands in a value in quotes. */
function withoutComment(line: string): string {
  let quote = '';
  /** The last character that is no white space. */
  let before = '';
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== '') {
      const isEscape = quote === '"' ? sign === '\\' : sign === quote && next === quote;
      if (isEscape) at++;
      else if (sign === quote) quote = '';
    } else if (/["']/.test(sign) && /^[:=,[{-]?$/.test(before)) quote = sign;
    else if (sign === '#') {
      const isApart = line.charAt(at - 1).trim() === '' && next.trim() === '';
      if (before === '' || isApart) return line.slice(0, at);
    }
    if (sign.trim() !== '') before = sign;
  }
  return line;
}

function joinParts({ parts, isText }: Field): string {
  if (isText) return tidy(parts.join(' '));
  // A list may go on over lines.
  if (/^[[{]/.test(parts[0] ?? '')) return tidy(parseValue(parts.join(' ')));
  const values = parts.map((part) => parseValue(part));
  return tidy(values.filter((value) => value !== '').join(', '));
}

function parseValue(value: string, nesting = 0): string {
  const text = value.trim();
  const list = nesting < MAX_NESTING ? LIST.exec(text)?.[1] : undefined;
  if (list === undefined) return QUOTED.exec(text)?.[2] ?? text;
  const values = list.split(',').map((each) => parseValue(each, nesting + 1));
  return values.filter((each) => each !== '').join(', ');
}
