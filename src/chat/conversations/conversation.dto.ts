import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import type { Conversation } from './conversation.entity.js';
import type { Message } from './message.entity.js';
import { GivenFeedbackDto } from './feedback.dto.js';
import { type SourceLink, withOriginal } from '../with-originals.js';
import type { ConversationSummary } from './conversation-summaries.js';
import { isCurated } from './is-curated.js';
import { SourceDto, toSourceDto } from './source.dto.js';
import { TokenUsageDto, toTokenUsageDto } from './token-usage.dto.js';

export class ConversationDto {
  @ApiId('conv') id: string;
  @ApiId('kb') kb_id: string;
  environment: ApiKeyEnvironment;
  /** @example 'customer-4711' */
  end_user_id: string | null;
  /**
   * The beginning of the first question, at most 300 characters.
   * @example 'How long may I return an order?'
   */
  question: string | null;
  /** False with a question that was not answered, or whose answer is closed to you; null where no answer was completed. */
  answered: boolean | null;
  /** `down` where an answer was rated so, else `up` where one was; else null. */
  rating: 'up' | 'down' | null;
  /** The key that began it. */
  @ApiId('key') api_key_id: string;
  /** Null for a key that is deleted, or opens the knowledge base no more. */
  api_key_name: string | null;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

export class MessageDto {
  @ApiId('msg') id: string;
  role: 'user' | 'assistant';
  /** @example 'How long may I return an order?' */
  content: string;
  /** @example 'complete' */
  status: 'complete' | 'aborted' | 'failed';
  /** Null for questions. */
  answered: boolean | null;
  /** Of an answer to a greeting or thanks; else left out. */
  kind?: 'smalltalk';
  /** Of an answer that somebody has written; else left out. */
  curated?: true;
  /** As the answer had it; left out for questions and without a language model. */
  grounded?: boolean;
  sources: SourceDto[];
  /** Of a question that was not answered: passages that may help. Else left out. */
  related?: SourceDto[];
  /** Of answers by a language model that reports it. */
  usage: TokenUsageDto | null;
  /** Null for questions, and for answers that nobody rated. */
  feedback: GivenFeedbackDto | null;
  @ApiInstant() created_at: string;
}

export const toConversationDto = (
  conversation: Conversation,
  summary: ConversationSummary | undefined,
): ConversationDto => ({
  id: conversation.id,
  kb_id: conversation.kbId,
  environment: conversation.environment,
  end_user_id: conversation.endUserId,
  question: summary?.question ?? null,
  answered: summary?.answered ?? null,
  rating: summary?.rating ?? null,
  api_key_id: conversation.apiKeyId,
  api_key_name: summary?.apiKeyName ?? null,
  created_at: conversation.createdAt.toISOString(),
  updated_at: conversation.updatedAt.toISOString(),
});

export const toMessageDto = (message: Message, kbId: string, linkTo: SourceLink): MessageDto => ({
  id: message.id,
  role: message.role,
  content: message.content,
  status: message.status,
  answered: message.answered,
  ...(message.kind !== null && { kind: message.kind }),
  ...(isCurated(message.model) && { curated: true }),
  ...(message.grounded !== null && { grounded: message.grounded }),
  sources: message.sources.map((source) => toSourceDto(source, kbId)).map(withOriginal(linkTo)),
  ...(message.related !== null && { related: message.related.map(withOriginal(linkTo)) }),
  usage: toTokenUsageDto(message),
  feedback: message.feedback && {
    rating: message.feedback.rating,
    comment: message.feedback.comment,
  },
  created_at: message.createdAt.toISOString(),
});
