import { readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { openDocument } from './open-document.js';
import { OdsSheets } from './sheet/ods-sheets.js';

/** Reads the sheets of an ODS: each a heading, and its rows with values as they are displayed. */
export async function readOds(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { archive, styles } = await openDocument(content, context);
  const sheets = new OdsSheets(styles, context);
  await readXml(archive.read('content.xml'), sheets);
  return sheets.blocks;
}
