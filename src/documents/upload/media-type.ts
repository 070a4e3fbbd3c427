import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Problem } from '../../problems/problem.js';
import { markedEncoding } from '../extraction/decode-text.js';
import type { UploadedFile } from './uploaded-file.js';

const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const TYPES_BY_EXTENSION: Record<string, string> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'text/html',
  '.md': 'text/markdown',
  '.mdx': 'text/markdown',
  '.markdown': 'text/markdown',
};
const PDF_FIRST_LINE = /^(?:\xef\xbb\xbf)?\s*%PDF-/;
/** Not at the start, as PDF readers accept it, unless the file is a text about PDF. */
const PDF_LINE = /[\r\n]%PDF-\d/;
const PDF_START = 1024;
/** A DOCX with more parts cannot be read anyway. */
const MAX_PARTS = 5000;
const SAMPLE = 64 * 1024;

/** Control characters that occur in no text, whatever its encoding. */
// eslint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
/** RTF and PostScript: they look like text. */
const OTHER_MARKUP = /^\s*(\{\\rtf|%!PS)/;
/** A comment ends at its first `-->`; a choice of ends would make matching exponential. */
const HTML_ROOT =
  /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html)\b/i;

/**
 * Detects the media type from the content. The file name and the client's claim are used only to
 * tell one text format from another.
 *
 * @throws Problem `unsupported_media_type`
 */
export async function mediaTypeOf(file: UploadedFile, chosen?: string): Promise<string> {
  const sample = await sampleOf(file);
  if (isPdf(sample)) return PDF;
  if (sample.toString('latin1', 0, 4) === 'PK\x03\x04' && (await isDocx(file, sample))) {
    return DOCX;
  }
  const start = new TextDecoder(markedEncoding(sample)).decode(sample);
  if (BINARY.test(start) || OTHER_MARKUP.test(start)) {
    throw new Problem('unsupported_media_type', {
      detail: 'The file is none of PDF, DOCX, HTML, Markdown and text.',
    });
  }
  if (HTML_ROOT.test(start)) return 'text/html';
  const declared = /^text\/(html|markdown)\b/.exec(file.declaredType)?.[0];
  return chosen ?? TYPES_BY_EXTENSION[extname(file.name).toLowerCase()] ?? declared ?? 'text/plain';
}

async function sampleOf({ path }: UploadedFile): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE), 0, SAMPLE, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function isPdf(sample: Buffer): boolean {
  const start = sample.toString('latin1', 0, PDF_START);
  return PDF_FIRST_LINE.test(start) || (PDF_LINE.test(start) && !beginsAsUtf8(sample));
}

function beginsAsUtf8(sample: Buffer): boolean {
  try {
    // The sample may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

async function isDocx({ path }: UploadedFile, sample: Buffer): Promise<boolean> {
  try {
    const { openPromise } = await import('yauzl');
    let parts = 0;
    const archive = await openPromise(path);
    for await (const { fileName } of archive.eachEntry()) {
      if (fileName.startsWith('word/')) return true;
      if (++parts > MAX_PARTS) return false;
    }
    return false;
  } catch {
    // A truncated or damaged archive, which fails when the document is read.
    return sample.includes('[Content_Types].xml');
  }
}
