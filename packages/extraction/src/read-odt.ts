import { readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { withMonospacedCode } from './code-by-font.js';
import { openDocument } from './open-document.js';
import { withPictures } from './recognition/picture-places.js';
import { OdtBody } from './word/odt-body.js';
import { OdtMargins } from './word/odt-margins.js';
import { toMarginBlocks } from './word/page-margins.js';

/** Reads an ODT: headings, lists, tables, notes, formulas, pictures, headers and footers. */
export async function readOdt(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { archive, styles, objects, loadPicture } = await openDocument(content, context);
  const body = new OdtBody(styles, objects);
  await readXml(archive.read('content.xml'), body);
  if (body.hasHiddenText) context.warn({ code: 'hidden_left_out', what: 'hidden text' });
  for (const what of body.unread) context.warn({ code: 'not_read', what });
  const margins = new OdtMargins(styles);
  if (archive.has('styles.xml')) await readXml(archive.read('styles.xml'), margins);
  const said = new Set(body.blocks.map((block) => ('text' in block ? block.text : '')));
  const texts = withMonospacedCode(body.blocks, body.monospaced);
  const blocks = await withPictures(texts, body.pictures, loadPicture, context);
  return [
    ...toMarginBlocks(margins.headers, said),
    ...withBoldHeadings(blocks, body.bold),
    ...toMarginBlocks(margins.footers, said),
  ];
}
