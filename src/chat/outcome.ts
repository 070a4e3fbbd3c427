import { toCitedDocument } from '../documents/closed-documents.js';
import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import type { ReadyAnswer } from './answer-source.js';
import type { Outcome, ConversationTurn } from './conversations/exchange.js';
import type { CompleteAnswer } from './compose-answer.js';
import type { DocumentList } from './document-lists.js';
import type { PendingAnswer } from './model-answerer.js';
import type { SmallTalkReply } from './replies.js';

export const millisecondsSince = (start: number) => Math.round(performance.now() - start);

/**
 * The outcome of an answer that the model has yet to write. It is stored as `failed` until then.
 *
 * @param history the turns that the model gets
 */
export const pendingOutcome = (
  { model, sources }: PendingAnswer,
  history: readonly ConversationTurn[],
): Outcome => ({
  content: '',
  status: 'failed',
  answered: false,
  answerValue: null,
  kind: null,
  sources,
  related: null,
  contextDocumentIds: listContextDocumentIds(history),
  grounded: null,
  confidence: null,
  conflict: null,
  model,
  finishReason: null,
  usage: null,
  latencyMs: null,
});

function listContextDocumentIds(history: readonly ConversationTurn[]): string[] | null {
  const ids = new Set(history.flatMap(({ documentIds = [] }) => documentIds));
  return ids.size > 0 ? [...ids] : null;
}

/** The parts of the outcome that an answer without a model decides. */
export const answerParts = (
  { model, text, value, confidence, conflict, hasOpenQuestion, sources, related }: CompleteAnswer,
  refusalText: string,
) =>
  text === undefined
    ? {
        ...{ model, content: refusalText, answered: false, answerValue: null, confidence },
        ...{ sources: [], related, conflict: null },
      }
    : {
        model,
        content: text,
        answered: true,
        confidence,
        conflict,
        answerValue: value,
        sources,
        related: hasOpenQuestion ? related : null,
      };

/** The outcome of an answer that is not based on documents. */
export const shortOutcome = (content: string, startedAt: number): Outcome => ({
  content,
  status: 'complete',
  answered: true,
  answerValue: null,
  kind: null,
  sources: [],
  related: null,
  contextDocumentIds: null,
  grounded: null,
  confidence: null,
  conflict: null,
  model: EXTRACTIVE,
  finishReason: 'stop',
  usage: null,
  latencyMs: millisecondsSince(startedAt),
});

/** The outcome of an answer to a message that asks nothing. */
export const smallTalkOutcome = (
  { text, documentIds }: SmallTalkReply,
  startedAt: number,
): Outcome => ({
  ...shortOutcome(text, startedAt),
  kind: 'smalltalk',
  contextDocumentIds: documentIds.length > 0 ? [...documentIds] : null,
});

/** The outcome of an answer from the list of documents. */
export const listOutcome = (
  { text, total, documentIds }: DocumentList,
  startedAt: number,
): Outcome => ({
  ...shortOutcome(text, startedAt),
  ...{ kind: 'list', total, contextDocumentIds: [...documentIds] },
});

/** @param kbId of the conversation */
export const readyOutcome = (
  { model, text, sources, basedOn }: ReadyAnswer,
  kbId: string,
  startedAt: number,
): Outcome => ({
  ...shortOutcome(text, startedAt),
  sources,
  contextDocumentIds: basedOn.map((one) => toCitedDocument(one, kbId)),
  model,
});

export const completeOutcome = (
  answer: CompleteAnswer,
  refusalText: string,
  startedAt: number,
): Outcome => ({
  ...answerParts(answer, refusalText),
  status: 'complete',
  kind: null,
  contextDocumentIds: null,
  grounded: null,
  finishReason: 'stop',
  usage: null,
  latencyMs: millisecondsSince(startedAt),
});
