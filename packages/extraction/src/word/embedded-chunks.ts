import { extname } from 'node:path';
import type { Block, Reader, ReadingContext } from '../block.js';
import { SAMPLE_BYTES } from '../detect-type.js';
import { DOCX, FORMATS, HTML, RTF, TEXT } from '../formats.js';

/** Limits the embedded documents, including those nested in others. */
const MAX_CHUNKS = 100;

/** The number of embedded documents that may still be read. */
export interface ChunkBudget {
  left: number;
}

export const newChunkBudget = (): ChunkBudget => ({ left: MAX_CHUNKS });

const ARCHIVED_PAGE = /^\s*(?:MIME-Version|From|Content-Type):/i;
const STARTS: readonly (readonly [start: RegExp, type: string])[] = [
  [/^PK(?!\w)/, DOCX],
  [/^(?:\xef\xbb\xbf)?\s*\{\\rtf/, RTF],
  [/^(?:\xef\xbb\xbf)?\s*<(?!\?mso-application)/, HTML],
];
const EXTENSIONS: Readonly<Record<string, string>> = {
  '.txt': TEXT,
  '.html': HTML,
  '.htm': HTML,
  '.xhtml': HTML,
};

/**
 * Reads a document of another format embedded in a DOCX, which Word converts when it opens the file.
 *
 * @param name the name of its part
 * @param readDocx the reader for chunks of the same format
 * @returns an empty list for formats that Word does not embed
 * @throws Unreadable
 */
export async function readChunk(
  name: string,
  bytes: Uint8Array,
  context: ReadingContext,
  readDocx: Reader,
): Promise<readonly Block[]> {
  const start = Buffer.from(bytes.subarray(0, SAMPLE_BYTES)).toString('latin1');
  if (ARCHIVED_PAGE.test(start)) {
    const { readArchivedPage } = await import('../read-eml.js');
    return readArchivedPage(bytes, context);
  }
  const found = STARTS.find(([pattern]) => pattern.test(start))?.[1];
  const type = found ?? EXTENSIONS[extname(name).toLowerCase()];
  if (type === DOCX) return readDocx(bytes, context);
  const read = type === undefined ? undefined : await FORMATS.get(type)?.load();
  return read ? read(bytes, context) : [];
}
