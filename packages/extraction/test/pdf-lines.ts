import type { Block, ReaderWarning } from '../src/block.js';
import { readPdf } from '../src/pdf/read-pdf.js';
import { Recognition } from '../src/recognition/recognition.js';

/** Reads a file with readPdf. */
export async function read(content: Uint8Array) {
  const warnings: ReaderWarning[] = [];
  let progress = 0;
  const blocks = await readPdf(content, {
    progress: () => {
      progress++;
    },
    warn: (warning) => warnings.push(warning),
    recognition: new Recognition({ ocr: 'off', maxPages: 0, recognised: [] }),
  });
  return { blocks, warnings, progress };
}

/** Text at a place, in a size: `F1` is Helvetica, `F2` its bold, `F3` Courier. */
export const at = (x: number, y: number, text: string, { font = 'F1', size = 10 } = {}) =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET\n`;
/** Lines 12 points apart. */
export const lines = (x: number, y: number, texts: readonly string[], style = {}) =>
  texts.map((text, index) => at(x, y - 12 * index, text, style)).join('');
export const getTexts = (blocks: readonly Block[]) =>
  blocks.map((block) => ('text' in block ? block.text : block.rows.map(({ cells }) => cells)));
export const getKinds = (blocks: readonly Block[]) => blocks.map(({ kind }) => kind);

export const BODY = [
  'The quick brown fox jumps over the lazy dog while nobody is looking at it, and',
  'then it goes on to do so again and again until the evening comes and all go home',
  'to their dens, where supper waits.',
];
export const column = (name: string) =>
  Array.from({ length: 12 }, (_, index) => `${name} line ${index} has a number of words in it`);
