import type { DocumentWarning, Locator } from './block.js';
import { chunkSection } from './chunk-section.js';
import { decodeText } from './decode-text.js';
import type { Section } from './section.js';
import { Unreadable } from './unreadable.js';

/** Words in a chunk, and how many of them the next chunk repeats. */
export interface ChunkLimits {
  readonly chunkSize: number;
  readonly chunkOverlap: number;
}

export interface ExtractionRequest extends ChunkLimits {
  readonly mimeType: string;
  readonly content: Uint8Array;
}

/** A passage of a document. */
export interface ExtractedChunk {
  text: string;
  /** The headings that it stands under, joined. */
  heading: string | null;
  /** Of formats with pages: the one on which it begins, from 1. */
  page: number | null;
  /** Where it begins. */
  locator: Locator | null;
}

export interface ExtractionResult {
  chunks: ExtractedChunk[];
  /** What was left out. */
  warnings: DocumentWarning[];
}

/** Limits the cost of indexing a document and of removing it. */
const MAX_CHUNKS = 20_000;
const HEADING_SEPARATOR = ' › ';
/** Each chunk is stored with its headings, so these must be much shorter than a chunk. */
const MAX_HEADING = 200;
const MAX_HEADING_PATH = 500;

export type Parser = (content: Uint8Array) => Section[] | Promise<Section[]>;

/**
 * Cuts a document into passages along pages, headings, paragraphs and sentences.
 *
 * @throws Unreadable
 */
export async function extract(
  parse: Parser,
  request: ExtractionRequest,
): Promise<ExtractionResult> {
  const chunks: ExtractedChunk[] = [];
  for (const { headings, text, page } of await parse(request.content)) {
    const heading = headingOf(headings);
    for (const chunk of chunkSection(storable(text), request)) {
      if (chunks.length === MAX_CHUNKS) {
        throw new Unreadable(
          'too_many_chunks',
          `The document makes more than ${MAX_CHUNKS} passages; split it, or raise chunk_size.`,
        );
      }
      const locator = page === undefined ? null : { page };
      chunks.push({ text: chunk.toWellFormed(), heading, page: page ?? null, locator });
    }
  }
  if (chunks.length === 0) {
    throw new Unreadable('no_text_extracted', 'The document has no text.');
  }
  return { chunks, warnings: [] };
}

/** Loads a parser's libraries only when they are needed, since most of them are large. */
export async function parserOf(mimeType: string): Promise<Parser> {
  switch (mimeType) {
    case 'application/pdf':
      return (await import('./read-pdf.js')).readPdf;
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return (await import('./read-docx.js')).readDocx;
    case 'text/html': {
      const { readHtml } = await import('./read-html.js');
      return (content) => readHtml(decodeText(content));
    }
    case 'text/markdown': {
      const { readMarkdown } = await import('./read-markdown.js');
      return (content) => readMarkdown(decodeText(content));
    }
    case 'text/plain':
      return (content) => [{ headings: [], text: decodeText(content) }];
    default:
      return () => {
        throw new Unreadable('unsupported_type', `Documents of type ${mimeType} cannot be read.`);
      };
  }
}

function headingOf(headings: readonly string[]): string | null {
  if (headings.length === 0) return null;
  const path = headings.map((heading) => heading.slice(0, MAX_HEADING)).join(HEADING_SEPARATOR);
  return storable(path.slice(0, MAX_HEADING_PATH)).toWellFormed();
}

/** PostgreSQL stores no NUL in text. */
const storable = (text: string) => text.replaceAll('\0', '');
