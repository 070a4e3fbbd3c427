import type { Block } from '../block.js';
import { tidy } from '../tidy.js';

/** YAML between lines of `---`, or TOML between lines of `+++`. */
const FRONT_MATTER = /^\ufeff?(---|\+\+\+)[^\S\n]*\n((?:[^\n]*\n){0,200}?)\1[^\S\n]*(?:\n|$)/;
const FIELD =
  /^([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]| (?! |[:=])){0,100})(?: {0,9}[:=])(?:\s+(\S.*))?$/u;
const TABLE = /^\[[^\]]*\]{1,2}$/;
const COMMENT = /^\s*#|\s#\s.*$/g;
const BLOCK_TEXT = /^[|>][+-]?\d?$/;
const QUOTED = /^(["'])(.*)\1$/;
const ITEM = /^\s*- +/;

/** A document without its front matter, and what that says: the title, and the other fields. */
export function readFrontMatter(source: string): { blocks: Block[]; rest: string } {
  const [whole = '', , inner = ''] = FRONT_MATTER.exec(source) ?? [];
  const fields = fieldsOf(inner.split('\n'));
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

/** The fields of the outermost level, with all that is within them. */
function fieldsOf(lines: readonly string[]): { name: string; value: string }[] {
  const fields: { name: string; parts: string[]; isText: boolean }[] = [];
  for (const line of lines) {
    const text = line.replace(COMMENT, '').trimEnd();
    if (text === '' || TABLE.test(text)) continue;
    const [, name = '', value = ''] = FIELD.exec(text) ?? [];
    const open = fields.at(-1);
    if (name !== '') {
      const isText = BLOCK_TEXT.test(value);
      fields.push({ name, parts: isText ? [] : [valueOf(value)], isText });
    } else if (open) open.parts.push(valueOf(text.replace(ITEM, '').trim()));
  }
  return fields.map(({ name, parts, isText }) => ({
    name,
    value: tidy(parts.filter((part) => part !== '').join(isText ? ' ' : ', ')),
  }));
}

function valueOf(value: string): string {
  const list = /^\[(.*)\],?$/.exec(value)?.[1];
  if (list !== undefined) return list.split(',').map(valueOf).join(', ');
  const text = value.trim();
  return QUOTED.exec(text)?.[2] ?? text;
}
