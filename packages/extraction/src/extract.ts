import type { DocumentWarning, Locator, Reader, ReaderWarning } from './block.js';
import { cutPassages } from './cut-passages.js';
import { detectLanguage } from './detect-language.js';
import { FORMATS } from './formats.js';
import { readFileDate } from './properties/file-date.js';
import { Recognition } from './recognition/recognition.js';
import type { PassageTable } from './extracted.js';
import { Unreadable } from './unreadable.js';
import { WarningList } from './warning-list.js';

/** Words in a passage, and how many of them the next passage repeats. */
export interface PassageLimits {
  readonly chunkSize: number;
  readonly chunkOverlap: number;
}

/** Whether pages that are pictures are recognised, or all pages, or none. */
type Ocr = 'auto' | 'off' | 'always';

export interface ExtractionRequest extends PassageLimits {
  readonly mimeType: string;
  /** The encoding of its text, if its sender named it. */
  readonly charset?: string | null;
  readonly content: Uint8Array;
  readonly ocr: Ocr;
  /** The maximum number of pages to recognise. */
  readonly maxPages: number;
  /** Pages recognised in an earlier run, each a `RecognisedText` as JSON. */
  readonly recognised: readonly string[];
}

/** A passage of a document. */
export interface ExtractedPassage {
  text: string;
  /** The headings above the passage, joined. */
  heading: string | null;
  /** The page on which the passage begins, from 1; null for formats without pages. */
  page: number | null;
  /** The place where the passage begins. */
  locator: Locator | null;
  /** The table rows in the passage, if it has any. */
  cells: PassageTable | null;
}

export interface ExtractionResult {
  passages: ExtractedPassage[];
  /** Warnings about content that was left out. */
  warnings: DocumentWarning[];
  /** As BCP 47; null when it is not sure. */
  language: string | null;
  /** The date that the file's own properties say, as `2025-03-01`; null if they say none. */
  date: string | null;
  /** Pages whose text is still missing, from 1. A document that has some may have no passages yet. */
  pagesToRecognise: number[];
}

/** Limits the cost of indexing a document and of removing it. */
const MAX_PASSAGES = 20_000;

/**
 * Cuts a document into passages along headings, paragraphs and sentences.
 *
 * @param progress called after each page, sheet or part
 * @throws Unreadable
 */
export async function extract(
  read: Reader,
  request: ExtractionRequest,
  progress: () => void,
): Promise<ExtractionResult> {
  const warnings = new WarningList();
  const warn = (warning: ReaderWarning) => {
    warnings.add(warning);
  };
  const recognition = new Recognition(request);
  const named = request.charset ? { charset: request.charset } : {};
  const context = { progress, warn, recognition, ...named };
  const blocks = await read(request.content, context);
  const passages: ExtractedPassage[] = [];
  for (const passage of cutPassages(blocks, request)) {
    if (passages.length === MAX_PASSAGES) {
      throw new Unreadable(
        'too_many_chunks',
        `The document makes more than ${MAX_PASSAGES} passages; split it, or raise chunk_size.`,
      );
    }
    passages.push(passage);
    progress();
  }
  const { pagesToRecognise } = recognition;
  if (passages.length === 0 && pagesToRecognise.length === 0) {
    throw new Unreadable(
      'no_text_extracted',
      recognition.isMissed
        ? 'The document has no text, and recognition is off: see the setting `ocr`.'
        : 'The document has no text.',
    );
  }
  recognition.warn(warn);
  const language = detectLanguage(passages.map(({ text }) => text));
  const date = await readFileDate(request.mimeType, request.content, context);
  return { passages, warnings: warnings.toWarnings(), language, date, pagesToRecognise };
}

/** Loads the reader of a media type. */
export const loadReader = async (mimeType: string): Promise<Reader> =>
  (await FORMATS.get(mimeType)?.load()) ??
  (() => {
    throw new Unreadable('unsupported_type', `Documents of type ${mimeType} cannot be read.`);
  });
