import { Problem } from '../platform/problems/problem.js';
import type { Completion } from './answer-generator.js';
import type { WatchedAnswer } from './answer-watch.js';
import type { Ending } from './checked-text.js';
import type { Outcome } from './conversations/exchange.js';
import { isGrounded } from './grounded.js';
import type { PendingAnswer } from './model-answerer.js';
import { MAX_RELATED, withCited } from './to-source.js';

/** Refuses as the model would, which is not asked without passages. */
export async function* refuse({
  noAnswerMark,
}: PendingAnswer): AsyncGenerator<string | Completion> {
  yield await Promise.resolve(noAnswerMark);
  yield { finishReason: 'stop', usage: null };
}

/** Decides the outcome from the text that the model completed. */
export async function decideOutcome(
  { documentIds }: WatchedAnswer,
  answer: PendingAnswer,
  content: string,
  { answered, finishReason }: Ending,
): Promise<Partial<Outcome>> {
  if (answered) {
    if (content === '') throw new Problem('model_unavailable');
    const sources = withCited(answer.sources, content);
    const cited = answer.passages.filter((_, position) => sources[position]?.cited);
    return { answered, finishReason, sources, grounded: isGrounded(content, cited) };
  }
  // If no helpful place is known, the best passages of the search are shown.
  const related = await answer.quote().then(
    ({ related: nearest }) => (nearest.length > 0 ? nearest : answer.sources.slice(0, MAX_RELATED)),
    () => answer.sources.slice(0, MAX_RELATED),
  );
  // Text that was sent before the answer was cut off may come from its sources, and shows those it cites.
  const cited = withCited(answer.sources, content).filter((source) => source.cited);
  const context = content === '' ? {} : { contextDocumentIds: [...new Set(documentIds)] };
  return { answered, finishReason, sources: cited, related, ...context };
}
