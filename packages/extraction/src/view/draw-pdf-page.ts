import { type OpenPdf, openPdf } from '../pdf/open-pdf.js';
import { pdfium, type PdfiumFunctions } from '../pdf/pdfium.js';
import { readPage } from '../pdf/read-page.js';
import { type PictureSize, renderPage } from '../pdf/render-page.js';
import { type Mark, MAX_SIDE, type PagePicture, type PageRequest } from './draw-page.js';
import { type PageRectangle, findRectangles } from './mark-page.js';
import { findRecognisedMarks } from './recognised-marks.js';

/** @throws Unreadable */
export async function drawPdfPage(request: PageRequest): Promise<PagePicture | null> {
  const functions = await pdfium();
  const pdf = openPdf(functions, request.content);
  try {
    const pageCount = functions.FPDF_GetPageCount(pdf.document);
    if (request.page > pageCount) return null;
    const page = functions.FPDF_LoadPage(pdf.document, request.page - 1);
    if (page === 0) return null;
    try {
      return draw(functions, pdf, page, { ...request, pageCount });
    } finally {
      functions.FPDF_ClosePage(page);
    }
  } finally {
    pdf.close();
  }
}

function draw(
  functions: PdfiumFunctions,
  pdf: OpenPdf,
  page: number,
  { page: number, text, recognised, pageCount }: PageRequest & { readonly pageCount: number },
): PagePicture | null {
  const { turns = 0, angle = 0 } = recognised ?? {};
  const points = [functions.FPDF_GetPageWidthF(page), functions.FPDF_GetPageHeightF(page)];
  const [across = 0, down = 0] = turns % 2 === 1 ? points.reverse() : points;
  const scale = MAX_SIDE / Math.max(across, down, 1);
  const width = Math.max(1, Math.round(across * scale));
  const height = Math.max(1, Math.round(down * scale));
  const size = { width, height, turns };
  const pixels = renderPage(functions, page, { ...size, isGrey: false });
  if (!pixels) return null;
  const picture = { pixels, width, height, channels: 4 as const, pageCount };
  if (text === null) return { ...picture, marks: [], angle: 0 };
  if (recognised)
    return { ...picture, marks: findRecognisedMarks(text, recognised, height), angle };
  const read = readPage(functions, pdf, number - 1, false);
  const places = read ? findRectangles(text, read) : [];
  return {
    ...picture,
    marks: places.map((each) => toMark(functions, pdf, page, size, each)),
    angle: 0,
  };
}

/** Converts a place on a page to its picture, which may be turned or cropped. */
function toMark(
  functions: PdfiumFunctions,
  { scratch }: OpenPdf,
  page: number,
  { width, height, turns }: PictureSize,
  { left, right, bottom, top }: PageRectangle,
): Mark {
  const { address } = scratch;
  const toPixel = (x: number, y: number) => {
    functions.FPDF_PageToDevice(page, 0, 0, width, height, turns, x, y, address, address + 4);
    return [scratch.integer(0), scratch.integer(4)] as const;
  };
  const [x1, y1] = toPixel(left, bottom);
  const [x2, y2] = toPixel(right, top);
  return {
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
  };
}
