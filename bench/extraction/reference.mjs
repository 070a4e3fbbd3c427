// What independent programs read of a document: Debian's poppler-utils and pandoc.
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { promisify } from 'node:util';

const MAX_OUTPUT = 256 * 1024 * 1024;
const TIMEOUT_MS = 300_000;
/** Pages that must have a line for it to be a running one, and how many lines at their edges. */
const RUNNING_PAGES = 3;
const HEADER_LINES = 2;
const FOOTER_LINES = 3;
const PANDOC_FORMATS = new Map([
  ['.docx', 'docx'],
  ['.odt', 'odt'],
  ['.epub', 'epub'],
  ['.html', 'html'],
  ['.md', 'gfm'],
  ['.mdx', 'gfm'],
]);
const PACKAGES = new Map([
  ['pdftotext', 'poppler-utils'],
  ['pdftohtml', 'poppler-utils'],
  ['pandoc', 'pandoc'],
]);

const run = promisify(execFile);

/**
 * @typedef {object} Reference
 * @property {string | null} text without running lines; null where no program reads the format
 * @property {Set<string>} running lines at the edges of several pages, with their numbers masked
 * @property {number} pages
 * @property {string[] | null} headings by the outline of a PDF, or the headings of other formats;
 *   null where there are none to compare with
 */

/** @returns {Promise<string[]>} notes on what is not installed */
export async function missingPrograms() {
  /** @type {string[]} */
  const notes = [];
  for (const [program, debianPackage] of PACKAGES) {
    const isThere = await run(program, ['--version']).then(
      () => true,
      (error) => error.code !== 'ENOENT',
    );
    if (!isThere) {
      notes.push(
        `${program} is not installed (apt-get install ${debianPackage}): its columns are empty`,
      );
    }
  }
  return notes;
}

/**
 * @param {string} file
 * @returns {Promise<Reference>}
 */
export async function referenceOf(file) {
  const extension = extname(file).toLowerCase();
  if (extension === '.pdf') return ofPdf(file);
  const format = PANDOC_FORMATS.get(extension);
  const nothing = { text: null, running: new Set(), pages: 0, headings: null };
  if (!format) return nothing;
  const pandoc = (/** @type {string} */ to) =>
    output('pandoc', ['-f', format, '-t', to, '--wrap=none', file]);
  const text = await pandoc('plain');
  const tree = await pandoc('json');
  return { ...nothing, text, headings: tree === null ? null : headersOf(JSON.parse(tree)) };
}

/** @param {string} file */
async function ofPdf(file) {
  // In the order of reading; `-layout` tells what stands at the edges of pages.
  const plain = await output('pdftotext', [file, '-']);
  const layout = await output('pdftotext', ['-layout', file, '-']);
  const outline = await output('pdftohtml', ['-xml', '-i', '-q', '-stdout', '-l', '1', file]);
  const items = outline?.match(/(?<=<item[^>]*>)[^<]*\p{L}[^<]*/gu) ?? [];
  const running = layout === null ? new Set() : runningLines(layout.split('\f'));
  return {
    text: plain === null ? null : joinHyphens(withoutLines(plain, running)),
    running,
    pages: layout === null ? 0 : layout.split('\f').length - 1,
    headings: items.length > 0 ? items.map(unescape) : null,
  };
}

/**
 * @param {string} program
 * @param {string[]} options
 * @returns {Promise<string | null>} null where it is not installed, or cannot read the file
 */
async function output(program, options) {
  try {
    const { stdout } = await run(program, options, { maxBuffer: MAX_OUTPUT, timeout: TIMEOUT_MS });
    return stdout;
  } catch {
    return null;
  }
}

/** @param {string} text */
const joinHyphens = (text) => text.replace(/(\p{L})[-\u2010]\n(\p{Ll})/gu, '$1$2');

/** @param {string} text */
const unescape = (text) =>
  text.replace(/&(?:amp|lt|gt|quot|#(\d+));/g, (entity, code) =>
    code
      ? String.fromCodePoint(Number(code))
      : ({ '&lt;': '<', '&gt;': '>', '&quot;': '"' }[entity] ?? '&'),
  );

/** @param {string} line */
export const masked = (line) => line.trim().replace(/\d+/g, '#');

/**
 * @param {string[]} pages
 * @returns {Set<string>}
 */
function runningLines(pages) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const page of pages) {
    const lines = page.split('\n').filter((line) => line.trim() !== '');
    const edges = [...lines.slice(0, HEADER_LINES), ...lines.slice(-FOOTER_LINES)];
    // Wide gaps part what stands left, in the middle and right.
    const parts = new Set(edges.flatMap((line) => line.trim().split(/ {3,}/)).map(masked));
    for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const isRunning = (/** @type {[string, number]} */ [line, count]) =>
    count >= RUNNING_PAGES && /\p{L}{2}/u.test(line);
  return new Set([...counts].filter(isRunning).map(([line]) => line));
}

/**
 * @param {string} text
 * @param {Set<string>} running
 */
const withoutLines = (text, running) =>
  text
    .split(/[\n\f]/)
    .filter((line) => !running.has(masked(line)) && !/^\s*(?:\d+|[ivxlc]+)\s*$/i.test(line))
    .join('\n');

/**
 * The texts of pandoc's headers.
 *
 * @param {any} node
 * @returns {string[]}
 */
function headersOf(node) {
  if (Array.isArray(node)) return node.flatMap(headersOf);
  if (typeof node !== 'object' || node === null) return [];
  if (node.t === 'Header') return [textOf(node.c[2])].filter((text) => /[\p{L}\p{N}]/u.test(text));
  return Object.values(node).flatMap(headersOf);
}

/**
 * @param {any} node
 * @returns {string}
 */
function textOf(node) {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node !== 'object' || node === null) return '';
  if (node.t === 'Str') return node.c;
  if (node.t === 'Space' || node.t === 'SoftBreak') return ' ';
  if (node.t === 'Code') return node.c[1];
  if (node.t === 'Link' || node.t === 'Span') return textOf(node.c[1]);
  if (node.t === 'Note' || node.t === 'Image') return '';
  return textOf(node.c);
}
