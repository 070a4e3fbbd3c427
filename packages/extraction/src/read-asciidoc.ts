import { convert } from '@asciidoctor/core';
import type { Block, ReadingContext } from './block.js';
import { decodeText } from './decode-text.js';
import { readFrontMatter } from './markdown/front-matter.js';
import { checkAsciidocSize } from './markup/asciidoc-size.js';
import { readMarkup } from './read-html.js';

/**
 * Reads AsciiDoc by its own program. Includes and other directives that would read files or addresses
 * stay links, since the mode is `secure`.
 */
export async function readAsciidoc(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const text = decodeText(content, context).replaceAll('\r\n', '\n');
  const { blocks, rest } = readFrontMatter(text);
  checkAsciidocSize(rest);
  const html = await convert(rest, {
    safe: 'secure',
    standalone: false,
    // A table of contents would repeat the headings.
    attributes: { showtitle: true, 'toc!': '', 'sectanchors!': '', icons: 'font' },
  });
  context.progress();
  return typeof html === 'string' ? [...blocks, ...readMarkup(html)] : blocks;
}
