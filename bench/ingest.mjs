// Documents into the index: how many a second, also into a large knowledge base, and what a long PDF takes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { pageOf, pdf } from '../test/support/pdf.mjs';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { FILLED_WORDS, MAX_SLOWDOWN, measureGrowth } from './ingest/growth.mjs';
import {
  addDocuments,
  DOCUMENTS,
  ROUNDS,
  SMALL_WORDS,
  UPLOADS_AT_ONCE,
  uploadFile,
  words,
} from './ingest/load.mjs';
import { MAX_RATIO, measureQuestions } from './ingest/questions.mjs';
import { median, quantile, report, round, startService, LONG_TIMEOUTS } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */

const MIN_SMALL_PER_SECOND = { SQLite: 150, PostgreSQL: 80 };
const PARAGRAPHS = 20;
const SENTENCES_PER_PARAGRAPH = 5;
const WORDS_PER_SENTENCE = 12;
const PAGES = 300;
const LINES_PER_PAGE = 45;
const WORDS_PER_LINE = 11;
const MAX_MEMORY_MB = 256;
const MAX_HEALTH_MS = 200;

export default async function ingest() {
  const { url: serverUrl, server } = await startPostgres();
  try {
    const rates = [];
    const pdfs = [];
    const growth = [];
    const questions = [];
    for (const engine of /** @type {const} */ (['SQLite', 'PostgreSQL'])) {
      const database = engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
      const service = await startService({ ...database, ...LONG_TIMEOUTS });
      try {
        const small = await measureRate(service, () => ({ text: words(SMALL_WORDS) }));
        const verdict = small['documents/s'] >= MIN_SMALL_PER_SECOND[engine] ? 'met' : 'missed';
        rates.push({ engine, documents: 'small', ...small, verdict });
        const large = await measureRate(service, () => ({
          text: markdown(),
          mime_type: 'text/markdown',
        }));
        rates.push({ engine, documents: 'large', ...large, verdict: '' });
        pdfs.push({ engine, ...(await measurePdf(service)) });
      } finally {
        await service.stop();
      }
      const filled = engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
      growth.push(...(await measureGrowth(engine, { ...filled, ...LONG_TIMEOUTS })));
      const asked = engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
      questions.push(await measureQuestions(engine, { ...asked, ...LONG_TIMEOUTS }, longPdf));
    }
    report('ingest', {
      notes: [
        `documents: ${DOCUMENTS}, small ones of ${SMALL_WORDS} words of text, large ones of ${PARAGRAPHS * SENTENCES_PER_PARAGRAPH * WORDS_PER_SENTENCE} words of Markdown, ${UPLOADS_AT_ONCE} uploads at once, from the first upload until all are ready; medians of ${ROUNDS} rounds`,
        `aims for small ones: ${MIN_SMALL_PER_SECOND.SQLite} documents/s on SQLite, ${MIN_SMALL_PER_SECOND.PostgreSQL} on PostgreSQL`,
        `by the size of the knowledge base: small documents into one that has documents of ${FILLED_WORDS} words already; the rounds of the sizes alternate; the last column is the speed relative to the smallest one, at least ${1 - MAX_SLOWDOWN}`,
        `PDF: ${PAGES} pages of ${LINES_PER_PAGE} lines; memory is what the service and its processes grew by, at most ${MAX_MEMORY_MB} MB; health is the p99 of /health/live meanwhile, at most ${MAX_HEALTH_MS} ms`,
        `questions: 40 a second, of another user, while three such PDFs are always in work; medians of rounds, each with its own idle time; at most ${MAX_RATIO} times idle`,
      ],
      tables: {
        Documents: rates,
        'By the size of the knowledge base': growth,
        [`A PDF of ${PAGES} pages`]: pdfs,
        'Questions while documents are read': questions,
      },
    });
  } finally {
    await server.stop();
  }
}

const sentence = () => `${words(WORDS_PER_SENTENCE)}.`;

function markdown() {
  const paragraph = () => Array.from({ length: SENTENCES_PER_PARAGRAPH }, sentence).join(' ');
  return Array.from(
    { length: PARAGRAPHS },
    (_, n) => `${n % 5 === 0 ? `## ${words(3)}\n\n` : ''}${paragraph()}`,
  ).join('\n\n');
}

/**
 * @param {Service} service
 * @param {() => object} document what it is made of
 */
async function measureRate(service, document) {
  const rounds = [];
  // The first round warms up.
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const kb = await service.call('POST', '/kbs', { name: `Round ${turn}` });
    const round = await addDocuments(service, kb.id, document);
    const { chunk_count: passages } = await service.call('GET', `/kbs/${kb.id}`);
    rounds.push({ ...round, passages });
  }
  const measured = rounds.slice(1);
  return {
    'documents/s': round(median(measured.map(({ seconds }) => DOCUMENTS / seconds)), 1),
    'passages/s': Math.round(median(measured.map(({ seconds, passages }) => passages / seconds))),
    'CPU ms per document': round(median(measured.map(({ cpu }) => (1000 * cpu) / DOCUMENTS)), 1),
  };
}

function longPdf() {
  const page = () => pageOf(Array.from({ length: LINES_PER_PAGE }, () => words(WORDS_PER_LINE)));
  return pdf(Array.from({ length: PAGES }, page));
}

/** @param {Service} service */
async function measurePdf(service) {
  const bytes = longPdf();
  const kb = await service.call('POST', '/kbs', { name: 'PDF' });
  const before = memoryOf(service.pid);
  let peak = before;
  const health = [];
  const start = performance.now();
  const { id } = await uploadFile(service, kb.id, bytes);
  for (let status = 'pending'; status !== 'ready'; await pause(5)) {
    const asked = performance.now();
    await (await globalThis.fetch(`${service.url}/health/live`)).arrayBuffer();
    health.push(performance.now() - asked);
    peak = Math.max(peak, memoryOf(service.pid));
    ({ status } = await service.call('GET', `/documents/${id}`));
    if (status === 'failed') throw new Error('The PDF could not be read');
  }
  const seconds = (performance.now() - start) / 1000;
  const memory = (peak - before) / 2 ** 20;
  const p99 = quantile(health, 0.99);
  return {
    'PDF MB': round(bytes.length / 1e6),
    seconds: round(seconds),
    'pages/s': Math.round(PAGES / seconds),
    'memory MB': Math.round(memory),
    'health p99 ms': round(p99, 1),
    verdict: memory <= MAX_MEMORY_MB && p99 <= MAX_HEALTH_MS ? 'met' : 'missed',
  };
}

/**
 * Of a process and its children; 0 where the system does not tell.
 *
 * @param {number} pid
 * @returns {number} bytes
 */
function memoryOf(pid) {
  const directory = `/proc/${pid}`;
  if (!existsSync(`${directory}/task`)) return 0;
  const status = readFileSync(`${directory}/status`, 'utf8');
  const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  const children = readdirSync(`${directory}/task`).flatMap((task) => {
    const file = `${directory}/task/${task}/children`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean) : [];
  });
  return children.reduce((sum, child) => sum + memoryOf(Number(child)), own);
}
