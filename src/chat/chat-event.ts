import type { Exchange, Outcome } from '../conversations/exchange-recorder.js';
import type { SourceDto } from '../conversations/source.dto.js';
import { toUsageDto } from '../conversations/usage.dto.js';
import type { ChatAnswerDto } from './answer.dto.js';

type Ids = Pick<Exchange, 'conversationId' | 'messageId'>;

/** The steps of an answer, in order; there may be any number of deltas. */
export type ChatEvent =
  | { event: 'message_start'; data: { conversation_id: string; message_id: string } }
  | { event: 'sources'; data: { sources: SourceDto[] } }
  | { event: 'delta'; data: { text: string } }
  | { event: 'message_end'; data: ChatAnswerDto };

export const messageStart = ({ conversationId, messageId }: Ids): ChatEvent => ({
  event: 'message_start',
  data: { conversation_id: conversationId, message_id: messageId },
});

export const sourcesFound = (sources: SourceDto[]): ChatEvent => ({
  event: 'sources',
  data: { sources },
});

export const delta = (text: string): ChatEvent => ({ event: 'delta', data: { text } });

export const messageEnd = (
  { conversationId, messageId }: Ids,
  outcome: Outcome,
  partial: boolean,
): ChatEvent => ({
  event: 'message_end',
  data: {
    conversation_id: conversationId,
    message_id: messageId,
    answer: outcome.content,
    answered: outcome.answered,
    finish_reason: outcome.finishReason ?? 'other',
    sources: outcome.sources,
    model: outcome.model,
    usage: outcome.usage && toUsageDto(outcome.usage),
    ...(partial && { partial }),
    latency_ms: outcome.latencyMs ?? 0,
  },
});

/** Those of an answer that is there already. */
export const toEvents = (ids: Ids, outcome: Outcome, partial: boolean): ChatEvent[] => [
  messageStart(ids),
  sourcesFound(outcome.sources),
  delta(outcome.content),
  messageEnd(ids, outcome, partial),
];
