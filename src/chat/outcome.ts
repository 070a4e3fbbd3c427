import type { Outcome } from './conversations/exchange.js';
import type { SourceDto } from './conversations/source.dto.js';
import type { CompleteAnswer, StreamedAnswer } from './answer-generator.js';

export const millisecondsSince = (start: number) => Math.round(performance.now() - start);

/** An answer is stored as `failed` until the model has completed it. */
export const pendingOutcome = ({ model }: StreamedAnswer, sources: SourceDto[]): Outcome => ({
  content: '',
  status: 'failed',
  answered: false,
  sources,
  model,
  finishReason: null,
  usage: null,
  latencyMs: null,
});

export const completeOutcome = (
  { model, text }: CompleteAnswer,
  sources: SourceDto[],
  refusalText: string,
  startedAt: number,
): Outcome => ({
  content: text ?? refusalText,
  status: 'complete',
  answered: text !== undefined,
  sources: text === undefined ? [] : sources,
  model,
  finishReason: 'stop',
  usage: null,
  latencyMs: millisecondsSince(startedAt),
});
