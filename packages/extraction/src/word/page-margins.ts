import type { Block } from '../block.js';

interface Margin {
  readonly blocks: readonly Block[];
  /** Blocks that were displayed with a page number. */
  readonly numbered: ReadonlySet<Block>;
}

/** Fewer words beside a page number only label it, such as `Page of`. */
const MIN_WORDS = 4;

/**
 * The texts of page headers or footers, such as the number of a contract, each once. Page numbers, and
 * texts that the document contains too, are left out.
 *
 * @param said the known texts, to which those of these blocks are added
 */
export function toMarginBlocks(margins: readonly Margin[], said: Set<string>): Block[] {
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
