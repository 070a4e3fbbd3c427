import { openPicture } from '../recognition/picture-images.js';
import { MAX_SIDE, type PagePicture, type PageRequest } from './draw-page.js';
import { findRecognisedMarks } from './recognised-marks.js';

/** @throws Unreadable */
export async function drawPicturePage({
  content,
  page,
  text,
  recognised,
}: PageRequest): Promise<PagePicture | null> {
  const { pageCount, pageAt } = await openPicture(content);
  if (page > pageCount) return null;
  const { turns = 0, angle = 0 } = recognised ?? {};
  try {
    const { data: pixels, info } = await pageAt(page)
      .autoOrient()
      .flatten({ background: 'white' })
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .rotate(90 * turns)
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const marks = text === null || !recognised ? [] : findRecognisedMarks(text, recognised, height);
    return { pixels, width, height, channels, pageCount, marks, angle };
  } catch {
    return null;
  }
}
