import { performance } from 'node:perf_hooks';
import { cpuSeconds, quantile, round } from '../support.mjs';
import { goldsOf, isRight } from './question-files.mjs';

/** @typedef {import('./question-files.mjs').Question} Question */
/** @typedef {import('../support.mjs').Service} Service */
/** @typedef {{ question: Question, answer: any, found: boolean, right: boolean, related: boolean }} Asked */
/** @typedef {{ asked: Asked[], times: number[], cpu: number }} Measured CPU of all answers in seconds, times in ms */

/**
 * Asks all questions of a knowledge base, one after the other.
 *
 * @param {Service} service
 * @param {string} kbId
 * @param {Question[]} questions
 * @returns {Promise<Measured>}
 */
export async function askAll(service, kbId, questions) {
  const key = { name: 'answers', environment: 'live', rate_limit_per_minute: 100_000 };
  const { api_key } = await service.call('POST', `/kbs/${kbId}/api-keys`, key);
  const before = cpuSeconds(service.pid);
  /** @type {number[]} */
  const times = [];
  const answers = [];
  for (const question of questions) answers.push(await chat(service, api_key, question, times));
  const cpu = cpuSeconds(service.pid) - before;
  /** @type {Asked[]} */
  const asked = [];
  for (const [index, question] of questions.entries()) {
    const golds = goldsOf(question);
    const answer = answers[index];
    const snippets = (answer.related ?? []).map((/** @type {any} */ { snippet }) => snippet);
    asked.push({
      question,
      answer,
      found: question.answerable && isRight(await search(service, api_key, question), golds),
      right: answer.answered && isRight(answer.answer, golds),
      related: !answer.answered && isRight(snippets.join('\n'), golds),
    });
  }
  return { asked, times, cpu };
}

/**
 * @param {Service} service
 * @param {string} api_key
 * @param {Question} question
 * @param {number[]} times
 */
async function chat({ call }, api_key, { history = [], question }, times) {
  let answer;
  for (const message of [...history, question]) {
    const { conversation_id } = answer ?? {};
    const body = { api_key, message, ...(conversation_id && { conversation_id }) };
    const start = performance.now();
    answer = await call('POST', '/chat', body);
    times.push(performance.now() - start);
  }
  return answer;
}

/**
 * @param {Service} service
 * @param {string} api_key
 * @param {Question} question
 * @returns {Promise<string>} the five best passages
 */
async function search({ call }, api_key, { history = [], question }) {
  const message = [...history, question].join('\n');
  const { results } = await call('POST', '/query', { api_key, message, top_k: 5 });
  return results.map((/** @type {any} */ one) => `${one.heading ?? ''} ${one.text}`).join('\n');
}

/** @param {Asked} asked */
const isAnswered = ({ answer }) => Boolean(answer.answered);

/** @param {Asked[]} asked */
function ofAnswerable(asked) {
  const answerable = asked.filter(({ question }) => question.answerable);
  const refused = answerable.filter((one) => !isAnswered(one));
  return {
    found: share(answerable, ({ found }) => found),
    right: share(answerable, ({ right }) => right),
    refused: share(answerable, (one) => !isAnswered(one)),
    related: share(refused, ({ related }) => related),
  };
}

/** @param {Asked[]} asked natural questions */
export function figuresOf(asked) {
  const of = (/** @type {string} */ kind) => asked.filter(({ question }) => question.kind === kind);
  return {
    ...ofAnswerable(asked),
    near: share(of('unanswerable'), isAnswered),
    off: share(of('offtopic'), isAnswered),
    'small talk': share(
      of('smalltalk'),
      ({ answer }) => answer.answered && !answer.sources?.length,
    ),
    answered: share(asked, isAnswered),
    ungrounded: share(asked.filter(isAnswered), ({ answer }) => answer.grounded === false),
  };
}

/** @param {Asked[]} asked each question of both halves */
export const squadFiguresOf = (asked) => ({
  ...ofAnswerable(asked),
  other: share(
    asked.filter(({ question }) => !question.answerable),
    isAnswered,
  ),
});

/** @param {Measured[]} all */
export const costsOf = (all) => {
  const times = all.flatMap((one) => one.times);
  const cpu = all.reduce((sum, one) => sum + one.cpu, 0);
  return {
    'CPU ms': round((cpu * 1000) / times.length, 1),
    'p95 ms': round(quantile(times, 0.95), 0),
  };
};

/**
 * @template T
 * @param {T[]} all
 * @param {(one: T) => boolean} holds
 * @returns {number | string}
 */
const share = (all, holds) =>
  all.length === 0 ? '' : round(all.filter((one) => holds(one)).length / all.length, 3);
