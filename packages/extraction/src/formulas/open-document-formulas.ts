import type { Archive } from '../archive/archive.js';
import { decodeText } from '../decode-text.js';
import { parseHtml } from '../html/parse-html.js';
import { textBlocks } from '../html/walk.js';
import { Unreadable } from '../unreadable.js';

const MAX_FORMULAS = 1000;
/** Older programs name each element with the prefix. */
const PREFIX = /(<\/?)math:/g;

/**
 * Reads the formulas of an OpenDocument file, stored as MathML in separate parts, as LaTeX.
 *
 * @param folders the folders of these parts
 */
export async function readFormulas(
  archive: Archive,
  folders: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const formulas = new Map<string, string>();
  for (const folder of folders.slice(0, MAX_FORMULAS)) {
    try {
      const xml = decodeText(await archive.readWhole(`${folder}/content.xml`));
      const [block] = textBlocks(parseHtml(xml.replace(PREFIX, '$1'), { isXhtml: true }));
      if (block && 'text' in block) formulas.set(folder, block.text);
    } catch (error) {
      if (!(error instanceof Unreadable) || error.code === 'too_large') throw error;
    }
  }
  return formulas;
}
