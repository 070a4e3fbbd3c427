import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, MoreThanOrEqual, Repository, SelectQueryBuilder } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import type { Page, PageQueryDto } from '../http/page.dto.js';
import { paginate } from '../http/paginate.js';
import { invalidField, Problem } from '../problems/problem.js';
import { AccessCheck } from '../knowledge-bases/access-check.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { ListConversationsDto } from './conversation-query.dto.js';
import {
  ConversationDto,
  MessageDto,
  toConversationDto,
  toMessageDto,
} from './conversation.dto.js';
import { Conversation } from './conversation.entity.js';
import type { Turn } from './exchange.js';
import { Message } from './message.entity.js';

/** Extra messages to read, since failed answers are left out. */
const EXTRA_MESSAGES = 20;

@Injectable()
export class ConversationsService {
  constructor(
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    @InjectRepository(Message) private readonly messages: Repository<Message>,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly auditLog: AuditLog,
    access: AccessCheck,
  ) {
    access.register('conversations', {
      parameter: 'conversation_id',
      prefix: 'conv',
      kbIdOf: async (id) => (await this.conversations.findOneBy({ id }))?.kbId,
    });
  }

  async list(
    user: DashboardUser,
    kbId: string,
    query: ListConversationsDto,
  ): Promise<Page<ConversationDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    const conversations = this.conversations.createQueryBuilder('conversation').where({ kbId });
    return paginate(filtered(conversations, kbId, query), query, toConversationDto);
  }

  async get(user: DashboardUser, conversationId: string): Promise<ConversationDto> {
    const conversation = await this.conversations.findOneBy({ id: conversationId });
    if (!conversation) throw new Problem('not_found');
    await this.knowledgeBases.requireMember(user, conversation.kbId);
    return toConversationDto(conversation);
  }

  /** Oldest first. */
  async listMessages(
    user: DashboardUser,
    conversationId: string,
    query: PageQueryDto,
  ): Promise<Page<MessageDto>> {
    await this.get(user, conversationId);
    const messages = this.messages
      .createQueryBuilder('message')
      .leftJoinAndSelect('message.feedback', 'feedback')
      .where({ conversationId });
    return paginate(messages, query, toMessageDto, 'ASC');
  }

  async delete(user: DashboardUser, conversationId: string): Promise<void> {
    const { kb_id: kbId } = await this.get(user, conversationId);
    const options = { role: 'member', lock: 'membership' } as const;
    await this.knowledgeBases.change(user, kbId, options, async (manager) => {
      const { affected } = await manager.delete(Conversation, { id: conversationId });
      if (affected !== 1) throw new Problem('not_found');
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'conversation.deleted',
        targetId: conversationId,
      });
    });
  }

  /** @throws Problem `not_found` unless the conversation is of the key's knowledge base */
  async requireConversation(apiKey: ApiKeyPrincipal, conversationId: string): Promise<void> {
    const { kbId } = apiKey;
    if (!(await this.conversations.existsBy({ id: conversationId, kbId }))) {
      throw new Problem('not_found');
    }
  }

  /**
   * The last questions with their complete answers, oldest first. Parallel questions are each paired
   * with their own answer.
   *
   * @param limit the maximum number of these pairs
   */
  async history(conversationId: string, limit: number): Promise<Turn[]> {
    const rows = await this.messages.find({
      select: { id: true, role: true, content: true, status: true },
      where: { conversationId },
      order: { id: 'DESC' },
      take: 2 * limit + EXTRA_MESSAGES,
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

/** Filters by answers read the small tables of unanswered questions and feedback, not the messages. */
function filtered(
  conversations: SelectQueryBuilder<Conversation>,
  kbId: string,
  { end_user_id: endUserId, answered, rating, from, to, environment }: ListConversationsDto,
): SelectQueryBuilder<Conversation> {
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
    throw invalidField('from', 'from must not be after to');
  }
  if (endUserId !== undefined) conversations.andWhere({ endUserId });
  if (environment !== undefined) conversations.andWhere({ environment });
  if (from !== undefined) conversations.andWhere({ createdAt: MoreThanOrEqual(new Date(from)) });
  if (to !== undefined) conversations.andWhere({ createdAt: LessThan(new Date(to)) });
  if (answered !== undefined) {
    conversations.andWhere(
      `conversation.id ${answered ? 'NOT IN' : 'IN'}
        (SELECT conversation_id FROM unanswered_questions WHERE kb_id = :kbId)`,
      { kbId },
    );
  }
  if (answered === true) {
    // A conversation whose answers all failed has no unanswered question either.
    conversations.andWhere(
      `EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = conversation.id AND m.answered)`,
    );
  }
  if (rating !== undefined) {
    conversations.andWhere(
      `conversation.id IN
        (SELECT conversation_id FROM message_feedback WHERE kb_id = :kbId AND rating = :rating)`,
      { kbId, rating },
    );
  }
  return conversations;
}
