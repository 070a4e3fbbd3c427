import { parseJson } from '@latchkey/text/parse-json';
import type { DocumentWarning, FileWithin, RecognisedPages } from '../block.js';
import type { ExtractionRequest } from '../extract.js';
import type { RecognisedText } from './recognised-page.js';

/** Pages of files within a document are numbered from a multiple of this. */
export const FILE_PAGES = 100_000;
const MAX_FILES = 20_000;

/** The recognised pages of a document, and those still to be recognised. */
export class Recognition implements RecognisedPages {
  readonly pagesToRecognise: number[] = [];
  private readonly pagesLeftOut: number[] = [];
  /** Whether a page's text is missing because recognition is off. */
  isMissed = false;
  readonly isOff: boolean;
  private readonly pages: ReadonlyMap<number, RecognisedText>;
  private readonly files = new Set<string>();

  /** @param onFile called with the number before the first page of each embedded file or picture */
  constructor(
    private readonly request: Pick<ExtractionRequest, 'ocr' | 'maxPages' | 'recognised'>,
    private readonly onFile?: (first: number, file: FileWithin) => void,
  ) {
    this.isOff = request.ocr === 'off';
    const stored = request.ocr === 'off' ? [] : request.recognised;
    const pages = stored.map((page) => parseJson(page) as RecognisedText);
    this.pages = new Map(pages.map((page) => [page.number, page]));
  }

  page(number: number): RecognisedText | undefined {
    return this.pages.get(number);
  }

  offer(number: number, isNeeded: boolean): boolean {
    const { ocr, maxPages } = this.request;
    const isWanted = ocr === 'always' || (ocr === 'auto' && isNeeded);
    if (isWanted) {
      const isLeft = this.pages.size + this.pagesToRecognise.length < maxPages;
      (isLeft ? this.pagesToRecognise : this.pagesLeftOut).push(number);
    } else if (isNeeded) this.isMissed = true;
    return isWanted;
  }

  within(file: FileWithin): RecognisedPages | undefined {
    if (this.files.has(file.key) || this.files.size >= MAX_FILES) return undefined;
    const first = this.files.add(file.key).size * FILE_PAGES;
    this.onFile?.(first, file);
    return {
      isOff: this.isOff,
      page: (number) => this.page(first + number),
      offer: (number, isNeeded) => this.offer(first + number, isNeeded),
      within: (inside) => this.within(inside),
    };
  }

  warn(warn: (warning: DocumentWarning) => void): void {
    const pages = [...this.pages.values()].filter(({ rows }) => rows.length > 0);
    if (pages.length > 0) {
      const rated = pages.filter(({ isUnrated }) => isUnrated !== true);
      const sum = rated.reduce((total, { confidence }) => total + confidence, 0);
      warn({
        code: 'recognised',
        message: 'Text was recognised in pictures, which may have misread letters.',
        ...namePages(pages.map(({ number }) => number)),
        ...(rated.length > 0 && { confidence: Math.round(sum / rated.length) }),
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
        message: 'Some pages or pictures could not be recognised.',
        ...namePages(failed.map(({ number }) => number)),
      });
    }
    if (this.pagesLeftOut.length > 0) {
      warn({
        code: 'recognition_limited',
        message: 'Some pages or pictures were not recognised: see the setting `ocr_max_pages`.',
        ...namePages(this.pagesLeftOut),
      });
    }
    if (this.pagesToRecognise.length > 0) {
      warn({
        code: 'recognition_pending',
        message: 'Some pages or pictures are still to be recognised.',
        ...namePages(this.pagesToRecognise),
      });
    }
  }
}

/** Lists the document's own pages; the numbers of embedded pictures mean nothing to users. */
function namePages(numbers: readonly number[]): { pages?: number[] } {
  const pages = numbers.filter((number) => number < FILE_PAGES);
  return pages.length === 0 ? {} : { pages: pages.sort((one, other) => one - other) };
}
