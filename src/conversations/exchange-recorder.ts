import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, IsNull, Repository } from 'typeorm';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import { affectedBy } from '../database/affected-by.js';
import { isForeignKeyViolation } from '../database/database-error.js';
import { together } from '../database/together.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { insertRows } from '../database/upsert.js';
import { Problem } from '../problems/problem.js';
import { newId } from '../http/type-id.js';
import { recordConversation } from '../usage/record-uses.js';
import { Conversation } from './conversation.entity.js';
import { countErasedExchange, countExchange } from './count-exchange.js';
import { FinishReason, Message, MessageStatus } from './message.entity.js';
import type { SourceDto } from './source.dto.js';

export interface Question {
  /** Undefined begins a conversation. */
  readonly conversationId: string | undefined;
  readonly endUserId: string | null;
  readonly content: string;
  readonly askedAt: Date;
}

/** An answer, or what there is of it. */
export interface Outcome {
  readonly content: string;
  readonly status: MessageStatus;
  readonly answered: boolean;
  readonly sources: SourceDto[];
  readonly model: string;
  readonly finishReason: FinishReason | null;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null;
  /** Null while the answer is being given. */
  readonly latencyMs: number | null;
}

/** A question with its whole answer. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
}

/** A question and the answer to it, under their ids. */
export interface Exchange {
  readonly apiKey: ApiKeyPrincipal;
  readonly question: Question;
  readonly conversationId: string;
  readonly questionId: string;
  /** Of the answer. */
  readonly messageId: string;
  /** Who asked, as far as that is known. */
  readonly endUserId: string | null;
  /** When the answer was begun, which is when it counts. */
  readonly at: Date;
}

/** More messages than asked for are read, since those of answers that failed do not count. */
const SLACK = 20;

/** Keeps questions with their answers, each once. */
@Injectable()
export class ExchangeRecorder {
  private readonly logger = new Logger(ExchangeRecorder.name);

  constructor(
    @InjectRepository(Message) private readonly messages: Repository<Message>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Keeps a question with its answer. One that is still to be given begins as `failed`, which it
   * stays if its process dies, and ends by `finish`; its beginning need not outlive a power loss.
   *
   * @param alongside what belongs in the same unit of work
   * @throws Problem `not_found` when the conversation or the knowledge base was deleted meanwhile
   */
  async begin(
    apiKey: ApiKeyPrincipal,
    question: Question,
    outcome: Outcome,
    alongside: (manager: EntityManager) => Promise<void>,
  ): Promise<Exchange> {
    const now = new Date();
    const isWhole = outcome.latencyMs !== null;
    const conversationId = question.conversationId ?? newId('conv');
    const [questionId, messageId] = adjacentIds();
    const { id: apiKeyId, environment } = apiKey;
    const keeping = this.unitOfWork.run(async (manager) => {
      // Always counted first of all, so that no two wait for each other's counts in a circle; and
      // before the rest is written, which a limit that is reached would undo.
      const [, endUserId] = await together(
        manager,
        () => alongside(manager),
        () =>
          question.conversationId === undefined
            ? beginConversation(manager, apiKey, question, conversationId, now)
            : goOn(manager, question, conversationId, now),
      );
      const ids = { conversationId, questionId, messageId };
      const exchange = { apiKey, question, ...ids, endUserId, at: now };
      const messages = [
        {
          id: questionId,
          conversationId,
          role: 'user' as const,
          content: question.content,
          status: 'complete' as const,
          sources: [],
          apiKeyId,
          environment,
          createdAt: question.askedAt,
        },
        {
          id: messageId,
          conversationId,
          role: 'assistant' as const,
          apiKeyId,
          environment,
          createdAt: now,
          ...toColumns(outcome),
        },
      ];
      const begun = { id: conversationId, key: apiKey, at: question.askedAt };
      await together<unknown[]>(
        manager,
        () => insertRows(manager, Message, messages),
        ...(question.conversationId === undefined
          ? [() => recordConversation(manager, begun)]
          : []),
        ...(isWhole ? [() => countExchange(manager, exchange, outcome)] : []),
      );
      return exchange;
    });
    return keeping.catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error;
      this.logger.warn(error);
      throw new Problem('not_found');
    });
  }

  /**
   * Once: an answer that is finished, or was erased meanwhile, stays as it is.
   *
   * @param counts false where the request was refused amid its answer
   */
  async finish(exchange: Exchange, outcome: Outcome, counts = true): Promise<void> {
    try {
      await this.unitOfWork.run(async (manager) => {
        await together(
          manager,
          () => close(manager, exchange.messageId, outcome),
          ...(counts ? [() => countExchange(manager, exchange, outcome)] : []),
        );
      });
    } catch (error) {
      if (!(error instanceof NotOpen)) throw error;
      if (counts) await this.countErased(exchange, outcome);
    }
  }

  private async countErased(exchange: Exchange, outcome: Outcome): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      if (await manager.existsBy(Message, { id: exchange.messageId })) return;
      await countErasedExchange(manager, exchange, outcome);
    });
  }

  /**
   * What was said before, oldest first. Questions asked side by side are each followed by their own
   * answer, and one that has no whole answer is left out.
   *
   * @param limit how many of these pairs at most
   */
  async history(conversationId: string, limit: number): Promise<Turn[]> {
    const rows = await this.messages.find({
      select: { id: true, role: true, content: true, status: true },
      where: { conversationId },
      order: { id: 'DESC' },
      take: 2 * limit + SLACK,
    });
    return rows
      .toReversed()
      .flatMap((row, index, all): Turn[] => {
        const answer = all[index + 1];
        return row.role === 'user' && answer?.role === 'assistant' && answer.status === 'complete'
          ? [{ question: row.content, answer: answer.content }]
          : [];
      })
      .slice(-limit);
  }
}

