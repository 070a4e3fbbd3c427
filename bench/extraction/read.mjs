// Reads one document and sends its passages and headings to the parent.
import { readFileSync } from 'node:fs';
import { fromService } from '../from-service.mjs';

const { detectMediaType } = await fromService('documents/upload/media-type.js');
const { extract, loadReader } = await import('@latchkey/extraction/extract');

const file = process.argv[2] ?? '';
const content = new Uint8Array(readFileSync(file));
/** @type {string[]} */
const headings = [];
/** @type {string[]} */
const texts = [];
let pages = 0;
/** @type {string | undefined} */
let type;
/** @type {{ passages: unknown[], error?: string }} */
let result;
try {
  const mimeType = await detectMediaType({ path: file, name: file, declaredType: '' });
  type = mimeType;
  const read = await loadReader(mimeType);
  const { passages } = await extract(
    /** @type {import('@latchkey/extraction/block').Reader} */
    async (bytes, context) => {
      const blocks = [...(await read(bytes, context))];
      for (const block of blocks) {
        texts.push(textOf(block));
        if (block.kind === 'heading') headings.push(block.text);
        if (block.locator && 'page' in block.locator) pages = Math.max(pages, block.locator.page);
      }
      return blocks;
    },
    { content, mimeType, chunkSize: 300, chunkOverlap: 0, ocr: 'off', maxPages: 0, recognised: [] },
    () => undefined,
  );
  result = { passages };
} catch (error) {
  const code = error && typeof error === 'object' && 'code' in error ? String(error.code) : 'error';
  result = { passages: [], error: code };
}
process.send?.({ ...result, type, headings, texts, parts: pages });

/** @param {import('@latchkey/extraction/block').Block} block */
function textOf(block) {
  if (block.kind === 'table') {
    return [block.header ?? [], ...block.rows.map(({ cells }) => cells)].flat().join('\n');
  }
  return block.kind === 'list-item' ? `${block.marker} ${block.text}` : block.text;
}
