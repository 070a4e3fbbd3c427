import type { Block } from './block.js';
import { tidyCode } from './tidy.js';

/** A longer line is a paragraph of a text that is set in such a font as a whole. */
const MAX_LINE = 120;
const MONOSPACED =
  /courier|consolas|\bmono\b|monospace|menlo|monaco|lucida (?:console|sans typewriter)|andale|fixedsys|terminal|typewriter|inconsolata|\bcode\b|cascadia/i;
const INDENTED = /^(?: {2}|\t)\s*\S/;

/** Whether a font is one for code. */
export const isMonospaced = (font: string | undefined): boolean =>
  font !== undefined && MONOSPACED.test(font);

/**
 * Makes code of paragraphs in a monospaced font, if some of their lines are indented by spaces.
 *
 * @param monospaced the text of such paragraphs, with its spaces
 */
export function withMonospacedCode(
  blocks: readonly Block[],
  monospaced: ReadonlyMap<Block, string>,
): Block[] {
  if (monospaced.size === 0) return [...blocks];
  const all: Block[] = [];
  let run: { block: Block; text: string }[] = [];
  const close = () => {
    const text = run.map((each) => each.text.replaceAll('\u00a0', ' ')).join('\n');
    if (isCode(text)) all.push({ kind: 'code', text: tidyCode(text) });
    else for (const { block } of run) all.push(block);
    run = [];
  };
  for (const block of blocks) {
    const text = monospaced.get(block);
    if (text !== undefined) {
      run.push({ block, text });
      continue;
    }
    close();
    all.push(block);
  }
  close();
  return all;
}

function isCode(text: string): boolean {
  const [, ...further] = text.split('\n');
  return (
    further.some((line) => INDENTED.test(line)) &&
    text.split('\n').every((line) => line.length <= MAX_LINE)
  );
}
