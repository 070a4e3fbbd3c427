import { createHash } from 'node:crypto';
import type { Block, ReadingContext } from '../block.js';
import { detectPictureType } from '../detect-type.js';
import { layOut } from '../pdf/read-pdf.js';
import { withoutLocators } from '../without-locators.js';
import { isLargePicture, openPictureImages } from './picture-images.js';
import { carriesText, type RecognisedText } from './recognised-page.js';

/** The recognised text of an embedded picture; empty if the document contained the same picture before. */
export async function readPictureBlocks(
  content: Uint8Array | undefined,
  context: ReadingContext,
): Promise<Block[]> {
  if (!content || detectPictureType(content) === undefined) return [];
  const key = createHash('sha256').update(content).digest('base64');
  const pages = context.recognition.within({ key, images: () => openPictureImages(content) });
  const page = pages?.page(1);
  if (page) return toPictureBlocks(page, context);
  if (pages && (await isLargePicture(content))) pages.offer(1, true);
  return [];
}

/** Headings become paragraphs, since those in a picture do not begin sections of the document. */
function toPictureBlocks(page: RecognisedText, context: ReadingContext): Block[] {
  if (!carriesText(page)) return [];
  return layOut([page], [], context).map((block) => {
    const placed = withoutLocators(block);
    return placed.kind === 'heading' ? { kind: 'paragraph', text: placed.text } : placed;
  });
}
