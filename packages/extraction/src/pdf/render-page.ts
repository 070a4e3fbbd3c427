import type { PdfiumFunctions } from './pdfium.js';

/** The picture of a page, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
  /** Quarter turns to the right. */
  readonly turns: number;
}

/** The whole page, in pixels, if the picture shows only a part of it. */
interface AroundPart {
  /** The upper left corner of the page, relative to that of the picture. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const GREY = { format: 1, bytes: 1, flag: 0x08 };
/** The bytes are in the order red, green, blue, alpha. */
const COLOUR = { format: 4, bytes: 4, flag: 0x10 };
const WHITE = 0xffffffff;
/** Draws annotations too, such as filled forms. */
const ANNOTATIONS = 0x01;

/** @returns the pixels row by row, in one byte or four; null if there is no memory for them */
export function renderPage(
  functions: PdfiumFunctions,
  page: number,
  { width, height, turns, isGrey }: PictureSize & { readonly isGrey: boolean },
  around: AroundPart = { left: 0, top: 0, width, height },
): Uint8Array | null {
  const { format, bytes, flag } = isGrey ? GREY : COLOUR;
  const bitmap = functions.FPDFBitmap_CreateEx(width, height, format, 0, 0);
  if (bitmap === 0) return null;
  try {
    functions.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    const flags = ANNOTATIONS | flag;
    functions.FPDF_RenderPageBitmap(
      bitmap,
      page,
      around.left,
      around.top,
      around.width,
      around.height,
      turns,
      flags,
    );
    const buffer = functions.FPDFBitmap_GetBuffer(bitmap);
    const stride = functions.FPDFBitmap_GetStride(bitmap);
    const row = width * bytes;
    const pixels = new Uint8Array(row * height);
    const rows = new Uint8Array(functions.memory.buffer, buffer, stride * height);
    for (let y = 0; y < height; y++) {
      pixels.set(rows.subarray(y * stride, y * stride + row), y * row);
    }
    return pixels;
  } finally {
    functions.FPDFBitmap_Destroy(bitmap);
  }
}
