import type { Block, ReadingContext } from '../../block.js';
import { decodeText } from '../../decode-text.js';
import { readMarkup } from '../../read-html.js';
import { latexToHtml } from './latex-to-html.js';

/** Reads a LaTeX article or book: sections, lists, tables and notes; formulas stay LaTeX. */
export function readLatex(content: Uint8Array, context: ReadingContext): Block[] {
  const text = decodeText(content, context).replaceAll('\r\n', '\n');
  return readMarkup(latexToHtml(text, context.progress.bind(context)));
}
