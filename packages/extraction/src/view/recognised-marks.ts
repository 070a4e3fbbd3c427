import type { RecognisedText } from '../recognition/recognised-page.js';
import type { Mark } from './draw-page.js';
import { findRectangles } from './mark-page.js';

/** Finds a passage in the picture of a recognised page. `pixels` is the height of the picture. */
export function findRecognisedMarks(text: string, page: RecognisedText, pixels: number): Mark[] {
  const scale = pixels / Math.max(1, page.height);
  return findRectangles(text, page).map(({ left, right, bottom, top }) => ({
    x: left * scale,
    y: pixels - top * scale,
    width: (right - left) * scale,
    height: (top - bottom) * scale,
  }));
}
