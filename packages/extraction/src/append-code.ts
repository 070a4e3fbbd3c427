import type { Block } from './block.js';
import { writeRaised } from './characters/raised-text.js';
import { tidyCode } from './tidy.js';

/**
 * Consecutive paragraphs of code are one block.
 *
 * @param blocks the last of which the code is added to, if it is code too
 * @returns a block to append, if the code begins one
 */
export function appendCode(text: string, blocks: Block[]): Block | undefined {
  const before = blocks.at(-1);
  if (before?.kind !== 'code') {
    return text.trim() === '' ? undefined : { kind: 'code', text: tidyCode(text) };
  }
  blocks[blocks.length - 1] = {
    kind: 'code',
    text: `${before.text}\n${writeRaised(text).trimEnd()}`,
  };
  return undefined;
}
