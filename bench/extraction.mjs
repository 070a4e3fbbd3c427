// Scans and documents of a folder into passages: what it costs, and what comes of them.
import { installLanguage } from '@latchkey/extraction/recognition/install-language';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { masked, missingPrograms, referenceOf } from './extraction/reference.mjs';
import { compare, lettersOf } from './extraction/scores.mjs';
import { otherTenantRows } from './extraction/other-tenant.mjs';
import { recognitionRows } from './extraction/recognition.mjs';
import { costOf } from './extraction/service-process.mjs';
import { quantile, report, round, scratchDirectory } from './support.mjs';

/** A folder with documents of the bench's user; none are part of the project. */
const FOLDER = process.env['BENCH_DOCUMENTS'];
const TIMEOUT_MS = 660_000;
/** Marks of Markdown and HTML that a reader would not want to see. */
const MARKUP =
  /\]\([^)\s]*\)|!\[[^\]]*\]|\\[[\]()*_`#]|<\/?[a-z][a-z0-9-]*(?:\s[^<>\n]{0,200})?\/?>|\[\\?\[\d+\\?\]\]|\*\*|\u00ad/g;

/**
 * @typedef {object} Reading
 * @property {{ text: string, heading: string | null, page: number | null }[]} passages
 * @property {string[]} headings
 * @property {string[]} texts what was read, each piece once: passages repeat the headers of tables
 * @property {number} parts pages, sheets or other parts
 * @property {string} [type]
 * @property {string} [error]
 */

export default async function extraction() {
  await scans();
  if (FOLDER === undefined || !existsSync(FOLDER)) {
    console.log('Set BENCH_DOCUMENTS to a folder with documents to read these too.');
  } else await documents(FOLDER);
}

async function scans() {
  const languageFolder = scratchDirectory();
  for (const language of ['ja', 'ar']) await installLanguage(language, languageFolder);
  report('recognition', {
    notes: [
      'pages: a text twice in 12, 11 and 10 points and in two columns, turned by 2°, with noise of 18 of 255, as JPEG of 150 dpi; the language is found out',
      'recall: of the words that passages have, of characters for Chinese and Japanese; the longest page is the first one, with the start of the process and the search for the language',
      'another tenant: searches by words, one after the other, before and while four pages are recognised, three times',
    ],
    tables: {
      Languages: await recognitionRows(languageFolder),
      'Another tenant': await otherTenantRows(),
    },
  });
}

/** @param {string} folder */
async function documents(folder) {
  const missing = await missingPrograms();
  for (const note of missing) console.warn(note);
  const rows = [];
  for (const name of readdirSync(folder).sort()) {
    const file = join(folder, name);
    if (!statSync(file).isFile()) continue;
    try {
      rows.push(await rowOf(name, file));
    } catch (error) {
      // One document less is no reason to lose the figures of the others.
      rows.push({ document: name, passages: error instanceof Error ? error.message : 'failed' });
    }
    console.log(JSON.stringify(rows.at(-1)));
  }
  const start = await costOf(new Uint8Array([79, 110, 101, 46]), 'text/plain');
  report('extraction', {
    notes: [
      `the cost is that of a new process of the service, with its start (of which ${round(start.cpuMs, 0)} ms and ${round(start.peakMb, 0)} MB are for any document): PDFs per page, others per MB`,
      'headings: found of those in the outline of a PDF, or that pandoc finds; where there are none, just how many',
      'noise: characters of link targets, tags, escapes and soft hyphens beyond those of code, of all; running: lines at the edges of three pages or more that passages have, but for once',
      'recall, precision and F1: words, each piece of the document once, against pdftotext, where a running line or page number may be there or not, or pandoc, of a web page what it declares to be its content; pandoc leaves out text boxes and numbers of headings and list items of DOCX, and the titles of MDX components',
      'compared are normal forms: without hyphens within words, which programs keep or not at the ends of lines, and Arabic lam with alef in any order, since pdftotext takes the ligature apart in the wrong one; East Asian and Thai text by characters',
      'mid-sentence: passages that begin in lower case, but not with a heading such as `site_name`',
      'longest tenth: the words of the shortest of them, as ICU divides text; passages of 300 words were asked for',
      ...missing,
    ],
    tables: { Documents: rows },
  });
}

/**
 * @param {string} name
 * @param {string} file
 * @returns {Promise<Record<string, string | number>>}
 */
async function rowOf(name, file) {
  const { passages, headings, texts: read, parts, type, error } = await readingOf(file);
  const reference = await referenceOf(file);
  const cost = type
    ? await costOf(new Uint8Array(readFileSync(file)), type)
    : { cpuMs: NaN, peakMb: NaN, error: null };
  const isPdf = extname(name) === '.pdf';
  const texts = passages.map(({ text }) => text);
  const all = texts.join('\n');
  const { text: expected, runningText, running, pages } = reference;
  const scores = expected === null || error ? null : compare(read, expected, runningText);
  const per = isPdf ? Math.max(1, parts) : statSync(file).size / 1024 / 1024;
  return {
    document: name,
    'CPU ms': round(cost.cpuMs, 0),
    'per page or MB': round(cost.cpuMs / per, 1),
    'peak MB': round(cost.peakMb, 0),
    passages: error ?? cost.error ?? passages.length,
    headings: foundHeadings(headings, reference.headings),
    'noise %': round((100 * noiseLength(all, expected)) / Math.max(1, all.length)),
    'running %': running.size === 0 ? '' : round(keptShare(all, running, pages), 1),
    'recall %': scores ? round(scores.recall, 1) : '',
    'precision %': scores ? round(scores.precision, 1) : '',
    F1: scores ? round(scores.f1 / 100, 3) : '',
    'mid-sentence %': round(
      (100 * texts.filter((text) => beginsMidSentence(text, headings)).length) /
        Math.max(1, texts.length),
      1,
    ),
    'longest tenth, words': round(quantile(texts.map(wordsOf), 0.9), 0),
  };
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Its words, in any script.
 *
 * @param {string} text
 */
const wordsOf = (text) =>
  [...SEGMENTER.segment(text)].filter(({ isWordLike }) => isWordLike === true).length;

/**
 * @param {string} passage
 * @param {string[]} headings
 */
const beginsMidSentence = (passage, headings) =>
  /^\p{Ll}/u.test(passage) && !headings.includes(passage.split('\n', 1)[0] ?? '');

/**
 * Reads a document in a process of its own, as the service does.
 *
 * @param {string} file
 * @returns {Promise<Reading>}
 */
async function readingOf(file) {
  const child = fork(new URL('./extraction/read.mjs', import.meta.url), [file], {
    serialization: 'advanced',
  });
  const signal = globalThis.AbortSignal.timeout(TIMEOUT_MS);
  try {
    const ended = once(child, 'exit', { signal }).then(() => {
      return { passages: [], headings: [], texts: [], parts: 0, error: 'process ended' };
    });
    const answered = once(child, 'message', { signal }).then(([message]) => message);
    return await Promise.race([answered, ended]);
  } finally {
    child.kill('SIGKILL');
  }
}

/**
 * @param {string[]} found
 * @param {string[] | null} expected
 */
function foundHeadings(found, expected) {
  if (expected === null || expected.length === 0) return found.length;
  const letters = found.map(lettersOf);
  const known = expected.filter((heading) => {
    const wanted = lettersOf(heading);
    return letters.some((each) => each.includes(wanted) || (each !== '' && wanted.endsWith(each)));
  });
  return `${known.length} of ${expected.length}`;
}

/**
 * @param {string} text
 * @param {string | null} expected
 */
function noiseLength(text, expected) {
  const marks = text.match(MARKUP) ?? [];
  const own = new Set(expected?.match(MARKUP));
  return marks.filter((mark) => !own.has(mark)).join('').length;
}

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
