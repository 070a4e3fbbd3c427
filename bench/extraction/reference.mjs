// What independent programs read of a document: Debian's poppler-utils and pandoc.
import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { promisify } from 'node:util';

const MAX_OUTPUT = 256 * 1024 * 1024;
const TIMEOUT_MS = 300_000;
/** Pages that must have a line for it to be a running one, and how many lines at their edges. */
const RUNNING_PAGES = 3;
const EDGE_LINES = 3;
/** Roles of what surrounds the content of a web page. */
const CHROME_ROLES = new Set(
  'navigation banner contentinfo complementary dialog menu search'.split(' '),
);
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
 * @property {string} runningText running lines and page numbers, which texts may have or not
 * @property {Set<string>} running lines with words at the edges of several pages, their numbers masked
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
  const nothing = { text: null, runningText: '', running: new Set(), pages: 0, headings: null };
  if (!format) return nothing;
  const json = await output('pandoc', ['-f', format, '-t', 'json', file]);
  if (json === null) return nothing;
  const tree = contentOf(JSON.parse(json));
  const text = await output(
    'pandoc',
    ['-f', 'json', '-t', 'plain', '--wrap=none'],
    JSON.stringify(tree),
  );
  return { ...nothing, text, headings: headersOf(tree) };
}

/**
 * A web page's content as it declares it, which pandoc reads with all that is around it.
 *
 * @param {any} tree
 */
function contentOf(tree) {
  const [main, ...others] = divsOf(tree.blocks).filter((div) => roleOf(div) === 'main');
  const blocks = main && others.length === 0 ? [main] : tree.blocks;
  return { ...tree, blocks: withoutChrome(blocks) };
}

/**
 * @param {any} node
 * @returns {any[]}
 */
function divsOf(node) {
  if (Array.isArray(node)) return node.flatMap(divsOf);
  if (node?.t !== 'Div') return [];
  return [node, ...divsOf(node.c[1])];
}

/**
 * @param {any} node
 * @returns {any}
 */
function withoutChrome(node) {
  if (Array.isArray(node)) {
    return node.filter((each) => !CHROME_ROLES.has(roleOf(each))).map(withoutChrome);
  }
  if (node?.t !== 'Div') return node;
  return { ...node, c: [node.c[0], withoutChrome(node.c[1])] };
}

/** @param {any} node */
const roleOf = (node) =>
  node?.t === 'Div'
    ? node.c[0][2].find((/** @type {string[]} */ [name]) => name === 'role')?.[1]
    : undefined;

/** @param {string} file */
async function ofPdf(file) {
  // In the order of reading; `-layout` tells what stands at the edges of pages.
  const plain = await output('pdftotext', [file, '-']);
  const layout = await output('pdftotext', ['-layout', file, '-']);
  const outline = await output('pdftohtml', ['-xml', '-i', '-q', '-stdout', '-l', '1', file]);
  const items = outline?.match(/(?<=<item[^>]*>)[^<]*\p{L}[^<]*/gu) ?? [];
  const layouts = layout?.split('\f') ?? [];
  const running = runningLines(layouts);
  const offset = pageOffset(layouts);
  /** @type {string[]} */
  const removed = [];
  const text = plain?.split('\f').map((page, index) => {
    const isRunning = (/** @type {string} */ line) =>
      running.has(runningKey(line)) ||
      (edgesOf(layouts[index] ?? '').includes(line.trim()) &&
        isPageNumber(line.trim(), index, offset));
    const lines = page.split('\n');
    removed.push(...lines.filter(isRunning));
    return lines.filter((line) => !isRunning(line)).join('\n');
  });
  return {
    text: text === undefined ? null : joinHyphens(text.join('\n')),
    runningText: removed.join('\n'),
    running: new Set([...running].filter((line) => /\p{L}{2}/u.test(line))),
    pages: Math.max(0, layouts.length - 1),
    headings: items.length > 0 ? items.map(unescape) : null,
  };
}

/**
 * @param {string} program
 * @param {string[]} options
 * @param {string} [input]
 * @returns {Promise<string | null>} null where it is not installed, or cannot read the file
 */
async function output(program, options, input) {
  try {
    const running = run(program, options, { maxBuffer: MAX_OUTPUT, timeout: TIMEOUT_MS });
    running.child.stdin?.end(input);
    return (await running).stdout;
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
 * Numbers count with the pages where they stand beside words.
 *
 * @param {string} line
 */
const runningKey = (line) => (/\p{L}{2}/u.test(line) ? masked(line) : line.trim());

/**
 * What stands at the top and at the bottom of a page. Wide gaps part what is left, in the middle and
 * right.
 *
 * @param {string} page
 */
function edgesOf(page) {
  const lines = page.split('\n').filter((line) => line.trim() !== '');
  const edges = [...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)];
  return edges.flatMap((line) => line.trim().split(/ {3,}/));
}

/**
 * @param {string[]} pages
 * @returns {Set<string>}
 */
function runningLines(pages) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const page of pages) {
    for (const part of new Set(edgesOf(page).map(runningKey))) {
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
  }
  return new Set([...counts].filter(([, count]) => count >= RUNNING_PAGES).map(([line]) => line));
}

/**
 * What most numbers at the edges of pages differ by from the number of the page.
 *
 * @param {string[]} pages
 */
function pageOffset(pages) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const [index, page] of pages.entries()) {
    for (const part of new Set(edgesOf(page).filter((each) => /^\d{1,4}$/.test(each)))) {
      const offset = Number(part) - index;
      counts.set(offset, (counts.get(offset) ?? 0) + 1);
    }
  }
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}

/**
 * @param {string} text
 * @param {number} index
 * @param {number | undefined} offset
 */
const isPageNumber = (text, index, offset) =>
  /^[ivxlc]+$/i.test(text) || (/^\d{1,4}$/.test(text) && Number(text) - index === offset);

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
