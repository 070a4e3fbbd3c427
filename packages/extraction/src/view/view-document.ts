import { parseJson } from '@latchkey/text/parse-json';
import type { Reader } from '../block.js';
import { PDF } from '../formats.js';
import type { RecognisedText } from '../recognition/recognised-page.js';
import { Recognition } from '../recognition/recognition.js';
import { drawPage } from './draw-page.js';
import { type HtmlRequest, toHtml } from './to-html.js';

/** A request to view a page of a document. */
export interface ViewRequest extends HtmlRequest {
  readonly mimeType: string;
  /** The encoding of its text, if its sender named it. */
  readonly charset?: string | null;
  readonly content: Uint8Array;
  /** The recognised pages, each a `RecognisedText` as JSON. */
  readonly recognised: readonly string[];
}

/** A page of a document, ready to be shown. */
export interface DocumentView {
  readonly mimeType: 'image/png' | 'text/html; charset=utf-8';
  readonly content: Uint8Array;
  /** The number of a page, slide, sheet or chapter, from 1. */
  readonly page: number;
  readonly pageCount: number;
  /** How far down the passage begins, from 0 to 1; 0 in HTML, which has an anchor; null if it was not found. */
  readonly markedAt: number | null;
}

/**
 * Shows a page: as a picture for PDFs and pictures, as HTML for all other formats.
 *
 * @param progress called after each page, sheet or part
 * @returns null if the document has no such page
 * @throws Unreadable
 */
export async function viewDocument(
  read: Reader,
  request: ViewRequest,
  progress: () => void,
): Promise<DocumentView | null> {
  const { mimeType, content, passage } = request;
  if (mimeType === PDF || mimeType.startsWith('image/')) {
    const { locator = null } = passage ?? {};
    const ofPassage = locator && 'page' in locator ? locator.page : 1;
    const page = request.page ?? ofPassage;
    const recognised = request.recognised.map((each) => parseJson(each) as RecognisedText);
    const drawn = await drawPage({
      mimeType,
      content,
      page,
      text: passage?.text ?? null,
      recognised: recognised.find(({ number }) => number === page),
    });
    if (!drawn) return null;
    const { png, ...place } = drawn;
    return { mimeType: 'image/png', content: png, page, ...place };
  }
  const recognition = new Recognition({ ocr: 'auto', maxPages: 0, recognised: request.recognised });
  const named = request.charset ? { charset: request.charset } : {};
  const context = { progress, warn: () => undefined, recognition, ...named };
  const blocks = await read(content, context);
  const written = toHtml(blocks, request);
  if (!written) return null;
  const { html, page, pageCount, isMarked } = written;
  const place = { page, pageCount, markedAt: isMarked ? 0 : null };
  return { mimeType: 'text/html; charset=utf-8', content: Buffer.from(html), ...place };
}
