// Counts what is right of the questions that collect.mjs has written.
import { DEFAULT_THRESHOLD } from '@latchkey/quoting/confidence';
import { answerCollected, NEAR, OFF_TOPIC, share } from './collected.mjs';

/**
 * Shares of the answerable questions that are answered rightly, and of near misses and questions about other
 * things that are answered.
 *
 * @param {'words' | 'meaning'} kind
 * @param {string} file
 */
export function judge(kind, file) {
  const questions = answerCollected(kind, file);
  const isAnswered = (/** @type {{ confidence: number }} */ { confidence }) =>
    confidence >= DEFAULT_THRESHOLD;
  const answered = (/** @type {string[]} */ kinds) =>
    share(
      questions.filter((one) => kinds.includes(one.kind)),
      isAnswered,
    );
  return {
    right: share(
      questions.filter(({ answerable }) => answerable),
      (one) => one.isRight && isAnswered(one),
    ),
    near: answered(NEAR),
    off: answered(OFF_TOPIC),
  };
}
