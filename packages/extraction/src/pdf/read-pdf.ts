import type { Block, ReadingContext } from '../block.js';
import { Unreadable } from '../unreadable.js';
import { withBullets } from './bullets.js';
import { withFigures } from './figures.js';
import { continueTables } from './continue-tables.js';
import { findTables } from './find-tables.js';
import { findBodySize, findHeadings } from './headings.js';
import { collectVocabulary } from './join-line.js';
import { type Line, type LineOrTable, toLines } from './lines.js';
import { readBookmarks, type OpenPdf, openPdf } from './open-pdf.js';
import { orderRows } from './order-rows.js';
import { joinParagraphs } from './paragraphs.js';
import { pdfium, type PdfiumFunctions } from './pdfium.js';
import { readPage } from './read-page.js';
import { removeRunningLines } from './running-lines.js';
import type { PageText } from './segment.js';
import { writeBlocks } from './write-blocks.js';

/** The end mark of a PDF is within this many bytes from its end. */
const TRAILER = 4096;
const MAX_PAGES = 10_000;

/** Reads paragraphs, headings, lists, tables and code from the places and styles of the letters. */
export async function readPdf(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  if (!Buffer.from(content.subarray(-TRAILER)).includes('%%EOF')) {
    throw new Unreadable('parse_failed', 'The PDF is cut off.');
  }
  const functions = await pdfium();
  const pdf = openPdf(functions, content);
  try {
    const pageCount = functions.FPDF_GetPageCount(pdf.document);
    if (pageCount > MAX_PAGES) {
      throw new Unreadable('too_large', `The PDF has more than ${MAX_PAGES} pages.`);
    }
    const pages: PageText[] = [];
    const garbled: number[] = [];
    for (let index = 0; index < pageCount; index++) {
      const page = readPageText(functions, pdf, index, content, context, garbled);
      if (page) pages.push(page);
      else warnOfPage(context, index + 1);
      context.progress();
    }
    if (pageCount > 0 && pages.length === 0) {
      throw new Unreadable('parse_failed', 'No page of the PDF can be read.');
    }
    if (garbled.length > 0) {
      const message = 'The fonts of some pages do not say which characters their letters are.';
      context.warn({ code: 'page_unreadable', message, pages: garbled });
    }
    return layOut(pages, readBookmarks(functions, pdf), context);
  } finally {
    pdf.close();
  }
}

/** Reads the recognised text of a page if there is any, or the page's own text. */
function readPageText(
  functions: PdfiumFunctions,
  pdf: OpenPdf,
  index: number,
  content: Uint8Array,
  { recognition }: ReadingContext,
  garbled: number[],
): PageText | null {
  const recognised = recognition.page(index + 1);
  if (recognised && recognised.isFailed !== true) return recognised;
  const page = readPage(functions, pdf, index, !recognition.isOff);
  if (!page) return null;
  const isOffered = !recognised && recognition.offer(index + 1, page.needsRecognition);
  if (page.isGarbled && !recognised && !isOffered) garbled.push(index + 1);
  return isOffered ? page : withFigures(page, page.figures, content, recognition);
}

/** Turns pages of positioned text into blocks. */
export function layOut(
  pages: readonly PageText[],
  bookmarks: ReturnType<typeof readBookmarks>,
  context: ReadingContext,
): Block[] {
  const running = removeRunningLines(pages, bookmarks);
  const ofPages = pages.map((page) => {
    context.progress();
    try {
      return findTables(withBullets(orderRows(page)));
    } catch {
      // An unexpected layout loses only its page, not the document.
      warnOfPage(context, page.number);
      return [];
    }
  });
  const items = continueTables(ofPages).flatMap(toLines);
  const lines = items.filter((item): item is Line => !('header' in item));
  const headings = findHeadings(items, bookmarks, pages.length);
  const vocabulary = collectVocabulary(items.flatMap(listLines));
  const parts = joinParagraphs(items, headings, vocabulary);
  return writeBlocks(parts, { headings, running, vocabulary, body: findBodySize(lines) });
}

/** The lines of an item, including those within cells, which may end within a word. */
const listLines = (item: LineOrTable): string[] =>
  'header' in item
    ? [item.header ?? [], ...item.rows]
        .flat()
        .filter((cell) => cell.includes('\n'))
        .flatMap((cell) => cell.split('\n'))
    : [item.text];

function warnOfPage(context: ReadingContext, page: number): void {
  const message = `Page ${page} cannot be read and was left out.`;
  context.warn({ code: 'page_unreadable', message });
}
