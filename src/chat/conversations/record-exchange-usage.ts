import type { EntityManager } from 'typeorm';
import {
  type ChatEntry,
  type ConversationEntry,
  recordUsage,
  type SmallTalkEntry,
} from '../../usage/record-usage.js';
import { lockExistingKnowledgeBases } from '../../usage/used-key.js';
import type { Cost } from '../../usage/usage-members.js';
import type { Exchange, Outcome } from './exchange.js';
import { isCuratedModel } from './is-curated-model.js';
import { questionTopic } from './question-topic.js';
import { UnansweredQuestion } from './unanswered-question.entity.js';

/** The name under which curated answers are counted among the models. */
const CURATED = 'curated';

/**
 * Counts an exchange in the transaction that stores its answer. An answer that failed or is still being
 * written does not count.
 */
export async function recordExchange(
  manager: EntityManager,
  exchange: Exchange,
  outcome: Outcome,
  cost: Cost,
  { beginsConversation = false } = {},
): Promise<void> {
  const entries = outcome.status === 'failed' ? [] : [toEntry(exchange, outcome, cost)];
  const [entry] = entries;
  if (entry?.kind === 'chat' && entry.answered === false) {
    await insertUnansweredQuestion(manager, exchange);
  }
  const conversations = beginsConversation ? [toConversationEntry(exchange)] : [];
  await recordUsage(manager, [
    ...conversations,
    ...entries,
    ...(await buildOtherEntries(manager, exchange, outcome, entries)),
  ]);
}

/** Counts an exchange that was erased in the meantime, without its end user and its question. */
export async function recordErasedExchange(
  manager: EntityManager,
  exchange: Exchange,
  outcome: Outcome,
  cost: Cost,
): Promise<void> {
  if (outcome.status === 'failed') return;
  const entry = { ...toChatEntry(exchange, outcome, cost), endUserId: null };
  const existing = await lockExistingKnowledgeBases(manager, [entry]);
  await recordUsage(manager, [
    ...existing,
    ...(await buildOtherEntries(manager, exchange, outcome, [entry])),
  ]);
}

/**
 * An exchange counts in each knowledge base that was asked. Its end user and the cost of the model count
 * only in the main one.
 */
async function buildOtherEntries(
  manager: EntityManager,
  { apiKey, question }: Exchange,
  outcome: Outcome,
  [entry]: readonly (ChatEntry | SmallTalkEntry)[],
): Promise<(ChatEntry | SmallTalkEntry)[]> {
  const others = question.askedKbIds.filter((kbId) => kbId !== apiKey.kbId);
  if (!entry || others.length === 0) return [];
  const counted = others.map((kbId) => {
    const key = { ...apiKey, kbId };
    if (entry.kind === 'smalltalk') return { ...entry, key };
    const cost = { promptTokens: 0, completionTokens: 0, cost: 0 };
    return {
      ...entry,
      promptTokens: 0,
      completionTokens: 0,
      key,
      answered: decideAnswered(kbId, outcome),
      documentIds: listCitedDocuments(outcome, kbId),
      endUserId: null,
      cost,
    };
  });
  return lockExistingKnowledgeBases(manager, counted);
}

/**
 * Whether a knowledge base answered a question; null if only other knowledge bases answered it, or if the
 * client did not wait for the end. An answer without citations counts for every knowledge base in which
 * passages were found.
 */
function decideAnswered(kbId: string, { status, answered, sources }: Outcome) {
  if (status !== 'complete') return null;
  const cited = sources.filter((source) => source.cited);
  const basis = cited.length > 0 ? cited : sources;
  const isOfOthers = basis.length > 0 && basis.every((source) => source.kb_id !== kbId);
  return answered && isOfOthers ? null : answered;
}

/** The documents of a knowledge base that an answer cites, which are fewer than those found. */
const listCitedDocuments = ({ answered, sources }: Outcome, kbId: string): string[] => {
  const own = answered ? sources.filter((source) => source.cited && source.kb_id === kbId) : [];
  return [...new Set(own.map(({ document_id: id }) => id))];
};

const insertUnansweredQuestion = (
  manager: EntityManager,
  { apiKey, question, conversationId, questionId }: Exchange,
) =>
  manager.insert(UnansweredQuestion, {
    messageId: questionId,
    kbId: apiKey.kbId,
    conversationId,
    environment: apiKey.environment,
    topic: questionTopic(question.content),
    askedAt: question.askedAt,
  });

const toConversationEntry = ({
  apiKey,
  question,
  conversationId,
}: Exchange): ConversationEntry => ({
  kind: 'conversation',
  id: conversationId,
  key: apiKey,
  at: question.askedAt,
});

const toEntry = (exchange: Exchange, outcome: Outcome, cost: Cost): ChatEntry | SmallTalkEntry =>
  outcome.kind === 'smalltalk'
    ? { kind: 'smalltalk', id: exchange.messageId, key: exchange.apiKey, at: exchange.at }
    : toChatEntry(exchange, outcome, cost);

function toChatEntry(
  { apiKey, endUserId, messageId, at }: Exchange,
  outcome: Outcome,
  cost: Cost,
): ChatEntry {
  const { usage } = outcome;
  return {
    kind: 'chat',
    id: messageId,
    key: apiKey,
    at,
    latencyMs: outcome.latencyMs ?? 0,
    answered: decideAnswered(apiKey.kbId, outcome),
    endUserId,
    documentIds: listCitedDocuments(outcome, apiKey.kbId),
    promptTokens: usage?.promptTokens ?? 0,
    completionTokens: usage?.completionTokens ?? 0,
    model: isCuratedModel(outcome.model) ? CURATED : outcome.model,
    cost,
  };
}
