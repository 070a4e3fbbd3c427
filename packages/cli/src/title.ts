import { extname } from 'node:path';
import { Parser } from 'htmlparser2';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

/** The title is looked for in this many bytes from the beginning. */
const MAX_BYTES = 100_000;
/** The limit of the service. */
const MAX_CHARACTERS = 500;
const FRONT_MATTER = /^---[^\S\n]*\n((?:[^\n]*\n){0,200}?)---[^\S\n]*(?:\n|$)/;

const READERS: Readonly<Record<string, (text: string) => string | undefined>> = {
  '.md': readMarkdownTitle,
  '.markdown': readMarkdownTitle,
  '.mdx': readMarkdownTitle,
  '.html': readHtmlTitle,
  '.htm': readHtmlTitle,
};

/**
 * The title in a document's content.
 *
 * @returns undefined without a title, or for another format or encoding
 */
export function readTitle(file: string, content: Uint8Array): string | undefined {
  const read = READERS[extname(file).toLowerCase()];
  const text = read && decodeText(content);
  if (text === undefined) return undefined;
  const title = read?.(text.replaceAll('\r\n', '\n')) ?? '';
  const line = title.replace(/[\s\p{Cc}\u200b]+/gu, ' ').trim();
  return Array.from(line).slice(0, MAX_CHARACTERS).join('').trim() || undefined;
}

/** @returns undefined for text that is not UTF-8 */
function decodeText(content: Uint8Array): string | undefined {
  try {
    // With `stream`, a character divided by the cut is ignored instead of an error.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return decoder.decode(content.subarray(0, MAX_BYTES), { stream: true });
  } catch {
    return undefined;
  }
}

/** The title in the front matter, else the first heading. */
function readMarkdownTitle(markdown: string): string | undefined {
  const [whole = '', frontMatter = ''] = FRONT_MATTER.exec(markdown) ?? [];
  const [, value = ''] = /^title:([^\S\n].*)$/m.exec(frontMatter) ?? [];
  const named = parseYamlLine(value.trim());
  if (named !== '') return named;
  const { children } = fromMarkdown(markdown.slice(whole.length));
  const heading = children.find(({ type }) => type === 'heading');
  return heading && toString(heading);
}

/** A YAML string on one line, quoted or not; empty for any other value. */
function parseYamlLine(value: string): string {
  const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/.exec(value) ?? [];
  if (double !== undefined) return double.replace(/\\(["\\])/g, '$1');
  if (single !== undefined) return single.replaceAll("''", "'");
  const comment = value.search(/\s#/);
  return /^["'|>&*[{!%@`#]/.test(value) ? '' : value.slice(0, comment === -1 ? undefined : comment);
}

/** The `<title>`, else the first `<h1>`. */
function readHtmlTitle(html: string): string | undefined {
  const texts = { title: '', h1: '' };
  let element: keyof typeof texts | undefined;
  let drawings = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (name === 'svg') drawings++;
      // The title of an SVG drawing is not the document's.
      const isTitle = (name === 'title' && drawings === 0) || name === 'h1';
      if (isTitle && texts[name].trim() === '') element = name;
    },
    ontext: (text) => {
      if (element) texts[element] += text;
    },
    onclosetag: (name) => {
      if (name === 'svg') drawings--;
      if (name === element) element = undefined;
    },
  });
  parser.end(html);
  return texts.title.trim() === '' ? texts.h1 : texts.title;
}
