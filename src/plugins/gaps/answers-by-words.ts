import { setImmediate } from 'node:timers/promises';
import { separateQuestions, type SingleQuestion } from '@latchkey/quoting/separate-questions';
import { findAskedSentences } from '@latchkey/text/asked-sentences';

/**
 * Finds the curated answers to each topic. If a message asks several questions and each has answers, these
 * are the answers to the last one. A question is parsed in each language that curated answers have, so other
 * work of the process continues in between.
 *
 * @param byWords finds the ids of the answers to a question
 */
export async function answersByWords<Topic extends { readonly question: string }>(
  topics: readonly Topic[],
  byWords: (question: SingleQuestion) => Promise<string[]>,
): Promise<Map<Topic, string[]>> {
  const found = new Map<Topic, string[]>();
  for (const topic of topics) found.set(topic, await answersTo(topic.question, byWords));
  return found;
}

async function answersTo(
  message: string,
  byWords: (question: SingleQuestion) => Promise<string[]>,
): Promise<string[]> {
  await setImmediate();
  const ids = await byWords({ asked: findAskedSentences(message), context: [], text: message });
  if (ids.length > 0) return ids;
  await setImmediate();
  const questions = separateQuestions(message, []);
  if (questions.length < 2) return [];
  let last: string[] = [];
  for (const question of questions) {
    await setImmediate();
    last = await byWords(question);
    if (last.length === 0) break;
  }
  return last;
}
