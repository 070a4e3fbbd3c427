import type { Conversation } from './conversation.entity.js';
import type { Message } from './message.entity.js';
import { SourceDto } from './source.dto.js';

export class ConversationDto {
  /** @example 'conv_01kafdp6ygf4rs4s2cr5cvzwkc' */
  id: string;
  /** @example 'kb_01kafdp6ygf4rs4s2cr5cvzwkc' */
  kb_id: string;
  environment: 'live' | 'test';
  /** @example 'customer-4711' */
  end_user_id: string | null;
  /** @example '2026-11-20T09:30:00.000Z' */
  created_at: string;
  /** @example '2026-11-20T09:30:00.000Z' */
  updated_at: string;
}

export class MessageDto {
  /** @example 'msg_01kafdp6ygf4rs4s2cr5cvzwkc' */
  id: string;
  role: 'user' | 'assistant';
  /** @example 'How long may I return an order?' */
  content: string;
  status: 'complete' | 'aborted' | 'failed';
  /** Null for questions. */
  answered: boolean | null;
  sources: SourceDto[];
  /** @example '2026-11-20T09:30:00.000Z' */
  created_at: string;
}

export const toConversationDto = (conversation: Conversation): ConversationDto => ({
  id: conversation.id,
  kb_id: conversation.kbId,
  environment: conversation.environment,
  end_user_id: conversation.endUserId,
  created_at: conversation.createdAt.toISOString(),
  updated_at: conversation.updatedAt.toISOString(),
});

export const toMessageDto = (message: Message): MessageDto => ({
  id: message.id,
  role: message.role,
  content: message.content,
  status: message.status,
  answered: message.answered,
  sources: message.sources,
  created_at: message.createdAt.toISOString(),
});
