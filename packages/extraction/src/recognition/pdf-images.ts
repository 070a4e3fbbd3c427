import type { Box } from '../pdf/characters.js';
import { openPdf } from '../pdf/open-pdf.js';
import { pdfium, type PdfiumFunctions } from '../pdf/pdfium.js';
import { renderPage } from '../pdf/render-page.js';
import type { PageImage, PageImages } from './page-image.js';

/** With fewer, small print is misread; with 300, a page takes twice the memory and reads no better. */
const DPI = 200;
/** An A0 poster is drawn at a lower resolution to fit. */
const MAX_PIXELS = 40_000_000;
const POINTS_PER_INCH = 72;

/** @throws Unreadable */
export const openPdfImages = (content: Uint8Array): Promise<PageImages> => openImages(content);

/** Opens the part of a page with a picture as a document of one page. */
export async function openFigureImages(
  content: Uint8Array,
  page: number,
  box: Box,
): Promise<PageImages> {
  const images = await openImages(content, box);
  // Only whole pages are turned, so rotated pictures stay unread.
  return {
    ...images,
    draw: (_, turns) => (turns === 0 ? images.draw(page, 0) : Promise.resolve(null)),
  };
}

async function openImages(content: Uint8Array, box?: Box): Promise<PageImages> {
  const functions = await pdfium();
  const pdf = openPdf(functions, content);
  return {
    count: functions.FPDF_GetPageCount(pdf.document),
    draw: (page, turns) => Promise.resolve(draw(functions, pdf.document, page, turns, box)),
    close: () => {
      pdf.close();
    },
  };
}

/** Draws a page, or a part of it, which is not turned. */
function draw(
  functions: PdfiumFunctions,
  document: number,
  number: number,
  turns: number,
  box?: Box,
): PageImage | null {
  const page = functions.FPDF_LoadPage(document, number - 1);
  if (page === 0) return null;
  try {
    const isTurned = turns % 2 === 1;
    const points = [functions.FPDF_GetPageWidthF(page), functions.FPDF_GetPageHeightF(page)];
    const [across = 0, down = 0] = isTurned ? points.reverse() : points;
    const part = clipToPage(box ?? { left: 0, bottom: 0, right: across, top: down }, across, down);
    const area = ((part.right - part.left) * (part.top - part.bottom)) / POINTS_PER_INCH ** 2;
    const dpi = Math.min(DPI, Math.sqrt(MAX_PIXELS / Math.max(area, 1e-6)));
    const pixels = (points: number) => Math.round((points * dpi) / POINTS_PER_INCH);
    const width = Math.max(1, pixels(part.right - part.left));
    const height = Math.max(1, pixels(part.top - part.bottom));
    const drawn = renderPage(
      functions,
      page,
      { width, height, turns, isGrey: true },
      {
        left: -pixels(part.left),
        top: -pixels(down - part.top),
        width: Math.max(1, pixels(across)),
        height: Math.max(1, pixels(down)),
      },
    );
    return drawn && { width, height, pixels: drawn, dpi };
  } finally {
    functions.FPDF_ClosePage(page);
  }
}

const clipToPage = ({ left, bottom, right, top }: Box, across: number, down: number): Box => ({
  left: Math.max(0, left),
  bottom: Math.max(0, bottom),
  right: Math.max(0, Math.min(right, across)),
  top: Math.max(0, Math.min(top, down)),
});
