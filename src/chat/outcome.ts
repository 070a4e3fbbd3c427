import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import type { Outcome } from './conversations/exchange.js';
import type { CompleteAnswer, PendingAnswer } from './answering.js';

export const millisecondsSince = (start: number) => Math.round(performance.now() - start);

/** An answer is stored as `failed` until the model has completed it. */
export const pendingOutcome = ({ model, sources }: PendingAnswer): Outcome => ({
  content: '',
  status: 'failed',
  answered: false,
  kind: null,
  sources,
  related: null,
  grounded: null,
  model,
  finishReason: null,
  usage: null,
  latencyMs: null,
});

/** What an answer without a model decides of its outcome. */
export const answerParts = (
  { model, text, isPartial, sources, related }: CompleteAnswer,
  refusalText: string,
) =>
  text === undefined
    ? { model, content: refusalText, answered: false, sources: [], related }
    : {
        model,
        content: text,
        answered: true,
        sources,
        related: isPartial ? related : null,
      };

/** An answer to a message that asks nothing of the documents. */
export const smallTalkOutcome = (content: string, startedAt: number): Outcome => ({
  content,
  status: 'complete',
  answered: true,
  kind: 'smalltalk',
  sources: [],
  related: null,
  grounded: null,
  model: EXTRACTIVE,
  finishReason: 'stop',
  usage: null,
  latencyMs: millisecondsSince(startedAt),
});

export const completeOutcome = (
  answer: CompleteAnswer,
  refusalText: string,
  startedAt: number,
): Outcome => ({
  ...answerParts(answer, refusalText),
  status: 'complete',
  kind: null,
  grounded: null,
  finishReason: 'stop',
  usage: null,
  latencyMs: millisecondsSince(startedAt),
});