/** @returns who asked */
async function beginConversation(
  manager: EntityManager,
  { kbId, id: apiKeyId, environment }: ApiKeyPrincipal,
  { endUserId, askedAt: createdAt }: Question,
  id: string,
  updatedAt: Date,
): Promise<string | null> {
  const conversation = { id, kbId, apiKeyId, environment, endUserId, createdAt, updatedAt };
  await insertRows(manager, Conversation, [conversation]);
  return endUserId;
}

/** That an answer is finished already, or erased. */
class NotOpen extends Error {}

/** @throws NotOpen, and nothing of the unit of work is kept */
async function close(manager: EntityManager, id: string, outcome: Outcome): Promise<void> {
  const update = manager
    .createQueryBuilder()
    .update(Message)
    .set(toColumns(outcome))
    .where({ id, latencyMs: IsNull() });
  if ((await affectedBy(manager, update)) !== 1) throw new NotOpen();
}

/**
 * A conversation stays that of the end user who was named first.
 *
 * @returns who asked
 */
async function goOn(
  manager: EntityManager,
  { endUserId }: Question,
  id: string,
  now: Date,
): Promise<string | null> {
  const { affected } = await manager.update(Conversation, { id }, { updatedAt: now });
  if (affected !== 1) throw new Problem('not_found');
  if (endUserId !== null) {
    await manager.update(Conversation, { id, endUserId: IsNull() }, { endUserId });
    return endUserId;
  }
  const conversation = await manager.findOneBy(Conversation, { id });
  return conversation?.endUserId ?? null;
}

/** Of one millisecond, so that no other process's message gets between the two. */
function adjacentIds(): [question: string, answer: string] {
  // `msg_` and the 48 bits of the time.
  const time = (id: string) => id.slice(0, 14);
  for (;;) {
    const [question, answer] = [newId('msg'), newId('msg')];
    if (time(question) === time(answer)) return [question, answer];
  }
}

const toColumns = ({ usage, ...outcome }: Outcome) => ({
  ...outcome,
  promptTokens: usage?.promptTokens ?? null,
  completionTokens: usage?.completionTokens ?? null,
});
