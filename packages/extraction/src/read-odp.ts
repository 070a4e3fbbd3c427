import { readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { openDocument } from './open-document.js';
import { withPictures } from './recognition/picture-places.js';
import { OdpSlides } from './slides/odp-slides.js';
import { Unreadable } from './unreadable.js';

/** Reads the slides of an ODP in their order: each a heading, its text, tables, pictures and notes. */
export async function readOdp(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { archive, styles, objects, loadPicture } = await openDocument(content, context);
  const handler = new OdpSlides(styles, objects, context.progress.bind(context));
  await readXml(archive.read('content.xml'), handler);
  const { slides } = handler;
  if (slides.length === 0) {
    throw new Unreadable('no_text_extracted', 'The presentation has no slides.');
  }
  const blocks: Block[] = [];
  for (const [index, { title, isHidden, body, notes }] of slides.entries()) {
    if (isHidden) {
      context.warn({ code: 'hidden_left_out', what: `slide ${index + 1}` });
      continue;
    }
    for (const what of body.unread) context.warn({ code: 'not_read', what });
    const texts = await withPictures(body.blocks, body.pictures, loadPicture, context);
    if (title === '' && texts.length === 0 && notes.length === 0) continue;
    const locator = { slide: index + 1 };
    blocks.push({ kind: 'heading', level: 1, text: title || `Slide ${index + 1}`, locator });
    for (const block of [...texts, ...notes]) blocks.push({ ...block, locator });
  }
  return blocks;
}
