import { readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { openDocument } from './open-document.js';
import { withPictures } from './recognition/picture-places.js';
import { OdtBody } from './word/odt-body.js';

/** Reads the body of an ODT: headings, lists, tables, notes, formulas and pictures. */
export async function readOdt(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { archive, styles, formulaAt, pictureOf } = await openDocument(content, context);
  const body = new OdtBody(styles, formulaAt);
  await readXml(archive.read('content.xml'), body);
  const blocks = await withPictures(body.blocks, body.pictures, pictureOf, context);
  return withBoldHeadings(blocks, body.bold);
}
