import type { Block } from './block.js';

/** Paragraphs of a document that are set in bold as a whole. */
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
      // A bold paragraph that is followed by bold ones only is text.
      next !== undefined;
    return isHeading ? { ...block, kind: 'heading', level: 1 } : block;
  });
}
