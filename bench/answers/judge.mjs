// Answers the questions that collect.mjs has written, and counts what is right.
import { readFileSync } from 'node:fs';
import { DEFAULT_THRESHOLD } from '@latchkey/quoting/confidence';
import { QuoteSelector } from '@latchkey/quoting/read-question';
import { buildParagraphs } from '@latchkey/quoting/spans';
import { WEIGHTS } from '@latchkey/quoting/weights';
import { isRight } from './question-files.mjs';
import { toRated } from './to-rated.mjs';

/**
 * Shares of the answerable questions that are answered rightly, and of near misses and questions about other
 * things that are answered.
 *
 * @param {'words' | 'meaning'} kind @param {string} file
 */
export function judge(kind, file) {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((row) => row.kind !== 'smalltalk')
    .map((row) => {
      const selector = new QuoteSelector(toRated(row, kind), WEIGHTS[kind]);
      const isAnswered = selector.estimateConfidence() >= DEFAULT_THRESHOLD;
      const answer = buildParagraphs(selector.chooseSpans())
        .map(({ text }) => text)
        .join('\n\n');
      return { ...row, isAnswered, isRight: isAnswered && isRight(answer, row.golds) };
    });
  const share = (/** @type {any[]} */ some, /** @type {(row: any) => boolean} */ test) =>
    some.length > 0 ? (some.filter(test).length / some.length).toFixed(3) : '–';
  const answered = (/** @type {string[]} */ kinds) =>
    share(
      rows.filter((row) => kinds.includes(row.kind)),
      (row) => row.isAnswered,
    );
  return {
    right: share(
      rows.filter((row) => row.answerable),
      (row) => row.isRight,
    ),
    near: answered(['near', 'unanswerable']),
    off: answered(['offtopic', 'other']),
  };
}
