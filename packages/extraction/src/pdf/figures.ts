import { createHash } from 'node:crypto';
import type { RecognisedPages } from '../block.js';
import { carriesText } from '../recognition/recognised-page.js';
import type { Box } from './characters.js';
import type { PdfiumFunctions } from './pdfium.js';
import type { OpenPdf } from './open-pdf.js';
import { type PageRow, type PageText, getUsualSize } from './segment.js';

const IMAGE = 3;
const MAX_OBJECTS = 5000;
const MAX_FIGURES = 20;
/** Smaller pictures have no room for words: a line of small print is 30 by 8 points. */
const MIN_WIDTH = 40;
const MIN_HEIGHT = 12;
const MIN_AREA = 1500;
/** Only the length of larger pictures is hashed. */
const MAX_HASHED = 1024 * 1024;

/** A picture on a page, with a key that identifies its content. */
export interface Figure {
  readonly box: Box;
  readonly key: string;
}

/** The pictures of an open page that are large enough for words. */
export function findFigures(
  functions: PdfiumFunctions,
  { scratch }: OpenPdf,
  page: number,
): Figure[] {
  const { address } = scratch;
  const found: Figure[] = [];
  const count = Math.min(functions.FPDFPage_CountObjects(page), MAX_OBJECTS);
  for (let index = 0; index < count && found.length < MAX_FIGURES; index++) {
    const object = functions.FPDFPage_GetObject(page, index);
    if (functions.FPDFPageObj_GetType(object) !== IMAGE) continue;
    if (!functions.FPDFPageObj_GetBounds(object, address, address + 4, address + 8, address + 12))
      continue;
    const box = {
      left: Math.max(0, scratch.float(0)),
      bottom: Math.max(0, scratch.float(4)),
      right: scratch.float(8),
      top: scratch.float(12),
    };
    if (isLarge(box)) found.push({ box, key: hashPicture(functions, object) });
  }
  return found;
}

/** Hashes the stored data of a picture. */
function hashPicture(functions: PdfiumFunctions, object: number): string {
  const bytes = functions.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  const hash = createHash('sha256').update(String(bytes));
  // Large pictures are photographs; two of them hardly ever have the same length.
  const pointer = bytes > 0 && bytes <= MAX_HASHED ? functions.malloc(bytes) : 0;
  if (pointer !== 0) {
    functions.FPDFImageObj_GetImageDataRaw(object, pointer, bytes);
    hash.update(new Uint8Array(functions.memory.buffer, pointer, bytes));
    functions.free(pointer);
  }
  return hash.digest('base64');
}

/** Adds the text recognised in pictures to a page; each picture is read once per document. */
export function withFigures(
  page: PageText,
  figures: readonly Figure[],
  content: Uint8Array,
  recognition: RecognisedPages,
): PageText {
  const rows = figures
    .filter(({ box }) => !page.rows.some((row) => isWithin(row, box)))
    .flatMap((figure) => readFigureRows(page, figure, content, recognition));
  return rows.length === 0 ? page : { ...page, rows: [...page.rows, ...rows] };
}

function readFigureRows(
  { number, rows }: PageText,
  { box, key }: Figure,
  content: Uint8Array,
  recognition: RecognisedPages,
): PageRow[] {
  const images = async () =>
    (await import('../recognition/pdf-images.js')).openFigureImages(content, number, box);
  const pages = recognition.within({ key, images });
  const found = pages?.page(1);
  if (!found) pages?.offer(1, true);
  if (!found || !carriesText(found)) return [];
  // Large letters in a picture are not a heading of the text.
  const size = [...rows, ...found.rows].reduce(
    (least, row) => Math.min(least, getUsualSize(row)),
    Infinity,
  );
  return found.rows.map(({ y, segments }) => ({
    page: number,
    y: y + box.bottom,
    segments: segments.map((segment) => ({
      ...segment,
      size,
      y: segment.y + box.bottom,
      left: segment.left + box.left,
      right: segment.right + box.left,
    })),
  }));
}

const isLarge = ({ left, bottom, right, top }: Box): boolean =>
  right - left >= MIN_WIDTH &&
  top - bottom >= MIN_HEIGHT &&
  (right - left) * (top - bottom) >= MIN_AREA;

/** Whether a row of the page's own text stands on the picture. */
const isWithin = ({ y, segments }: PageRow, { left, bottom, right, top }: Box): boolean =>
  y > bottom && y < top && segments.some((segment) => segment.right > left && segment.left < right);
