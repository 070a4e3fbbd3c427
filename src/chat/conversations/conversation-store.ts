import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import type { CountingKnowledgeBase } from '../../api-keys/budgets.js';
import { readingScopes } from '../../api-keys/granted-knowledge-bases.js';
import { ClosedDocuments } from '../../documents/closed-documents.js';
import { BudgetReachedProblem, keepCount } from '../../knowledge-bases/budgets/budget-counts.js';
import { Events } from '../../knowledge-bases/events/events.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { Reads } from '../../platform/database/reads.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { newId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { hashRestriction, selectCallersConversations } from './callers-conversations.js';
import { Conversation } from './conversation.entity.js';
import { listUsedDocuments } from './documents-of.js';
import { limitDocuments, pairTurns } from './earlier-turns.js';
import type { Exchange, Outcome, Question, TokenUsage, ConversationTurn } from './exchange.js';
import { ExchangeCosts } from './exchange-costs.js';
import {
  beginConversation,
  continueConversation,
  createAdjacentIds,
  toColumns,
  toMessages,
} from './exchange-rows.js';
import { Message } from './message.entity.js';
import { recordErasedExchange, recordExchange } from './record-exchange-usage.js';

/** Messages to read in addition, because failed answers are skipped. */
const EXTRA_MESSAGES = 20;

/** How a message counts besides its usage. */
interface CountedMessage {
  /** The most tokens that the answer may use; undefined if no model is asked. */
  readonly expected: TokenUsage | undefined;
  /** The knowledge bases in which it counts, sorted by id. */
  readonly counting: readonly CountingKnowledgeBase[];
  /** Counts the message against the daily limit, in the same transaction. */
  readonly countMessage: (manager: EntityManager) => Promise<void>;
}

/**
 * The conversations of partners: finds the one that a question continues, and stores questions with their
 * answers. Their usage is counted once, in the same transaction.
 */
@Injectable()
export class ConversationStore {
  private readonly logger = new Logger(ConversationStore.name);

  constructor(
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    private readonly reads: Reads,
    private readonly closed: ClosedDocuments,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly costs: ExchangeCosts,
  ) {}

  /**
   * @param endUserId the end user who continues it; null for none
   * @throws Problem `not_found` unless it may be continued; see selectCallersConversations
   */
  async requireConversation(
    apiKey: ApiKeyPrincipal,
    id: string,
    endUserId: string | null,
  ): Promise<Conversation> {
    const conversation = await selectCallersConversations(this.conversations.manager, apiKey)
      .andWhere({ id })
      .getOne();
    const { endUserId: owner = null } = conversation ?? {};
    const isAnothers =
      endUserId !== null &&
      owner !== null &&
      toComparableName(owner) !== toComparableName(endUserId);
    if (!conversation || isAnothers) throw new Problem('not_found');
    return conversation;
  }

  /** @throws Problem `not_found` if there is no such answer. requireConversation checks the owner. */
  async findConversationId(messageId: string): Promise<string> {
    const message = await this.conversations.manager.findOne(Message, {
      select: { conversationId: true },
      where: { id: messageId, role: 'assistant' },
    });
    if (!message) throw new Problem('not_found');
    return message.conversationId;
  }

  /**
   * The last questions with their complete answers, oldest first. Parallel questions are each paired with
   * their own answer. If the key is restricted, only answers given under the same filter are included,
   * because others may reveal documents that the key cannot read. An answer is left out once one of its
   * documents is no longer readable, or has been replaced.
   *
   * @param limit the maximum number of these pairs
   */
  async loadTurns(
    apiKey: ApiKeyPrincipal,
    conversationId: string,
    limit: number,
  ): Promise<ConversationTurn[]> {
    const { kbId } = apiKey;
    const rows = await this.reads.latest((manager) =>
      manager.find(Message, {
        select: {
          id: true,
          role: true,
          content: true,
          status: true,
          filterHash: true,
          sources: true,
          contextDocumentIds: true,
          createdAt: true,
        },
        where: { conversationId },
        order: { id: 'DESC' },
        take: 2 * limit + EXTRA_MESSAGES,
      }),
    );
    const scopes = readingScopes(apiKey);
    const used = rows.flatMap((row) => listUsedDocuments(row, kbId));
    const open = await this.closed.findOpen(kbId, used, (id) => scopes.get(id), {
      onlyValid: true,
    });
    const turns = pairTurns(rows.toReversed(), kbId, hashRestriction(apiKey), open);
    return limitDocuments(turns.slice(-limit));
  }

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
    const [questionId, messageId] = createAdjacentIds();
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
        const cost = this.costs.calculateCost(outcome);
        const beginsConversation = question.conversationId === undefined;
        await recordExchange(manager, exchange, outcome, cost, { beginsConversation });
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
    const cost = this.costs.calculateCost(outcome);
    await this.unitOfWork.run(async (manager) => {
      const unfinished = { id, latencyMs: IsNull() };
      const { affected } = await manager.update(Message, unfinished, toColumns(outcome));
      const isErased = affected !== 1 && !(await manager.existsBy(Message, { id }));
      if (affected !== 1 && !isErased) return;
      if (!isErased) await this.recordIfUnanswered(manager, exchange, outcome);
      await this.costs.settle(manager, exchange, outcome, counts);
      const record = isErased ? recordErasedExchange : recordExchange;
      if (counts) await record(manager, exchange, outcome, cost);
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
