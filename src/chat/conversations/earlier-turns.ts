import type { OpenContent } from '../../documents/closed-documents.js';
import { listUsedDocuments } from './documents-of.js';
import type { ConversationTurn } from './exchange.js';
import type { Message } from './message.entity.js';

/** The most documents that the row of an answer names. A model gets no earlier turns beyond them. */
const MAX_CONTEXT_DOCUMENTS = 1000;

/**
 * Pairs the questions of a conversation with their complete answers, without those that the reader may not
 * see now.
 *
 * @param messages oldest first
 * @param kbId of the conversation
 * @param restriction of the key; see hashRestriction
 * @param open the documents that the reader may read, by their names in listUsedDocuments
 */
export function pairTurns(
  messages: readonly Message[],
  kbId: string,
  restriction: string | null,
  open: ReadonlyMap<string, OpenContent>,
): ConversationTurn[] {
  const wasSaid = (id: string, askedAt: Date) => {
    const content = open.get(id);
    return content !== undefined && (content.since === null || content.since <= askedAt);
  };
  return messages.flatMap((message, index): ConversationTurn[] => {
    const answer = messages[index + 1];
    if (message.role !== 'user' || answer?.role !== 'assistant') return [];
    const isAllowed = restriction === null || answer.filterHash === restriction;
    const documentIds = listUsedDocuments(answer, kbId);
    const isOpen = documentIds.every((id) => wasSaid(id, message.createdAt));
    return answer.status === 'complete' && isAllowed && isOpen
      ? [{ question: message.content, answer: answer.content, documentIds }]
      : [];
  });
}

/** Keeps the last turns that together are based on at most `MAX_CONTEXT_DOCUMENTS` documents. */
export function limitDocuments(turns: readonly ConversationTurn[]): ConversationTurn[] {
  const documents = new Set<string>();
  const isTooMuch = ({ documentIds = [] }: ConversationTurn) => {
    for (const id of documentIds) documents.add(id);
    return documents.size > MAX_CONTEXT_DOCUMENTS;
  };
  return turns.slice(turns.findLastIndex(isTooMuch) + 1);
}
