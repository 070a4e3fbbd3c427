import type { Block } from './block.js';

/** Paragraphs that are entirely bold. */
type BoldParagraphs = ReadonlySet<Block>;

const MAX_LENGTH = 120;
const SENTENCE_END = /[.。!?！？,;:]$/u;

/** Makes bold paragraphs headings where a document has no headings of its own. */
export function withBoldHeadings(blocks: readonly Block[], bold: BoldParagraphs): Block[] {
  if (bold.size === 0 || blocks.some(({ kind }) => kind === 'heading')) return [...blocks];
  return blocks.map((block, index) => {
    const next = blocks[index + 1];
    const isHeading =
      block.kind === 'paragraph' &&
      bold.has(block) &&
      block.text.length <= MAX_LENGTH &&
      !SENTENCE_END.test(block.text) &&
      // A bold paragraph followed only by bold paragraphs is text, not a heading.
      next !== undefined;
    return isHeading ? { ...block, kind: 'heading', level: 1 } : block;
  });
}
