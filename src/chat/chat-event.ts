import type { Outcome } from './conversations/exchange.js';
import type { SourceDto } from './conversations/source.dto.js';
import { toTokenUsageDto } from './conversations/token-usage.dto.js';
import { isCuratedModel } from './conversations/is-curated-model.js';
import type { ChatAnswerDto, DashboardAnswerDto, StepDto } from './answer.dto.js';

interface Ids {
  readonly conversationId: string | null;
  readonly messageId: string | null;
}

/** The ids of an answer that is not stored. */
export const NOT_STORED: Ids = { conversationId: null, messageId: null };

/** What is said about the search behind an answer. */
export interface SearchFacts {
  /** Whether there may be better passages: it reached its time limit, or vectors were missing. */
  readonly partial: boolean;
  /** The texts that were searched for. */
  readonly searched: readonly string[];
  /** The rounds in which the model searched further; given for dashboard users only. */
  readonly steps?: readonly StepDto[];
}

/** The server-sent events of an answer, in order. There can be any number of deltas. */
export type AnswerEvent =
  | { event: 'message_start'; data: { conversation_id: string | null; message_id: string | null } }
  | { event: 'step'; data: StepDto }
  | { event: 'sources'; data: { sources: SourceDto[] } }
  | { event: 'delta'; data: { text: string } }
  | { event: 'related'; data: { related: SourceDto[] } }
  | { event: 'message_end'; data: ChatAnswerDto | DashboardAnswerDto };

export const messageStart = ({ conversationId, messageId }: Ids): AnswerEvent => ({
  event: 'message_start',
  data: { conversation_id: conversationId, message_id: messageId },
});

export const stepEvent = (step: StepDto): AnswerEvent => ({ event: 'step', data: step });

export const sourcesEvent = (sources: SourceDto[]): AnswerEvent => ({
  event: 'sources',
  data: { sources },
});

export const delta = (text: string): AnswerEvent => ({ event: 'delta', data: { text } });

/** The passages that may help, if the answer is a refusal or leaves one of several questions open. */
export const relatedEvents = (related: SourceDto[] | null): AnswerEvent[] =>
  related === null ? [] : [{ event: 'related', data: { related } }];

export const messageEnd = (
  { conversationId, messageId }: Ids,
  outcome: Outcome,
  { partial, searched, steps = [] }: SearchFacts,
): AnswerEvent => ({
  event: 'message_end',
  data: {
    conversation_id: conversationId,
    message_id: messageId,
    answer: outcome.content,
    answered: outcome.answered,
    ...(outcome.answerValue !== null && { answer_value: outcome.answerValue }),
    ...(outcome.kind !== null && { kind: outcome.kind }),
    ...(outcome.total !== undefined && { total: outcome.total }),
    ...(isCuratedModel(outcome.model) && { curated: true }),
    ...(outcome.grounded !== null && { grounded: outcome.grounded }),
    ...(outcome.confidence !== null && { confidence: outcome.confidence }),
    ...(outcome.conflict && { conflict: true as const }),
    finish_reason: outcome.finishReason ?? 'other',
    sources: outcome.sources,
    ...(outcome.related !== null && { related: outcome.related }),
    model: outcome.model,
    usage: outcome.usage && toTokenUsageDto(outcome.usage),
    ...(partial && { partial }),
    latency_ms: outcome.latencyMs ?? 0,
    ...(messageId === null && searched.length > 0 && { searched_for: [...searched] }),
    ...(steps.length > 0 && { steps: [...steps] }),
  },
});

/** The events of an answer that is already complete; `stored` is undefined if it is not stored. */
export function toEvents(
  stored: Ids | undefined,
  outcome: Outcome,
  search: SearchFacts,
): AnswerEvent[] {
  const ids = stored ?? NOT_STORED;
  return [
    messageStart(ids),
    sourcesEvent(outcome.sources),
    delta(outcome.content),
    ...relatedEvents(outcome.related),
    messageEnd(ids, outcome, search),
  ];
}

/** The whole answer, which is in the last event. */
export async function readAnswer(
  events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>,
): Promise<ChatAnswerDto | DashboardAnswerDto> {
  for await (const { event, data } of events) {
    if (event === 'message_end') return data;
  }
  throw new Error('The events of an answer ended without message_end');
}
