// How well questions are answered and refused, by words, by each model of ANSWERS_MODELS, and by the last
// of them with a scripted language model. ANSWERS_QUESTIONS and ANSWERS_DOCUMENTS name other questions.
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  goldsOf,
  isRight,
  loadFiles,
  readQuestions,
  waitUntilRead,
} from './answers/question-files.mjs';
import { startScriptedModel } from './answers/scripted-model.mjs';
import { waitForModel, waitForSentences } from './answers/vectors-made.mjs';
import { measureSquad } from './answers/squad.mjs';
import { cpuSeconds, quantile, report, round, startService } from './support.mjs';

/** @typedef {import('./answers/question-files.mjs').Question} Question */
/** @typedef {import('./support.mjs').Service} Service */
/** @typedef {{ question: Question, answer: any, found: boolean, right: boolean }} Asked */
/** @typedef {{ by: string, environment: NodeJS.ProcessEnv }} Combination */

const HERE = new URL('answers/', import.meta.url).pathname;
const {
  ANSWERS_QUESTIONS: questionsFile = `${HERE}questions.jsonl`,
  ANSWERS_DOCUMENTS: documents = `${HERE}documents`,
  ANSWERS_MODELS: models = '',
  ANSWERS_DIRECTORY: squad,
} = process.env;

export default async function answers() {
  const questions = readQuestions(questionsFile);
  /** @type {Record<string, string | number>[]} */
  const together = [];
  /** @type {Map<string, Record<string, string | number>>} */
  const byKind = new Map();
  const meanings = [undefined, ...models.split(',').filter(Boolean)];
  for (const model of meanings) {
    const name = model === undefined ? 'words' : basename(model);
    const filled = await fill(
      model === undefined ? { EMBEDDINGS: 'off' } : { EMBEDDINGS_MODEL_PATH: model },
    );
    for (const { by, environment } of [
      { by: name, environment: {} },
      ...(model === meanings.at(-1) ? await scriptedModels(name) : []),
    ]) {
      const { asked, ...costs } = await measure(filled, environment, questions);
      together.push({ by, ...figuresOf(asked), ...costs });
      for (const kind of new Set(questions.map((question) => question.kind))) {
        const ofKind = asked.filter(({ question }) => question.kind === kind);
        const { right, answered } = figuresOf(ofKind);
        byKind.set(kind, { kind, ...byKind.get(kind), [by]: right === '' ? answered : right });
      }
    }
  }
  report('answers', {
    notes: [
      `${questions.length} questions of ${basename(questionsFile)}, asked one after the other in one knowledge base of all documents, without recognition of pictures.`,
      'found: an expected text is in the five best passages; right: it is in the answer; refused: of the answerable.',
      'near, off: the share of the unanswerable on and off the topic that is answered; by kind: their share answered, else right.',
      'ungrounded: the share of the answers of a language model that are marked as not carried by their passages.',
    ],
    tables: {
      'All questions': together,
      'By kind': [...byKind.values()],
      ...(squad !== undefined && (await measureSquad(squad))),
    },
  });
}

/**
 * @param {string} name
 * @returns {Promise<Combination[]>}
 */
const scriptedModels = (name) =>
  Promise.all(
    /** @type {const} */ (['cites', 'refuses', 'invents']).map(async (behaviour) => ({
      by: `${name}, a model ${behaviour}`,
      environment: await startScriptedModel(behaviour),
    })),
  );

/**
 * Once for all that is asked by one model, whose vectors of the real documents take minutes.
 *
 * @param {NodeJS.ProcessEnv} own
 */
async function fill(own) {
  const { call, environment, stop } = await startService(own);
  const byMeaning = own['EMBEDDINGS'] !== 'off';
  const { id } = await call('POST', '/kbs', { name: 'answers' });
  // A document with pictures is not ready before these are recognised, which takes longer than all else.
  await call('PATCH', `/kbs/${id}/settings`, { ocr: 'off' });
  await loadFiles(call, id, documents.split(','));
  await waitUntilRead(call, id, byMeaning);
  if (byMeaning) await waitForSentences(environment);
  await stop();
  return { id, environment, byMeaning };
}

/**
 * @param {Awaited<ReturnType<typeof fill>>} filled
 * @param {NodeJS.ProcessEnv} own
 * @param {Question[]} questions
 */
async function measure({ id, environment, byMeaning }, own, questions) {
  const service = await startService({ ...environment, ...own });
  try {
    if (byMeaning) await waitForModel(service.url);
    const key = { name: 'answers', environment: 'live', rate_limit_per_minute: 100_000 };
    const { api_key } = await service.call('POST', `/kbs/${id}/api-keys`, key);
    const cpu = cpuSeconds(service.pid);
    /** @type {number[]} */
    const times = [];
    const chats = [];
    for (const question of questions) chats.push(await chat(service, api_key, question, times));
    const used = cpuSeconds(service.pid) - cpu;
    /** @type {Asked[]} */
    const asked = [];
    for (const [index, question] of questions.entries()) {
      const message = [...(question.history ?? []), question.question].join('\n');
      const { results } = await service.call('POST', '/query', { api_key, message, top_k: 5 });
      const passages = results.map((/** @type {any} */ one) => `${one.heading ?? ''} ${one.text}`);
      const golds = goldsOf(question);
      const answer = chats[index];
      asked.push({
        question,
        answer,
        found: isRight(passages.join('\n'), golds),
        right: answer.answered && isRight(answer.answer, golds),
      });
    }
    return {
      asked,
      'CPU ms': round((used * 1000) / times.length, 1),
      'p95 ms': round(quantile(times, 0.95), 0),
    };
  } finally {
    await service.stop();
  }
}

/**
 * @param {Service} service
 * @param {string} api_key
 * @param {Question} question
 * @param {number[]} times
 */
async function chat(service, api_key, { history = [], question }, times) {
  let answer;
  for (const message of [...history, question]) {
    const { conversation_id } = answer ?? {};
    const body = { api_key, message, ...(conversation_id && { conversation_id }) };
    const start = performance.now();
    answer = await service.call('POST', '/chat', body);
    times.push(performance.now() - start);
  }
  return answer;
}

/** @param {Asked[]} asked */
function figuresOf(asked) {
  const answerable = asked.filter(({ question }) => question.answerable);
  const of = (/** @type {string} */ kind) => asked.filter(({ question }) => question.kind === kind);
  const isAnswered = (/** @type {Asked} */ { answer }) => Boolean(answer.answered);
  const smallTalk = of('smalltalk');
  return {
    found: share(answerable, ({ found }) => found),
    right: share(answerable, ({ right }) => right),
    refused: share(answerable, (one) => !isAnswered(one)),
    near: share(of('unanswerable'), isAnswered),
    off: share(of('offtopic'), isAnswered),
    'small talk': share(smallTalk, ({ answer }) => answer.answered && !answer.sources?.length),
    answered: share(asked, isAnswered),
    ungrounded: share(asked.filter(isAnswered), ({ answer }) => answer.grounded === false),
  };
}

/**
 * @template T
 * @param {T[]} all
 * @param {(one: T) => boolean} holds
 * @returns {number | string}
 */
const share = (all, holds) =>
  all.length === 0 ? '' : round(all.filter((one) => holds(one)).length / all.length, 3);
