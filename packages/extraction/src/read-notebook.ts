import type { Block, ReadingContext } from './block.js';
import { decodeText } from './decode-text.js';
import { newPicturePlace, withPictures } from './recognition/picture-places.js';
import { readMarkup } from './read-html.js';
import { readMarkdown } from './read-markdown.js';
import { readText } from './read-text.js';
import { tidyCode } from './tidy.js';

/** A longer output is data rather than a result. */
const MAX_OUTPUT = 20_000;
// eslint-disable-next-line no-control-regex
const TERMINAL_COLOURS = /\x1b\[[\d;]*m/g;

const PICTURES = ['image/png', 'image/jpeg'];

/** Reads the cells of a Jupyter notebook: texts, code, and the outputs that are text, tables or pictures. */
export async function readNotebook(
  content: Uint8Array,
  context: ReadingContext,
): Promise<readonly Block[]> {
  const notebook = parse(decodeText(content, context));
  const cells =
    getList(notebook, 'cells') ?? getList(getList(notebook, 'worksheets')?.[0], 'cells');
  if (!cells) return readText(content, context);
  const blocks: Block[] = [];
  /** Pictures as Base64, by their placeholder blocks. */
  const places = new Map<Block, string>();
  for (const cell of cells) {
    const type = toText(field(cell, 'cell_type'));
    const source = toText(field(cell, 'source') ?? field(cell, 'input'));
    if (type === 'markdown') {
      for (const block of readMarkdown(Buffer.from(source), context)) blocks.push(block);
    } else pushCode(blocks, source);
    for (const output of getList(cell, 'outputs') ?? []) pushOutput(blocks, places, output);
    context.progress();
  }
  return withPictures(blocks, places, (base64) => Buffer.from(base64, 'base64'), context);
}

function pushOutput(blocks: Block[], places: Map<Block, string>, output: unknown): void {
  const data = field(output, 'data');
  const html = toText(field(data, 'text/html'));
  if (html.includes('<table') && html.length <= MAX_OUTPUT) {
    for (const block of readMarkup(html)) blocks.push(block);
    return;
  }
  pushCode(blocks, toText(field(output, 'text') ?? field(data, 'text/plain')));
  for (const picture of PICTURES.map((type) => toText(field(data, type)))) {
    if (picture === '') continue;
    const place = newPicturePlace();
    blocks.push(place);
    places.set(place, picture);
  }
}

function pushCode(blocks: Block[], source: string): void {
  const text = tidyCode(source.slice(0, MAX_OUTPUT).replace(TERMINAL_COLOURS, ''));
  if (text !== '') blocks.push({ kind: 'code', text });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

function getList(value: unknown, name: string): readonly unknown[] | undefined {
  const list = field(value, name);
  return Array.isArray(list) ? list : undefined;
}

/** Notebooks store a text as a string or as a list of lines. */
const toText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
};
