import type { Completion } from './answer-generator.js';
import { CitationFilter, citedIndexes } from './citations.js';
import { NO_ANSWER } from './prompt.js';

/** `answered` is false if the model found no answer in the passages. */
export type Ending = Completion & { readonly answered: boolean };

interface Checks {
  /** How many sources can be cited. */
  readonly sources: number;
  /** What the model replies with when the passages do not hold the answer. */
  readonly noAnswerMark: string;
}

/**
 * The text of a model as sent to the client: without citations that have no source. Text that begins
 * with the mark for no answer is not sent. Models sometimes shorten the mark to NO_ANSWER: a text that
 * begins so is sent only if it cites a source, since it then speaks of the word.
 */
export async function* checkedText(
  pieces: AsyncIterable<string | Completion>,
  { sources, noAnswerMark }: Checks,
): AsyncGenerator<string | Ending> {
  const citations = new CitationFilter(sources);
  /** The text held back while it may be no answer; undefined once it is one. */
  let held: string | undefined = '';
  for await (const piece of pieces) {
    const isEnd = typeof piece === 'object';
    const text: string = (held ?? '') + (isEnd ? citations.end() : citations.push(piece));
    if (held !== undefined) held = mayBeRefusal(text, noAnswerMark) ? text : undefined;
    if (held === undefined && text !== '') yield text;
    if (!isEnd) continue;
    const isRefusal = held !== undefined && withoutMarks(held).startsWith(NO_ANSWER);
    // White space alone is no answer, but the beginning of the mark may be one: “NO”.
    if (held !== undefined && !isRefusal && held.trim() !== '') yield held;
    yield { ...piece, answered: !isRefusal };
  }
}

/** Leading white space may be followed by the mark. */
function mayBeRefusal(text: string, mark: string): boolean {
  const opening = withoutMarks(text).trimEnd();
  if (mark.startsWith(opening) || opening.startsWith(mark)) return true;
  return opening.startsWith(NO_ANSWER) && citedIndexes(opening).size === 0;
}

/** Models write the mark in quotes or in bold. */
const withoutMarks = (text: string): string => text.replace(/^[\s"'“‘`*_]+/, '');
