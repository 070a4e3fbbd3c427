import type { Block } from '../block.js';

interface Margin {
  readonly blocks: readonly Block[];
  /** Those that were displayed with the number of a page. */
  readonly numbered: ReadonlySet<Block>;
}

/** With a number of a page, fewer words are only its name, such as `Page of`. */
const MIN_WORDS = 4;

/**
 * What the headers or footers of pages say, each once: such as the number of a contract. Left out are
 * the numbers of pages, and what the text of the document says too.
 *
 * @param said the texts that are known, to which those of these blocks are added
 */
export function marginBlocks(margins: readonly Margin[], said: Set<string>): Block[] {
  return margins.flatMap(({ blocks, numbered }) =>
    blocks.flatMap((block): Block[] => {
      const text = 'text' in block ? block.text : JSON.stringify(block.rows);
      if (said.has(text) || !/[\p{L}\p{N}]/u.test(text)) return [];
      if (numbered.has(block) && isPageName(text)) return [];
      said.add(text);
      return [block.kind === 'heading' ? { kind: 'paragraph', text } : block];
    }),
  );
}

const isPageName = (text: string): boolean =>
  !/\p{N}/u.test(text) && (text.match(/\p{L}+/gu) ?? []).length < MIN_WORDS;
