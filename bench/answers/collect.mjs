// What the answers of /chat are made of, for fit.mjs: asks each question of the service in this process,
// and writes down what the search found for it, with what would be a right answer.
// usage: node bench/answers/collect.mjs --out FILE [--questions FILE --documents DIR,DIR] [--squad FILE,FILE --limit n]
import 'reflect-metadata';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fromService } from '../from-service.mjs';
import { goldsOf, loadFiles, readQuestions, waitUntilRead } from './question-files.mjs';

const { values: options } = parseArgs({
  options: {
    out: { type: 'string' },
    questions: { type: 'string' },
    documents: { type: 'string', default: '' },
    squad: { type: 'string' },
    limit: { type: 'string', default: '300' },
  },
});
const out = options.out ?? 'answers.jsonl';
const byMeaning = (process.env['EMBEDDINGS'] ?? 'off') !== 'off';
const directory = mkdtempSync(join(tmpdir(), 'latchkey-answers-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const { createApp } = await fromService('app.js');
const { Config } = await fromService('platform/config/config.js');
const { ExtractiveAnswerer } = await fromService('chat/extractive-answerer.js');

/**
 * Each of the message's questions, with what was found for it.
 *
 * @type {object[]}
 */
let readings = [];
const { read } = ExtractiveAnswerer.prototype;
ExtractiveAnswerer.prototype.read = function (
  /** @type {string} */ kbId,
  /** @type {object} */ message,
  /** @type {object} */ found,
  /** @type {unknown} */ signal,
) {
  readings.push({ ...message, found: { ...found, embedding: undefined } });
  return read.call(this, kbId, message, found, signal);
};

const app = await createApp(
  Config.fromEnvironment({
    DATA_DIR: directory,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    EMBEDDINGS: process.env['EMBEDDINGS'] ?? 'off',
    // A question waits for the vectors of all its sentences, also on a busy machine.
    EMBEDDINGS_TIMEOUT_MS: '60000',
    ...(process.env['EMBEDDINGS_MODEL_PATH'] && {
      EMBEDDINGS_MODEL_PATH: process.env['EMBEDDINGS_MODEL_PATH'],
    }),
  }),
);
await app.listen(0, '127.0.0.1');
const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');

/**
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {unknown} [body]
 */
async function call(method, path, body) {
  const isForm = body instanceof globalThis.FormData;
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      'x-idp-user-id': 'answers',
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * @param {string} kbId
 * @param {{ question: string, history?: string[] }[]} questions
 * @param {(question: any) => object} describe
 */
async function ask(kbId, questions, describe) {
  const key = { name: 'answers', environment: 'live', rate_limit_per_minute: 100_000 };
  const { api_key } = await call('POST', `/kbs/${kbId}/api-keys`, key);
  for (const question of questions) {
    let conversation_id;
    for (const message of [...(question.history ?? []), question.question]) {
      readings = [];
      const body = { api_key, message, ...(conversation_id && { conversation_id }) };
      ({ conversation_id } = await call('POST', '/chat', body));
    }
    appendFileSync(out, `${JSON.stringify({ ...describe(question), readings })}\n`);
  }
}

writeFileSync(out, '');
if (options.questions) {
  const { id } = await call('POST', '/kbs', { name: 'questions' });
  // As in bench/answers.mjs.
  await call('PATCH', `/kbs/${id}/settings`, { ocr: 'off' });
  await loadFiles(call, id, options.documents.split(','));
  await waitUntilRead(call, id, byMeaning);
  const set = basename(options.questions, '.jsonl');
  await ask(id, readQuestions(options.questions), (question) => ({
    set,
    id: question.id,
    kind: question.kind,
    language: question.language,
    fold: question.document ?? question.id,
    half: question.half,
    answerable: question.answerable,
    golds: goldsOf(question),
    history: question.history ?? [],
    message: question.question,
  }));
}
for (const file of options.squad?.split(',') ?? []) {
  /** @type {{ data: { title?: string, paragraphs: { context: string, qas: { question: string, answers: { text: string }[] }[] }[] }[] }} */
  const { data } = JSON.parse(readFileSync(file, 'utf8'));
  const set = basename(file, '.json');
  const halves = [0, 1].map((half) => data.filter((_, index) => index % 2 === half));
  const every = Math.max(
    1,
    Math.floor(
      data.flatMap(({ paragraphs }) => paragraphs.flatMap(({ qas }) => qas)).length /
        Number(options.limit),
    ),
  );
  const bases = [];
  for (const half of halves) {
    const { id } = await call('POST', '/kbs', { name: set });
    for (const { title = 'Article', paragraphs } of half) {
      for (const { context: text } of paragraphs) {
        const document = { title: title.replaceAll('_', ' '), text, on_duplicate: 'skip' };
        await call('POST', `/kbs/${id}/documents`, document);
      }
    }
    bases.push(id);
  }
  for (const id of bases) await waitUntilRead(call, id, byMeaning);
  for (const [half, articles] of halves.entries()) {
    const questions = articles
      .flatMap(({ title, paragraphs }) =>
        paragraphs.flatMap(({ qas }) =>
          qas.map((qa) => ({ question: qa.question, answers: qa.answers, fold: title })),
        ),
      )
      .filter((_, index) => index % every === 0);
    for (const [base, id] of bases.entries()) {
      await ask(id, questions, ({ question, answers, fold }) => ({
        set,
        id: question,
        kind: base === half ? 'own' : 'other',
        language: set.split('.').at(-1),
        fold,
        answerable: base === half,
        golds:
          base === half ? [answers.map((/** @type {{ text: string }} */ { text }) => text)] : [],
        history: [],
        message: question,
      }));
    }
  }
}
await app.close();
process.exit(0);
