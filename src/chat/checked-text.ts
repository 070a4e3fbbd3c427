import type { Completion } from './answer-generator.js';
import { CitationFilter } from './citations.js';
import { NO_ANSWER } from './prompt.js';

/** What comes behind the word is not needed. */
const MAX_OPENING = 100;

/** How an answer ended; without an answer where the model found none in the passages. */
export type Ending = Completion & { readonly answered: boolean };

/**
 * What a model says, as it is told to the client: with those citations alone that have a source,
 * and the refusal in place of its own word for it.
 */
export async function* checkedText(
  pieces: AsyncIterable<string | Completion>,
  sources: number,
  refusalText: string,
): AsyncGenerator<string | Ending> {
  const filter = new CitationFilter(sources);
  // Held back as long as it may become that word.
  let opening: string | undefined = '';
  for await (const piece of pieces) {
    const isEnd = typeof piece === 'object';
    const text: string = (opening ?? '') + (isEnd ? filter.end() : filter.push(piece));
    if (opening !== undefined) {
      opening = mayDecline(text) ? text.slice(0, MAX_OPENING) : undefined;
    }
    const declined = opening !== undefined && withoutMarks(opening).startsWith(NO_ANSWER);
    if (isEnd && declined) yield refusalText;
    // White space alone is no answer; as long as nothing else came, none is passed on.
    else if (opening === undefined ? text !== '' : isEnd && text.trim() !== '') yield text;
    if (isEnd) yield { ...piece, answered: !declined };
  }
}

function mayDecline(text: string): boolean {
  const opening = withoutMarks(text).trimEnd();
  return NO_ANSWER.startsWith(opening) || opening.startsWith(NO_ANSWER);
}

/** Models put the word in quotes, or in bold. */
const withoutMarks = (text: string): string => text.replace(/^[\s"'“‘`*_]+/, '');
