import type { Block, ReadingContext } from './block.js';
import { layOut } from './pdf/read-pdf.js';
import type { PageText } from './pdf/segment.js';
import { openPictureImages } from './recognition/picture-images.js';

/** Reads the recognised text of a picture's pages. */
export async function readPicture(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { count } = await openPictureImages(content);
  const pages: PageText[] = [];
  for (let number = 1; number <= count; number++) {
    const page = context.recognition.page(number);
    if (page) pages.push(page);
    else context.recognition.offer(number, true);
  }
  return layOut(pages, [], context);
}
