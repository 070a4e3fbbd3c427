import type { Completion } from './answer-generator.js';
import { CitationFilter, citedIndexes } from './citations.js';
import { PromptLeakFilter, type SecretText } from './prompt-leak.js';
import { NO_ANSWER } from './prompt.js';

/** `answered` is false if the model found no answer in the passages. */
export type Ending = Completion & { readonly answered: boolean };

interface Checks {
  /** The number of sources that can be cited. */
  readonly sources: number;
  /** What the model replies if the passages do not contain the answer. */
  readonly noAnswerMark: string;
  /** Texts of the prompt that the answer must not repeat. */
  readonly secrets: readonly SecretText[];
}

/**
 * The text of a model as it is sent to the client: without citations that have no source, and only up to
 * the point where it repeats its instructions, which counts as no answer. Text that begins with the mark
 * for no answer is not sent. Models sometimes shorten the mark to NO_ANSWER. A text that begins with it is
 * sent only if it cites a source, because it is then about the word.
 */
export async function* checkedText(
  pieces: AsyncIterable<string | Completion>,
  { sources, noAnswerMark, secrets }: Checks,
): AsyncGenerator<string | Ending> {
  const citations = new CitationFilter(sources);
  const leaks = new PromptLeakFilter(secrets);
  /** The text held back while it may be no answer; undefined once it is one. */
  let held: string | undefined = '';
  for await (const piece of pieces) {
    const isEnd = typeof piece === 'object';
    const kept: string = isEnd
      ? citations.push(leaks.end()) + citations.end()
      : citations.push(leaks.push(piece));
    if (leaks.hasLeak) {
      yield { finishReason: 'content_filter', usage: null, answered: false };
      return;
    }
    const text: string = (held ?? '') + kept;
    if (held !== undefined) held = mayBeRefusal(text, noAnswerMark) ? text : undefined;
    if (held === undefined && text !== '') yield text;
    if (!isEnd) continue;
    const isRefusal = held !== undefined && withoutMarks(held).startsWith(NO_ANSWER);
    // White space alone is not an answer, but the beginning of the mark can be one: “NO”.
    if (held !== undefined && !isRefusal && held.trim() !== '') yield held;
    yield { ...piece, answered: !isRefusal };
  }
}

/** Whether a text can still become a refusal. White space may precede the mark. */
function mayBeRefusal(text: string, mark: string): boolean {
  const opening = withoutMarks(text).trimEnd();
  if (mark.startsWith(opening) || opening.startsWith(mark)) return true;
  return opening.startsWith(NO_ANSWER) && citedIndexes(opening).size === 0;
}

/** Models write the mark in quotes or in bold. */
const withoutMarks = (text: string): string => text.replace(/^[\s"'“‘`*_]+/, '');
