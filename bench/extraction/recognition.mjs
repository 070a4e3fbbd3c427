// How much of scanned pages is recognised, in seven languages, and what a page costs.
import { extract, loadReader } from '@latchkey/extraction/extract';
import { RECOGNITION_PROCESS } from '@latchkey/extraction/process-url';
import { fork } from 'node:child_process';
import { cpuSeconds, median, quantile, round } from '../support.mjs';
import { PAGE_TEXTS } from './page-texts.mjs';
import { scannedPages, wordsOnPage } from './scanned-pages.mjs';
import { compare } from './scores.mjs';

const PDF = 'application/pdf';
const PAGE_TIMEOUT_MS = 300_000;
/** Word recall; Chinese and Japanese by characters. */
const AIMS = new Map([
  ['zh', 95],
  ['ja', 95],
  ['ar', 85],
]);
const LATIN_AIM = 97;

/**
 * @param {string} languageFolder where Japanese and Arabic are installed
 * @returns {Promise<Record<string, string | number>[]>}
 */
export async function recognitionRows(languageFolder) {
  const rows = [];
  for (const text of PAGE_TEXTS) {
    const { file, pages } = await scannedPages(text);
    const found = await recognised(file, pages, [], languageFolder);
    const scores = found.map(({ page }) => recallOf(text, file, page));
    const recalls = await Promise.all(scores);
    const cpu = found.map(({ seconds }) => seconds);
    rows.push({
      language: text.language,
      'recall %': round(recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length, 1),
      'aim %': AIMS.get(text.language) ?? LATIN_AIM,
      'by page %': recalls.map((recall) => round(recall, 1)).join(', '),
      confidence: found.map(({ page }) => page?.confidence ?? 0).join(', '),
      'recognised as': [...new Set(found.flatMap(({ languages }) => languages))].join(', '),
      'CPU s a page, median': round(median(cpu), 1),
      longest: round(quantile(cpu, 1), 1),
    });
    console.log(JSON.stringify(rows.at(-1)));
  }
  return rows;
}

/**
 * Recall of one page as its passages have it.
 *
 * @param {import('./page-texts.mjs').PageText} text
 * @param {Buffer} content
 * @param {{ number: number } | null} page
 */
async function recallOf({ paragraphs }, content, page) {
  if (page === null) return 0;
  const { passages } = await extract(
    await loadReader(PDF),
    {
      ...{ content, mimeType: PDF, chunkSize: 300, chunkOverlap: 0, ocr: 'auto', maxPages: 100 },
      recognised: [JSON.stringify(page)],
    },
    () => undefined,
  );
  const texts = passages.map(({ text }) => text);
  if (process.env['BENCH_SHOW']) console.log(texts.join('\n--\n'));
  return compare(texts, wordsOnPage(paragraphs).join('\n')).recall;
}

/**
 * Recognises a document's pages in the process that the service does it in. Linux only.
 *
 * @param {Buffer} content
 * @param {number} count
 * @param {string[]} languages none to find out
 * @param {string} languageFolder
 * @returns {Promise<{ page: any, languages: string[], seconds: number }[]>} seconds of CPU, the first page
 *   with the start of the process
 */
function recognised(content, count, languages, languageFolder) {
  const child = fork(RECOGNITION_PROCESS, {
    env: {},
    execArgv: ['--max-old-space-size=160', '--wasm-num-compilation-tasks=1'],
    serialization: 'advanced',
  });
  const pages = Array.from({ length: count }, (_, index) => index + 1);
  /** @type {{ page: any, languages: string[], seconds: number }[]} */
  const found = [];
  let before = 0;
  return new Promise((resolve, reject) => {
    const timeout = globalThis.setTimeout(reject, count * PAGE_TIMEOUT_MS, new Error('No answer'));
    child.on('message', (/** @type {any} */ message) => {
      if (message === 'started') return;
      if (message === 'done') resolve(found);
      else if (message.unreadable) reject(new Error(message.unreadable.message));
      else if ('recognition' in message) {
        const total = cpuSeconds(Number(child.pid));
        const { page = null, languages = [] } = message.recognition ?? {};
        found.push({ page, languages, seconds: total - before });
        before = total;
      }
    });
    child.on('exit', () => {
      // A page that took too long ends the process.
      while (found.length < count) found.push({ page: null, languages: [], seconds: NaN });
      resolve(found);
    });
    child.send({ mimeType: PDF, content, pages, languages, languageFolder, isDrawing: false });
    void timeout.unref();
  }).finally(() => child.kill('SIGKILL'));
}
