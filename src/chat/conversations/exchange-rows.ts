import { toComparableName } from '@latchkey/text/person-name';
import { type EntityManager, IsNull } from 'typeorm';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { newId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { hashRestriction } from './callers-conversations.js';
import { Conversation } from './conversation.entity.js';
import type { Exchange, Outcome, Question } from './exchange.js';
import { whereEndUser } from './of-end-user.js';

/** @returns the end user of the conversation */
export async function beginConversation(
  manager: EntityManager,
  { kbId, id: apiKeyId, environment }: ApiKeyPrincipal,
  { endUserId, askedAt: createdAt, namedKbIds: kbIds }: Question,
  id: string,
  updatedAt: Date,
): Promise<string | null> {
  const comparedEndUserId = endUserId === null ? null : toComparableName(endUserId);
  await manager.insert(Conversation, {
    ...{ id, kbId, apiKeyId, environment, endUserId, comparedEndUserId, kbIds },
    ...{ createdAt, updatedAt },
  });
  return endUserId;
}

/**
 * The first end user named in a conversation stays its end user.
 *
 * @returns the end user of the conversation
 * @throws Problem `not_found` when it was deleted meanwhile, or another end user was named first
 */
export async function continueConversation(
  manager: EntityManager,
  { endUserId }: Question,
  id: string,
  updatedAt: Date,
): Promise<string | null> {
  const { affected } = await manager
    .createQueryBuilder()
    .update(Conversation)
    .set({
      updatedAt,
      ...(endUserId !== null && {
        endUserId: () => 'COALESCE(end_user_id, :endUserId)',
        comparedEndUserId: toComparableName(endUserId),
      }),
    })
    .where({ id })
    .andWhere(endUserId === null ? {} : [{ endUserId: IsNull() }, ...whereEndUser(endUserId)])
    .setParameter('endUserId', endUserId)
    .execute();
  if (affected !== 1) throw new Problem('not_found');
  if (endUserId !== null) return endUserId;
  const conversation = await manager.findOneBy(Conversation, { id });
  return conversation?.endUserId ?? null;
}

/** Creates two ids of the same millisecond, so that no later message sorts between question and answer. */
export function createAdjacentIds(): [question: string, answer: string] {
  // An id begins with `msg_` and ten characters of the time.
  const time = (id: string) => id.slice(0, 14);
  for (;;) {
    const [question, answer] = [newId('msg'), newId('msg')];
    if (time(question) === time(answer)) return [question, answer];
  }
}

export function toMessages({ apiKey, question, at, ...ids }: Exchange, outcome: Outcome) {
  const { id: apiKeyId, environment } = apiKey;
  const common = {
    conversationId: ids.conversationId,
    apiKeyId,
    environment,
    filterHash: hashRestriction(apiKey),
  };
  return [
    {
      ...common,
      id: ids.questionId,
      role: 'user' as const,
      content: question.content,
      status: 'complete' as const,
      sources: [],
      createdAt: question.askedAt,
    },
    {
      ...common,
      id: ids.messageId,
      role: 'assistant' as const,
      createdAt: at,
      ...toColumns(outcome),
    },
  ];
}

export const toColumns = ({
  usage,
  spent: _,
  answerValue: __,
  total: ___,
  ...outcome
}: Outcome) => ({
  ...outcome,
  promptTokens: usage?.promptTokens ?? null,
  completionTokens: usage?.completionTokens ?? null,
});
