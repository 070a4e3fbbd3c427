import { Injectable } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { grantedKnowledgeBases } from '../../api-keys/granted-knowledge-bases.js';
import { lockForHold, requireNoLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { rowLock } from '../../platform/database/dialect.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/problems/problem.js';
import { countRating } from '../../usage/count-rating.js';
import { selectCallersConversations } from './callers-conversations.js';
import type { Conversation } from './conversation.entity.js';
import { Events } from '../../knowledge-bases/events/events.js';
import { FeedbackDto, MessageFeedbackDto } from './feedback.dto.js';
import { MessageFeedback } from './message-feedback.entity.js';
import { Message } from './message.entity.js';

@Injectable()
export class FeedbackService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
  ) {}

  /**
   * Replaces earlier feedback on the same answer.
   *
   * @param isWanted decides within the transaction, when the answer is locked; by default it is
   * @throws Problem `insufficient_scope` without `feedback` in the main knowledge base, to which the
   *   conversations belong; `not_found`; `legal_hold` if a comment would be removed or replaced
   */
  async give(
    apiKey: ApiKeyPrincipal,
    messageId: string,
    { rating, comment: said }: FeedbackDto,
    isWanted?: (manager: EntityManager, before: MessageFeedback | null) => Promise<boolean>,
  ): Promise<MessageFeedbackDto> {
    grantedKnowledgeBases(apiKey, 'feedback', [apiKey.kbId]);
    const given = { rating, comment: rating === null ? null : (said ?? null) };
    await this.unitOfWork.run(async (manager) => {
      // Erasures take this lock first too, so that neither waits for the other.
      await lockForHold(manager, apiKey.kbId);
      const { message, conversation } = await lockAnswer(manager, apiKey, messageId);
      const before = await manager.findOneBy(MessageFeedback, { messageId });
      if (isWanted && !(await isWanted(manager, before))) return;
      const comment = before?.comment ?? null;
      if (comment !== null && comment !== given.comment) {
        await requireNoLegalHold(manager, apiKey.kbId);
      }
      await manager.delete(MessageFeedback, { messageId });
      if (given.rating !== null) {
        await manager.insert(MessageFeedback, {
          messageId,
          kbId: apiKey.kbId,
          conversationId: conversation.id,
          rating: given.rating,
          comment: given.comment,
          ratedAt: new Date(),
        });
      }
      const isChanged = (before?.rating ?? null) !== given.rating || comment !== given.comment;
      if (isChanged) {
        const data = {
          conversation_id: conversation.id,
          message_id: messageId,
          api_key_id: apiKey.id,
          rating: given.rating,
        };
        await this.events.record(manager, {
          ...{ kbId: apiKey.kbId, action: 'message.rated', data },
        });
      }
      // Older messages have no key of their own.
      const key = {
        id: message.apiKeyId ?? conversation.apiKeyId,
        kbId: conversation.kbId,
        environment: message.environment ?? conversation.environment,
      };
      const answer = { id: messageId, key, at: message.createdAt };
      await countRating(manager, answer, before?.rating ?? null, given.rating);
    });
    return { message_id: messageId, ...given };
  }
}

/**
 * Locks an answer that is complete or aborted, so that two ratings at the same time are counted one after
 * the other.
 */
async function lockAnswer(
  manager: EntityManager,
  apiKey: ApiKeyPrincipal,
  messageId: string,
): Promise<{ message: Message; conversation: Conversation }> {
  const message = await manager.findOne(Message, {
    where: { id: messageId, role: 'assistant', status: In(['complete', 'aborted']) },
    ...rowLock(manager.dataSource),
  });
  const conversation =
    message &&
    (await selectCallersConversations(manager, apiKey)
      .andWhere({ id: message.conversationId })
      .getOne());
  if (!conversation) throw new Problem('not_found');
  return { message, conversation };
}
