import type { EntityManager } from 'typeorm';
import { together } from '../database/together.js';
import { type ChatUse, recordChat } from '../usage/record-uses.js';
import { ofExisting } from '../usage/used-key.js';
import type { Exchange, Outcome } from './exchange-recorder.js';
import { questionTopic } from './question-topic.js';
import { UnansweredQuestion } from './unanswered-question.entity.js';

/**
 * Counts an exchange in the transaction that keeps how it ended: once, or not at all. One that
 * failed was no answer; one that the client did not wait for is a chat, but neither answered nor
 * unanswered.
 */
export async function countExchange(
  manager: EntityManager,
  exchange: Exchange,
  outcome: Outcome,
): Promise<void> {
  if (outcome.status === 'failed') return;
  const { apiKey, question, conversationId, questionId } = exchange;
  const use = toUse(exchange, outcome);
  const unanswered = {
    messageId: questionId,
    kbId: apiKey.kbId,
    conversationId,
    environment: apiKey.environment,
    topic: questionTopic(question.content),
    askedAt: question.askedAt,
  };
  await together(
    manager,
    () => recordChat(manager, use),
    ...(use.answered === false ? [() => manager.insert(UnansweredQuestion, unanswered)] : []),
  );
}

/** The same for one that was erased meanwhile: whose it was and what was asked is forgotten. */
export async function countErasedExchange(
  manager: EntityManager,
  exchange: Exchange,
  outcome: Outcome,
): Promise<void> {
  if (outcome.status === 'failed') return;
  const uses = await ofExisting(manager, [{ ...toUse(exchange, outcome), endUserId: null }]);
  for (const use of uses) await recordChat(manager, use);
}

function toUse({ apiKey, endUserId, messageId, at }: Exchange, outcome: Outcome): ChatUse {
  const { status, answered, sources, usage } = outcome;
  return {
    id: messageId,
    key: apiKey,
    at,
    latencyMs: outcome.latencyMs ?? 0,
    answered: status === 'complete' ? answered : null,
    endUserId,
    documentIds: answered ? [...new Set(sources.map(({ document_id: id }) => id))] : [],
    promptTokens: usage?.promptTokens ?? 0,
    completionTokens: usage?.completionTokens ?? 0,
  };
}
