import { openPdf } from '../pdf/open-pdf.js';
import { pdfium } from '../pdf/pdfium.js';
import { renderPage } from '../pdf/render-page.js';
import type { PageImage, PageImages } from './page-image.js';

/** At less, small print is misread; at 300, a page takes twice the memory and reads no better. */
const DPI = 200;
/** An A0 poster at less resolution still fits. */
const MAX_PIXELS = 40_000_000;
const POINTS_PER_INCH = 72;

/** @throws Unreadable */
export async function imagesOfPdf(content: Uint8Array): Promise<PageImages> {
  const functions = await pdfium();
  const pdf = openPdf(functions, content);
  const draw = (number: number, turns: number): PageImage | null => {
    const page = functions.FPDF_LoadPage(pdf.document, number - 1);
    if (page === 0) return null;
    try {
      const isTurned = turns % 2 === 1;
      const points = [functions.FPDF_GetPageWidthF(page), functions.FPDF_GetPageHeightF(page)];
      const [across = 0, down = 0] = isTurned ? points.reverse() : points;
      const area = (across * down) / POINTS_PER_INCH ** 2;
      const dpi = Math.min(DPI, Math.sqrt(MAX_PIXELS / Math.max(area, 1e-6)));
      const width = Math.max(1, Math.round((across * dpi) / POINTS_PER_INCH));
      const height = Math.max(1, Math.round((down * dpi) / POINTS_PER_INCH));
      const size = { width, height, turns };
      const pixels = renderPage(functions, page, { ...size, isGrey: true });
      return pixels && { width, height, pixels, dpi };
    } finally {
      functions.FPDF_ClosePage(page);
    }
  };
  return {
    count: functions.FPDF_GetPageCount(pdf.document),
    draw: (page, turns) => Promise.resolve(draw(page, turns)),
    close: () => {
      pdf.close();
    },
  };
}
