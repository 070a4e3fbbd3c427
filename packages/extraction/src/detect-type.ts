import { extname } from 'node:path';
import { DOCX, EML, EPUB, FORMATS, HTML, PDF, PPTX, RTF, TEXT, XLSX, XML, ZIP } from './formats.js';
import { detectCompoundFileType, isCompoundFile, type ReadAt } from './ole/compound-file.js';
import { detectByBytes } from './marked-encoding.js';

/** Pictures by their first bytes; `RIFF` has its size before its kind. */
const PICTURE_STARTS: readonly (readonly [start: RegExp, type: string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^(?:II[*+]\0|MM\0[*+])/, 'image/tiff'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
];

/** What the sender claims about a file. */
interface FileClaims {
  readonly name: string;
  /** The media type that its sender claims. */
  readonly declaredType: string;
}

/** Text formats, which only the file name or the sender can tell apart. */
const TEXT_TYPES: ReadonlyMap<string, string> = new Map<string, string>(
  [...FORMATS].flatMap(([type, { extensions, isText }]) =>
    isText ? extensions.map((extension): [string, string] => [`.${extension}`, type]) : [],
  ),
);
/** The start of a file by which its type is detected. */
export const SAMPLE_BYTES = 64 * 1024;

const PDF_FIRST_LINE = /^(?:\xef\xbb\xbf)?\s*%PDF-/;
/** Matches the header of a PDF below the first line, which PDF readers accept. */
const PDF_LINE = /[\r\n]%PDF-\d/;
const PDF_START = 1024;
/** An Office document with more parts cannot be read anyway. */
const MAX_PARTS = 20_000;

/** Control characters that occur in no text, whatever its encoding. */
// eslint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
const RTF_START = /^\ufeff?\s*\{\\rtf/;
/** PostScript would otherwise be taken for text. */
const POSTSCRIPT = /^\s*%!PS/;
/** A comment ends at its first `-->`; a choice of ends would make matching exponential. */
const HTML_ROOT =
  /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html)\b/i;
const XML_START = /^\ufeff?<\?xml\s/;
const HEADER_LINE = /^[A-Za-z][A-Za-z0-9-]*:(?:[ \t]|\S|$)/;
/** Headers of a mail that texts of other kinds do not begin with. */
const MAIL_HEADER = /^(?:message-id|mime-version|received|return-path|delivered-to):/im;
const SENDER = /^from:/im;

/** The part by which each type of archive is recognised. */
const ARCHIVES: readonly (readonly [part: RegExp, type: string])[] = [
  [/^word\/[^/]+\.xml$/, DOCX],
  [/^ppt\/presentation\d*\.xml$/, PPTX],
  [/^xl\/workbook\d*\.xml$/, XLSX],
  [/^META-INF\/container\.xml$/, EPUB],
];
/** Folder names that occur in the bytes of a damaged archive, by type. */
const DAMAGED_ARCHIVES: readonly (readonly [part: string, type: string])[] = [
  ['word/', DOCX],
  ['ppt/', PPTX],
  ['xl/', XLSX],
];
/** Archives that say their type in their first part, uncompressed. */
const DECLARED_ARCHIVE =
  /mimetype.{0,40}?(application\/(?:epub\+zip|vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation))(?![.-]))/s;
const DECLARED_ARCHIVE_BYTES = 100;
/** Archives that are files of a program rather than of documents. */
const OTHER_CONTAINER = /^.{30}mimetype/s;
const CONTAINER_PART =
  /^(?:\[Content_Types\]\.xml|xl\/workbook\.bin|META-INF\/MANIFEST\.MF|AndroidManifest\.xml)$/;

/** A file of which any part can be read. */
interface DetectedFile extends FileClaims {
  readonly sample: Buffer;
  readonly readAt: ReadAt;
  /** The names of the parts of an archive. */
  readonly partNames: () => AsyncIterable<string>;
}

