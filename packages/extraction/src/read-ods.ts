import { readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { openDocument } from './open-document.js';
import { withPictures } from './recognition/picture-places.js';
import { OdsSheets } from './sheet/ods-sheets.js';

/** Reads the sheets of an ODS: each a heading, its rows with values as displayed, and what lies over its cells. */
export async function readOds(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { archive, styles, objects, loadPicture } = await openDocument(content, context);
  const handler = new OdsSheets(styles, objects, context);
  await readXml(archive.read('content.xml'), handler);
  const blocks: Block[] = [];
  for (const { name, blocks: places } of handler.sheets) {
    const texts = await withPictures(places, handler.pictures, loadPicture, context);
    if (texts.length === 0) continue;
    blocks.push({ kind: 'heading', level: 1, text: name, locator: { sheet: name, row: 1 } });
    for (const block of texts) blocks.push(block);
  }
  return blocks;
}
