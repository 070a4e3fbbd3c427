import type { Completion } from './answer-generator.js';
import { CitationFilter } from './citations.js';
import { NO_ANSWER } from './prompt.js';

/** At most this much of a possible refusal is held back; the rest of it is not used. */
const MAX_OPENING = 100;

/** `answered` is false if the model found no answer in the passages. */
export type Ending = Completion & { readonly answered: boolean };

/**
 * The text of a model as sent to the client: citations without a source are removed, and NO_ANSWER is
 * replaced by the knowledge base's refusal.
 */
export async function* checkedText(
  pieces: AsyncIterable<string | Completion>,
  sources: number,
  refusalText: string,
): AsyncGenerator<string | Ending> {
  const citations = new CitationFilter(sources);
  /** The beginning, held back while it may still become NO_ANSWER; undefined afterwards. */
  let opening: string | undefined = '';
  for await (const piece of pieces) {
    const isEnd = typeof piece === 'object';
    const text: string = (opening ?? '') + (isEnd ? citations.end() : citations.push(piece));
    if (opening !== undefined) {
      opening = mayBeRefusal(text) ? text.slice(0, MAX_OPENING) : undefined;
    }
    const isRefusal = opening !== undefined && withoutMarks(opening).startsWith(NO_ANSWER);
    if (isEnd && isRefusal) yield refusalText;
    // Leading white space is held back: white space alone is no answer.
    else if (opening === undefined ? text !== '' : isEnd && text.trim() !== '') yield text;
    if (isEnd) yield { ...piece, answered: !isRefusal };
  }
}

function mayBeRefusal(text: string): boolean {
  const opening = withoutMarks(text).trimEnd();
  return NO_ANSWER.startsWith(opening) || opening.startsWith(NO_ANSWER);
}

/** Models write NO_ANSWER in quotes or in bold. */
const withoutMarks = (text: string): string => text.replace(/^[\s"'“‘`*_]+/, '');
