// The questions that collect.mjs has written, answered by the words alone or by meaning too.
import { readFileSync } from 'node:fs';
import { QuoteSelector } from '@latchkey/quoting/read-question';
import { buildParagraphs } from '@latchkey/quoting/spans';
import { WEIGHTS } from '@latchkey/quoting/weights';
import { isRight } from './question-files.mjs';
import { toRated } from './to-rated.mjs';

/**
 * @typedef {object} Answered
 * @property {string} kind
 * @property {'A' | 'B' | undefined} half of a set that has halves
 * @property {boolean} answerable
 * @property {boolean} isRight whether the quotation has what was asked for
 * @property {Readonly<Record<string, number>>} features of the decision
 * @property {number} confidence
 * @property {number} [weight] among all questions; 1 where none is given
 */

/**
 * @param {'words' | 'meaning'} kind
 * @param {string} path
 * @returns {Answered[]}
 */
export const answerCollected = (kind, path) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((row) => row.kind !== 'smalltalk')
    .map((row) => {
      const selector = new QuoteSelector(toRated(row, kind), WEIGHTS[kind]);
      const answer = buildParagraphs(selector.chooseSpans())
        .map(({ text }) => text)
        .join('\n\n');
      return {
        kind: row.kind,
        half: row.half,
        answerable: row.answerable,
        isRight: row.answerable && isRight(answer, row.golds),
        features: selector.computeDecisionFeatures() ?? {},
        confidence: selector.estimateConfidence(),
      };
    });

/** The kinds of questions that have no answer: near misses, and questions about something else. */
export const NEAR = ['near', 'unanswerable'];
export const OFF_TOPIC = ['offtopic', 'other'];

/**
 * How much of the questions, by their weights, passes a test, as text.
 *
 * @template {{ readonly weight?: number }} Question
 * @param {readonly Question[]} questions
 * @param {(question: Question) => boolean} test
 */
export function share(questions, test) {
  const weigh = (/** @type {readonly Question[]} */ some) =>
    some.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const all = weigh(questions);
  return all > 0 ? (weigh(questions.filter(test)) / all).toFixed(3) : '–';
}
