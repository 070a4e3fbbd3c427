import { readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { openDocument } from './open-document.js';
import { OdpSlides } from './slides/odp-slides.js';
import { Unreadable } from './unreadable.js';

/** Reads the slides of an ODP in their order: each a heading, its text, tables and notes. */
export async function readOdp(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { archive, styles } = await openDocument(content, context);
  const slides = new OdpSlides(styles, context.progress.bind(context));
  await readXml(archive.read('content.xml'), slides);
  if (slides.count === 0) {
    throw new Unreadable('no_text_extracted', 'The presentation has no slides.');
  }
  return slides.blocks;
}
