// Documents of a folder into passages: what it costs, and what comes of them.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { report, round } from './support.mjs';

/** A folder with documents of the bench's user; none are part of the project. */
const FOLDER = process.env['BENCH_DOCUMENTS'];
const MAX_OUTPUT = 256 * 1024 * 1024;
/** Marks of Markdown and HTML that a reader would not want to see. */
const MARKUP =
  /\]\([^)\s]*\)|!\[[^\]]*\]|\\[[\]()*_`#]|<\/?[a-z][^>\n]{0,200}>|\[\\?\[\d+\\?\]\]|\*\*|\u00ad/g;
/** Pages that must have a line for it to be a running one, and how many lines at their edges. */
const RUNNING_PAGES = 3;
const EDGE_LINES = 3;
const PANDOC_FORMATS = new Map([
  ['.docx', 'docx'],
  ['.odt', 'odt'],
  ['.epub', 'epub'],
  ['.html', 'html'],
  ['.md', 'gfm'],
  ['.mdx', 'gfm'],
]);

const run = promisify(execFile);

/**
 * @typedef {object} Reading
 * @property {{ text: string, heading: string | null, page: number | null }[]} chunks
 * @property {string[]} headings
 * @property {number} parts pages, sheets or other parts
 * @property {number} cpuMs with the start of the process
 * @property {number} peakMb
 * @property {string} [error]
 */

export default async function extraction() {
  if (FOLDER === undefined || !existsSync(FOLDER)) {
    console.log('Set BENCH_DOCUMENTS to a folder with documents. Skipped.');
    return;
  }
  const rows = [];
  for (const name of readdirSync(FOLDER).sort()) {
    const file = join(FOLDER, name);
    if (!statSync(file).isFile()) continue;
    const reading = await read(file);
    const reference = await referenceOf(file);
    rows.push(rowOf(name, file, reading, reference));
  }
  report('extraction', {
    notes: [
      'CPU time and memory are those of a process of its own, with its start; PDFs per page, others per MB',
      'markup: characters of link targets, tags, escapes and soft hyphens, of all; running: lines at the edges of three pages or more that passages have, but for once',
      'recall and precision: words against pdftotext (without running lines) or pandoc, where they are installed',
    ],
    tables: { Documents: rows },
  });
}

/**
 * @param {string} name
 * @param {string} file
 * @param {Reading} reading
 * @param {string | null} reference
 */
function rowOf(name, file, { chunks, headings, parts, cpuMs, peakMb, error }, reference) {
  const isPdf = extname(name) === '.pdf';
  const texts = chunks.map(({ text }) => text);
  const all = texts.join('\n');
  const pages = reference === null || !isPdf ? [] : reference.split('\f');
  const running = runningLines(pages);
  const expected =
    reference === null ? null : pages.length > 0 ? withoutLines(pages, running) : reference;
  const scores = expected === null || error ? null : compare([...headings, ...texts], expected);
  const per = isPdf ? Math.max(1, parts) : statSync(file).size / 1024 / 1024;
  return {
    document: name,
    'CPU ms': round(cpuMs, 0),
    [`CPU ms per page or MB`]: round(cpuMs / per, 1),
    'peak MB': round(peakMb, 0),
    passages: error ?? chunks.length,
    headings: headings.length,
    'markup %': round((100 * (all.match(MARKUP)?.join('').length ?? 0)) / Math.max(1, all.length)),
    'running %': running.size === 0 ? '' : round(keptShare(all, running, pages.length), 1),
    'recall %': scores ? round(scores.recall, 1) : '',
    'precision %': scores ? round(scores.precision, 1) : '',
    'mid-sentence %': round(
      (100 * texts.filter((text) => /^\p{Ll}/u.test(text)).length) / Math.max(1, texts.length),
      1,
    ),
  };
}

/**
 * Reads a document in a process of its own, as the service does.
 *
 * @param {string} file
 * @returns {Promise<Reading>}
 */
async function read(file) {
  const child = fork(new URL('./extraction/read.mjs', import.meta.url), [file], {
    execArgv: [
      '--max-old-space-size=160',
      '--max-semi-space-size=4',
      '--wasm-num-compilation-tasks=1',
    ],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit').then(() => {
    return { chunks: [], headings: [], parts: 0, cpuMs: 0, peakMb: 0, error: 'process ended' };
  });
  const reading = await Promise.race([once(child, 'message').then(([message]) => message), ended]);
  child.kill('SIGKILL');
  return reading;
}

/**
 * The text by another program.
 *
 * @param {string} file
 * @returns {Promise<string | null>}
 */
async function referenceOf(file) {
  const format = PANDOC_FORMATS.get(extname(file));
  const command =
    extname(file) === '.pdf'
      ? ['pdftotext', file, '-']
      : format && ['pandoc', '-f', format, '-t', 'plain', '--wrap=none', file];
  if (!command) return null;
  const [program = '', ...options] = command;
  try {
    const { stdout } = await run(program, options, { maxBuffer: MAX_OUTPUT });
    return stdout.replace(/(\p{L})[-\u2010]\n(\p{Ll})/gu, '$1$2');
  } catch {
    // Not installed, or it cannot read it.
    return null;
  }
}

/** @param {string} line */
const masked = (line) => line.trim().replace(/\d+/g, '#');

/**
 * @param {string[]} pages
 * @returns {Set<string>} lines at the edges of several pages, with their numbers masked
 */
function runningLines(pages) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const page of pages) {
    const lines = page.split('\n').filter((line) => line.trim() !== '');
    const edges = new Set([...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)].map(masked));
    for (const line of edges) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const isRunning = (/** @type {[string, number]} */ [line, count]) =>
    count >= RUNNING_PAGES && /\p{L}{2}/u.test(line);
  return new Set([...counts].filter(isRunning).map(([line]) => line));
}

/**
 * @param {string[]} pages
 * @param {Set<string>} running
 */
const withoutLines = (pages, running) =>
  pages
    .flatMap((page) => page.split('\n'))
    .filter((line) => !running.has(masked(line)) && !/^\s*(?:\d+|[ivxlc]+)\s*$/i.test(line))
    .join('\n');

/**
 * @param {string} text
 * @param {Set<string>} running
 * @param {number} pages
 * @returns {number} percent of the running lines of all pages that passages have as lines of their own
 */
function keptShare(text, running, pages) {
  const kept = text.split('\n').filter((line) => running.has(masked(line))).length;
  return (100 * Math.max(0, kept - running.size)) / (running.size * pages);
}

/** @param {string} text */
const wordsOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** @param {string[]} words */
function countsOf(words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * @param {string[]} texts
 * @param {string} expected
 */
function compare(texts, expected) {
  const found = countsOf(wordsOf(texts.join('\n')));
  const wanted = countsOf(wordsOf(expected));
  let shared = 0;
  for (const [word, count] of wanted) shared += Math.min(count, found.get(word) ?? 0);
  const sum = (/** @type {Map<string, number>} */ counts) =>
    [...counts.values()].reduce((total, count) => total + count, 0);
  return { recall: (100 * shared) / sum(wanted), precision: (100 * shared) / sum(found) };
}
