import { Injectable, Logger } from '@nestjs/common';
import { toComparableName } from '@latchkey/text/person-name';
import { EntityManager, IsNull } from 'typeorm';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import type { CountingKnowledgeBase } from '../../api-keys/budgets.js';
import { BudgetReachedProblem, keepCount } from '../../knowledge-bases/budgets/budget-counts.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { newId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';

import { Events } from '../../knowledge-bases/events/events.js';
import { Conversation } from './conversation.entity.js';
import { hashRestriction } from './callers-conversations.js';
import type { Exchange, Outcome, Question, TokenUsage } from './exchange.js';
import { ExchangeCosts } from './exchange-costs.js';
import { Message } from './message.entity.js';
import { whereEndUser } from './of-end-user.js';
import { recordErasedExchange, recordExchange } from './record-exchange-usage.js';

/** How a message counts besides its usage. */
interface CountedMessage {
  /** The most tokens that the answer may use; undefined if no model is asked. */
  readonly expected: TokenUsage | undefined;
  /** The knowledge bases in which it counts, sorted by id. */
  readonly counting: readonly CountingKnowledgeBase[];
  /** Counts the message against the daily limit, in the same transaction. */
  readonly countMessage: (manager: EntityManager) => Promise<void>;
}

/** Stores questions with their answers, and counts their usage once, in the same transaction. */
@Injectable()
export class ExchangeRecorder {
  private readonly logger = new Logger(ExchangeRecorder.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly costs: ExchangeCosts,
  ) {}

  /**
   * Stores a question with its answer. An answer that a model has yet to write is stored as `failed` until
   * `finish` completes it. If the process dies before that, it stays `failed`.
   *
   * @param counted left out for a message that asks nothing
   * @throws Problem `not_found` when the conversation or the knowledge base was deleted meanwhile
   */
  async begin(
    apiKey: ApiKeyPrincipal,
    question: Question,
    outcome: Outcome,
    counted?: CountedMessage,
  ): Promise<Exchange> {
    const at = new Date();
    const [questionId, messageId] = adjacentIds();
    const conversationId = question.conversationId ?? newId('conv');
    try {
      return await this.unitOfWork.run(async (manager) => {
        const endUserId =
          question.conversationId === undefined
            ? await beginConversation(manager, apiKey, question, conversationId, at)
            : await continueConversation(manager, question, conversationId, at);
        const ids = { conversationId, questionId, messageId };
        const expected = counted?.expected;
        const begun = { apiKey, question, ...ids, endUserId, expected, holds: [], at };
        await manager.insert(Message, toMessages(begun, outcome));
        await this.recordIfUnanswered(manager, begun, outcome);
        // Counts come last, because other chats of the knowledge base wait for their rows until the commit.
        const holds = counted
          ? await this.costs.hold(manager, begun, counted.counting, outcome.model)
          : [];
        const exchange = { ...begun, holds };
        if (expected === undefined) await this.costs.settle(manager, exchange, outcome);
        await recordExchange(
          manager,
          exchange,
          outcome,
          this.costs.calculateCost(exchange, outcome),
          {
            beginsConversation: question.conversationId === undefined,
          },
        );
        await counted?.countMessage(manager);
        return exchange;
      });
    } catch (error) {
      if (error instanceof BudgetReachedProblem) {
        await this.unitOfWork
          .run((manager) => keepCount(manager, error))
          .catch((failure: unknown) => {
            this.logger.warn(failure);
          });
      }
      if (!isForeignKeyViolation(error)) throw error;
      this.logger.warn(error);
      throw new Problem('not_found');
    }
  }

  /**
   * Completes an answer, unless it is already finished or was erased in the meantime.
   *
   * @param counts false for a request that was rejected after it began, because its key was revoked
   */
  async finish(exchange: Exchange, outcome: Outcome, counts = true): Promise<void> {
    const { messageId: id } = exchange;
    await this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.update(
        Message,
        { id, latencyMs: IsNull() },
        toColumns(outcome),
      );
      if (affected === 1) await this.recordIfUnanswered(manager, exchange, outcome);
      if (affected === 1) {
        await this.costs.settle(manager, exchange, outcome, counts);
        if (counts)
          await recordExchange(
            manager,
            exchange,
            outcome,
            this.costs.calculateCost(exchange, outcome),
          );
      } else if (!(await manager.existsBy(Message, { id }))) {
        await this.costs.settle(manager, exchange, outcome, counts);
        if (counts)
          await recordErasedExchange(
            manager,
            exchange,
            outcome,
            this.costs.calculateCost(exchange, outcome),
          );
      }
    });
  }

  private async recordIfUnanswered(
    manager: EntityManager,
    { apiKey, conversationId, messageId }: Exchange,
    { status, answered }: Outcome,
  ): Promise<void> {
    if (status !== 'complete' || answered) return;
    const data = {
      conversation_id: conversationId,
      message_id: messageId,
      api_key_id: apiKey.id,
      environment: apiKey.environment,
      answered: false,
    };
    await this.events.record(manager, {
      ...{ kbId: apiKey.kbId, action: 'message.unanswered', data },
    });
  }
}

/** @returns the end user of the conversation */
async function beginConversation(
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
async function continueConversation(
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
function adjacentIds(): [question: string, answer: string] {
  // An id begins with `msg_` and ten characters of the time.
  const time = (id: string) => id.slice(0, 14);
  for (;;) {
    const [question, answer] = [newId('msg'), newId('msg')];
    if (time(question) === time(answer)) return [question, answer];
  }
}

function toMessages({ apiKey, question, at, ...ids }: Exchange, outcome: Outcome) {
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

const toColumns = ({ usage, ...outcome }: Outcome) => ({
  ...outcome,
  promptTokens: usage?.promptTokens ?? null,
  completionTokens: usage?.completionTokens ?? null,
});
