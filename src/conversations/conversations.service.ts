import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Page, PageQueryDto } from '../http/page.dto.js';
import { paginate } from '../http/paginate.js';
import { Problem } from '../http/problem.js';
import { newId } from '../http/type-id.js';
import { KnowledgeBasesService } from '../knowledge-bases/knowledge-bases.service.js';
import {
  ConversationDto,
  MessageDto,
  toConversationDto,
  toMessageDto,
} from './conversation.dto.js';
import { Conversation } from './conversation.entity.js';
import { Message } from './message.entity.js';
import type { SourceDto } from './source.dto.js';

/** A question with its answer, to be kept. */
export interface Exchange {
  /** Undefined begins a conversation. */
  readonly conversationId: string | undefined;
  readonly endUserId: string | null;
  readonly question: string;
  readonly askedAt: Date;
  readonly answer: string;
  readonly answered: boolean;
  readonly sources: SourceDto[];
}

@Injectable()
export class ConversationsService {
  constructor(
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    @InjectRepository(Message) private readonly messages: Repository<Message>,
    private readonly knowledgeBases: KnowledgeBasesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(
    user: DashboardUser,
    kbId: string,
    query: PageQueryDto,
  ): Promise<Page<ConversationDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    const conversations = this.conversations.createQueryBuilder('conversation').where({ kbId });
    return paginate(conversations, query, toConversationDto);
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
    const messages = this.messages.createQueryBuilder('message').where({ conversationId });
    return paginate(messages, query, toMessageDto, 'ASC');
  }

  /** @throws Problem `not_found` unless the conversation is of the key's knowledge base */
  async requireConversation(apiKey: ApiKeyPrincipal, conversationId: string): Promise<void> {
    const { kbId } = apiKey;
    if (!(await this.conversations.existsBy({ id: conversationId, kbId }))) {
      throw new Problem('not_found');
    }
  }

  /** Keeps a question and its answer. */
  async record(
    apiKey: ApiKeyPrincipal,
    exchange: Exchange,
  ): Promise<{ conversationId: string; messageId: string }> {
    const now = new Date();
    const conversationId = exchange.conversationId ?? newId('conv');
    const questionId = newId('msg');
    const messageId = newId('msg');
    await this.unitOfWork.run(async (manager) => {
      if (exchange.conversationId === undefined) {
        await manager.insert(Conversation, {
          id: conversationId,
          kbId: apiKey.kbId,
          apiKeyId: apiKey.id,
          environment: apiKey.environment,
          endUserId: exchange.endUserId,
          createdAt: exchange.askedAt,
          updatedAt: now,
        });
      } else {
        await manager.update(Conversation, { id: conversationId }, { updatedAt: now });
      }
      await manager.insert(Message, [
        {
          id: questionId,
          conversationId,
          role: 'user',
          content: exchange.question,
          status: 'complete',
          answered: null,
          sources: [],
          createdAt: exchange.askedAt,
        },
        {
          id: messageId,
          conversationId,
          role: 'assistant',
          content: exchange.answer,
          status: 'complete',
          answered: exchange.answered,
          sources: exchange.sources,
          createdAt: now,
        },
      ]);
    });
    return { conversationId, messageId };
  }
}
