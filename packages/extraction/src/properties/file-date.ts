import { Archive } from '../archive/archive.js';
import { attribute, readXml } from '../archive/xml.js';
import type { ReadingContext } from '../block.js';
import { decodeText } from '../decode-text.js';
import { DOCX, EML, EPUB, HTML, MARKDOWN, ODP, ODS, ODT, PDF, PPTX, XLSX } from '../formats.js';
import { readPartialDate } from './partial-date.js';

type ReadDates = (
  content: Uint8Array,
  context: ReadingContext,
) => Promise<readonly (string | undefined)[]>;

/** The part of a text in which its own date stands. */
const HEAD_BYTES = 64 * 1024;
const META = /<meta\b[^>]{0,1000}>/gi;
const META_NAME = /\b(?:name|property|itemprop|http-equiv)\s*=\s*["']?([\w:.-]+)/i;
const META_CONTENT = /\bcontent\s*=\s*["']([^"']{4,100})/i;
const META_NAMES = [
  'article:modified_time',
  'og:updated_time',
  'dcterms.modified',
  'dc.date.modified',
  'datemodified',
  'last-modified',
  'article:published_time',
  'dcterms.date',
  'dc.date',
  'dcterms.created',
  'datepublished',
  'date',
];
const FRONT_MATTER = /^\ufeff?(---|\+\+\+)[^\S\n]*\n([\s\S]{0,20000}?)\n\1/;
const FRONT_MATTER_NAMES = [
  'lastmod',
  'last_modified_at',
  'last_updated',
  'updated',
  'modified',
  'date',
  'published',
];

const office: ReadDates = (content, context) =>
  readElements(content, context, 'docProps/core.xml', ['modified', 'created']);
const openDocument: ReadDates = (content, context) =>
  readElements(content, context, 'meta.xml', ['date', 'creation-date']);

/**
 * How each format says of when a file is, the best first: Office and OpenDocument when it was changed last; a PDF when
 * it was made, since programs that only compress or sign it change the other; a mail when it was sent.
 */
const READERS: ReadonlyMap<string, ReadDates> = new Map<string, ReadDates>([
  [DOCX, office],
  [XLSX, office],
  [PPTX, office],
  [ODT, openDocument],
  [ODS, openDocument],
  [ODP, openDocument],
  [EPUB, readBook],
  [PDF, readPdf],
  [EML, (content) => Promise.resolve([readHeader(head(content))])],
  [HTML, (content) => Promise.resolve(readMetaTags(head(content)))],
  [MARKDOWN, (content) => Promise.resolve(readFields(head(content)))],
]);

/** The date that a file's own properties say; null if they say none, or cannot be read. */
export async function readFileDate(
  mimeType: string,
  content: Uint8Array,
  context: ReadingContext,
): Promise<string | null> {
  try {
    const dates = await READERS.get(mimeType)?.(content, context);
    return dates?.map(readPartialDate).find((date) => date !== undefined) ?? null;
  } catch {
    // The text was read, and a date is no reason to fail.
    return null;
  }
}

const head = (content: Uint8Array): string => decodeText(content.subarray(0, HEAD_BYTES));

async function readElements(
  content: Uint8Array,
  context: ReadingContext,
  part: string,
  names: readonly string[],
): Promise<(string | undefined)[]> {
  const archive = await Archive.open(content, context);
  const found = archive.has(part) ? await readTexts(archive, part) : new Map<string, string>();
  return names.map((name) => found.get(name));
}

/** The text of each element by its name, of the first of a name. */
async function readTexts(archive: Archive, part: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let open: string | undefined;
  await readXml(archive.read(part), {
    open(name, attributes) {
      const key = attribute(attributes, 'property') ?? name;
      open = found.has(key) ? undefined : key;
    },
    text(text) {
      if (open !== undefined) found.set(open, (found.get(open) ?? '') + text);
    },
    close() {
      open = undefined;
    },
  });
  return found;
}

async function readBook(
  content: Uint8Array,
  context: ReadingContext,
): Promise<(string | undefined)[]> {
  const archive = await Archive.open(content, context);
  const part = archive.names.find((name) => name.endsWith('.opf'));
  const found = part === undefined ? new Map<string, string>() : await readTexts(archive, part);
  // When a book was published says more of it than when its file was made.
  return ['date', 'dcterms:modified'].map((name) => found.get(name));
}

async function readPdf(content: Uint8Array): Promise<string[]> {
  const { pdfium } = await import('../pdf/pdfium.js');
  const { openPdf, readProperty } = await import('../pdf/open-pdf.js');
  const functions = await pdfium();
  const pdf = openPdf(functions, content);
  try {
    return ['CreationDate', 'ModDate'].map((key) => readProperty(functions, pdf, key));
  } finally {
    pdf.close();
  }
}

const readHeader = (text: string): string | undefined =>
  /^date:\s*(.{1,100})/im.exec(text.split(/\r?\n\r?\n/, 1)[0] ?? '')?.[1];

function readMetaTags(html: string): (string | undefined)[] {
  const tags = (html.match(META) ?? []).map((tag) => ({
    name: META_NAME.exec(tag)?.[1]?.toLowerCase(),
    content: META_CONTENT.exec(tag)?.[1],
  }));
  return META_NAMES.map((name) => tags.find((tag) => tag.name === name)?.content);
}

function readFields(markdown: string): (string | undefined)[] {
  const [, , fields = ''] = FRONT_MATTER.exec(markdown.replaceAll('\r\n', '\n')) ?? [];
  return FRONT_MATTER_NAMES.map(
    (name) =>
      new RegExp(`^["']?${name}["']?\\s*[:=]\\s*["']?(\\d{4}[^"'\\s]*)`, 'im').exec(fields)?.[1],
  );
}