/**
 * The type of a file by its content; the claims only tell one format of text from another.
 *
 * @param chosen the format of text that the sender names
 * @returns undefined for anything else
 */
export async function detectFileType(
  file: DetectedFile,
  chosen?: string,
): Promise<string | undefined> {
  const { sample, name } = file;
  if (isCompoundFile(sample)) {
    return detectCompoundFileType(file.readAt, extname(name).toLowerCase());
  }
  if (!isArchive(sample)) return detectType(sample, file, chosen);
  const declared = findDeclaredType(sample);
  return declared ?? (await detectArchiveType(file));
}

async function detectArchiveType({ sample, partNames }: DetectedFile): Promise<string | undefined> {
  try {
    let parts = 0;
    let isContainer = OTHER_CONTAINER.test(sample.toString('latin1', 0, DECLARED_ARCHIVE_BYTES));
    for await (const name of partNames()) {
      const type = findPartType(name);
      if (type !== undefined) return type;
      if (++parts > MAX_PARTS) return undefined;
      isContainer ||= CONTAINER_PART.test(name);
    }
    return isContainer ? undefined : ZIP;
  } catch {
    // A truncated or damaged archive, which fails when the document is read.
    return guessDamagedType(sample);
  }
}

/**
 * The type of a text, PDF or picture by its first bytes; the claims only tell one format of text from another.
 *
 * @param chosen the format of text that the sender names
 * @returns undefined for anything else
 */
function detectType(
  sample: Buffer,
  { name, declaredType }: FileClaims,
  chosen?: string,
): string | undefined {
  if (isPdf(sample)) return PDF;
  const picture = detectPictureType(sample);
  if (picture !== undefined) return picture;
  const start = new TextDecoder(detectByBytes(sample)).decode(sample);
  if (RTF_START.test(start)) return RTF;
  if (BINARY.test(start) || POSTSCRIPT.test(start)) return undefined;
  if (HTML_ROOT.test(start)) return HTML;
  if (chosen !== undefined) return chosen;
  if (isMail(start)) return EML;
  const known = TEXT_TYPES.get(extname(name).toLowerCase());
  if (known !== undefined) return known;
  const declared = declaredType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (FORMATS.get(declared)?.isText) return declared;
  return XML_START.test(start) ? XML : TEXT;
}

const isArchive = (sample: Buffer): boolean => sample.toString('latin1', 0, 4) === 'PK\x03\x04';

/** The type that an archive declares in its first part. */
const findDeclaredType = (sample: Buffer): string | undefined =>
  DECLARED_ARCHIVE.exec(sample.toString('latin1', 0, DECLARED_ARCHIVE_BYTES))?.[1];

/** The type of an Office document by the name of one of its parts. */
function findPartType(name: string): string | undefined {
  return ARCHIVES.find(([part]) => part.test(name))?.[1];
}

/** The type of an archive whose directory is damaged or cut off, by the names within its content. */
function guessDamagedType(sample: Buffer): string | undefined {
  if (!sample.includes('[Content_Types].xml')) return undefined;
  return DAMAGED_ARCHIVES.find(([part]) => sample.includes(part))?.[1] ?? DOCX;
}

/** The type of a picture by its first bytes. */
export function detectPictureType(sample: Uint8Array): string | undefined {
  const start = Buffer.from(sample.subarray(0, 12)).toString('latin1');
  return PICTURE_STARTS.find(([pattern]) => pattern.test(start))?.[1];
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

/** Whether a text begins with headers, and with those that only mails have. */
function isMail(start: string): boolean {
  if (!HEADER_LINE.test(start)) return false;
  const end = start.search(/\r?\n\r?\n/);
  const headers = end === -1 ? start : start.slice(0, end);
  const lines = headers.split(/\r?\n/);
  // A line that begins with a space goes on with the one before it.
  return (
    lines.every((line) => HEADER_LINE.test(line) || /^[ \t]/.test(line)) &&
    MAIL_HEADER.test(headers) &&
    SENDER.test(headers)
  );
}
