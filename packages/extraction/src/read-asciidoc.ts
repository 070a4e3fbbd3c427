import { convert } from '@asciidoctor/core';
import type { Block, ReadingContext } from './block.js';
import { decodeText } from './decode-text.js';
import { checkAsciidocSize } from './markup/asciidoc-size.js';
import { readMarkup } from './read-html.js';

/**
 * Reads AsciiDoc by its own program. Includes and other directives that would read files or addresses
 * stay links, since the mode is `secure`.
 */
export async function readAsciidoc(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const text = decodeText(content, context);
  checkAsciidocSize(text);
  const html = await convert(text, {
    safe: 'secure',
    standalone: false,
    // A page of contents repeats the headings.
    attributes: { showtitle: true, 'toc!': '', 'sectanchors!': '', icons: 'font' },
  });
  context.progress();
  return typeof html === 'string' ? readMarkup(html) : [];
}
