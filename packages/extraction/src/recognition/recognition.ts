import { parseJson } from '@latchkey/text/parse-json';
import type { DocumentWarning, RecognisedPages } from '../block.js';
import type { ExtractionRequest } from '../extract.js';
import type { PageText } from '../pdf/segment.js';
import type { RecognisedPage } from './recognised-page.js';

/** What was recognised of a document, and what is still to be. */
export class Recognition implements RecognisedPages {
  readonly pagesToRecognise: number[] = [];
  private readonly pagesLeftOut: number[] = [];
  /** Whether a page's text is missing because recognition is off. */
  isMissed = false;
  private readonly pages: ReadonlyMap<number, RecognisedPage>;

  constructor(
    private readonly request: Pick<ExtractionRequest, 'ocr' | 'maxPages' | 'recognised'>,
  ) {
    const stored = request.ocr === 'off' ? [] : request.recognised;
    const pages = stored.map((page) => parseJson(page) as RecognisedPage);
    this.pages = new Map(pages.map((page) => [page.number, page]));
  }

  page(number: number): PageText | undefined {
    return this.pages.get(number);
  }

  offer(number: number, isNeeded: boolean): void {
    const { ocr, maxPages } = this.request;
    if (ocr === 'always' || (ocr === 'auto' && isNeeded)) {
      const isLeft = this.pages.size + this.pagesToRecognise.length < maxPages;
      (isLeft ? this.pagesToRecognise : this.pagesLeftOut).push(number);
    } else if (isNeeded) this.isMissed = true;
  }

  warn(warn: (warning: DocumentWarning) => void): void {
    const pages = [...this.pages.values()].filter(({ rows }) => rows.length > 0);
    if (pages.length > 0) {
      const sum = pages.reduce((total, { confidence }) => total + confidence, 0);
      warn({
        code: 'recognised',
        message: 'Text was recognised in pictures of pages, which may have misread letters.',
        pages: pages.map(({ number }) => number).sort((one, other) => one - other),
        confidence: Math.round(sum / pages.length),
      });
    }
    const missing = new Set(pages.flatMap((page) => page.missing ?? []));
    for (const language of missing) {
      warn({
        code: 'language_not_installed',
        message: `Recognition has no data of ${language}: npm run models -- install ocr:${language}`,
      });
    }
    const failed = [...this.pages.values()].filter(({ isFailed }) => isFailed);
    if (failed.length > 0) {
      warn({
        code: 'page_unreadable',
        message: 'Some pages could not be recognised.',
        pages: failed.map(({ number }) => number),
      });
    }
    if (this.pagesLeftOut.length > 0) {
      warn({
        code: 'recognition_limited',
        message: 'Some pages were not recognised: see the setting `ocr_max_pages`.',
        pages: this.pagesLeftOut,
      });
    }
    if (this.pagesToRecognise.length > 0) {
      warn({
        code: 'recognition_pending',
        message: 'Some pages are still to be recognised.',
        pages: this.pagesToRecognise,
      });
    }
  }
}
