import sharp from 'sharp';
import type { RecognisedText } from '../recognition/recognised-page.js';
import { drawPdfPage } from './draw-pdf-page.js';
import { drawPicturePage } from './draw-picture-page.js';
import { PDF } from '../formats.js';

/** A drawn page of a PDF or picture. */
export interface DrawnPage {
  readonly png: Uint8Array;
  /** The number of pages in the document. */
  readonly pageCount: number;
  /** How far down the page the passage begins, from 0 to 1; null if it is not on the page. */
  readonly markedAt: number | null;
}

export interface PageRequest {
  /** The type of a PDF or picture. */
  readonly mimeType: string;
  readonly content: Uint8Array;
  /** From 1. */
  readonly page: number;
  /** The text to mark on the page. */
  readonly text: string | null;
  /** The recognised text of the page, if there is any. */
  readonly recognised: RecognisedText | undefined;
}

/** The pixels of a page, and the rectangles to be marked on it, from its upper left corner. */
export interface PagePicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly pageCount: number;
  readonly marks: readonly Mark[];
  /** The angle by which the page is skewed to the right, in radians. The marks are turned accordingly. */
  readonly angle: number;
}

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The length of the longer side, in pixels. */
export const MAX_SIDE = 1600;
/** Colours the paper yellow, but not the letters. */
const FILL = 'fill="#ffe45c"';
/** The outline is visible on a dark page too. */
const OUTLINE = 'fill="none" stroke="#c77700" stroke-opacity="0.8" stroke-width="1.5"';

/**
 * Draws a page with a passage marked.
 *
 * @returns null if the document has no such page, or it cannot be drawn
 * @throws Unreadable
 */
export async function drawPage(request: PageRequest): Promise<DrawnPage | null> {
  const draw = request.mimeType === PDF ? drawPdfPage : drawPicturePage;
  // Each thread of libvips allocates its own memory.
  sharp.concurrency(1);
  sharp.cache(false);
  const picture = await draw(request);
  if (!picture) return null;
  const { pixels, width, height, channels, pageCount, marks } = picture;
  const page = sharp(pixels, { raw: { width, height, channels } }).flatten({ background: 'white' });
  if (marks.length > 0) {
    page.composite([
      { input: drawLayer(picture, FILL), blend: 'multiply' },
      { input: drawLayer(picture, OUTLINE) },
    ]);
  }
  const png = await page.png({ compressionLevel: 6 }).toBuffer();
  const top = marks.reduce((least, { y }) => Math.min(least, y), Infinity);
  const markedAt = marks.length === 0 ? null : Math.min(Math.max(0, top / height), 1);
  return { png, pageCount, markedAt };
}

function drawLayer({ width, height, marks, angle }: PagePicture, look: string): Buffer {
  const turn = `rotate(${(-angle * 180) / Math.PI} ${width / 2} ${height / 2})`;
  const rectangles = marks.map(
    (mark) =>
      `<rect x="${mark.x}" y="${mark.y}" width="${mark.width}" height="${mark.height}" rx="2"/>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="${turn}" ${look}>${rectangles.join('')}</g></svg>`,
  );
}
