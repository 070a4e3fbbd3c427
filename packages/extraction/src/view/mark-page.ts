import { orderRows } from '../pdf/order-rows.js';
import type { PageText, Segment } from '../pdf/segment.js';
import { findText, type TextRange } from './find-text.js';

/** A rectangle on a page, in its points, from the lower left corner. */
export interface PageRectangle {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** The extent above and below the baseline, as shares of the letter size. */
const ASCENT = 0.9;
const DESCENT = 0.28;
const MAX_PLACES = 2000;

/** Finds the lines of a passage on a page, as rectangles; empty if it is not on the page. */
export function findRectangles(text: string, page: PageText): PageRectangle[] {
  const segments = orderRows(page).flatMap((row) => row.segments);
  const found = findText(
    text,
    segments.map((segment) => segment.text),
  );
  const places: PageRectangle[] = [];
  for (const [index, range] of found) {
    const segment = segments[index];
    if (segment && places.length < MAX_PLACES) places.push(toRectangle(segment, range));
  }
  return places;
}

/** Computes the rectangle of a range of letters, which are assumed to be equally wide. */
function toRectangle(segment: Segment, { start, end }: TextRange): PageRectangle {
  const { left, right, y, size, rightToLeft, text } = segment;
  const width = (right - left) / Math.max(1, text.length);
  const [from, to] = rightToLeft ? [text.length - end, text.length - start] : [start, end];
  const [begin, stop] = [left + from * width, left + to * width];
  const [top, bottom] = [y + ASCENT * size, y - DESCENT * size];
  switch (segment.turns) {
    case 1:
      return { left: -top, right: -bottom, bottom: begin, top: stop };
    case 2:
      return { left: -stop, right: -begin, bottom: -top, top: -bottom };
    case 3:
      return { left: bottom, right: top, bottom: -stop, top: -begin };
    default:
      return { left: begin, right: stop, bottom, top };
  }
}
