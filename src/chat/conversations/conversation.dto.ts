import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import { AskedAtDto, toAskedAt } from './asked-at.js';
import type { Conversation } from './conversation.entity.js';
import type { Message } from './message.entity.js';
import { GivenFeedbackDto } from './feedback.dto.js';
import { type SourceLink, withOriginal } from '../with-originals.js';
import type { ConversationSummary } from './conversation-summaries.js';
import { isCuratedModel } from './is-curated-model.js';
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
  /**
   * False if a question was not answered, or its answer is hidden from you; null if no answer was
   * completed.
   */
  answered: boolean | null;
  /** `down` if an answer was rated `down`, else `up` if one was rated `up`; else null. */
  rating: 'up' | 'down' | null;
  /** The key that began the conversation. */
  @ApiId('key') api_key_id: string;
  /** The name of the key; null if the key is deleted or no longer opens the knowledge base. */
  api_key_name: string | null;
  /** The site or channel in which it was asked; null for API keys. */
  asked_at: AskedAtDto | null;
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
  /** Of an answer to a greeting or thanks, or of one that lists documents; missing otherwise. */
  kind?: 'smalltalk' | 'list';
  /** True for an answer that a person has written; missing otherwise. */
  curated?: true;
  /** As in the answer; missing for questions and without a language model. */
  grounded?: boolean;
  /**
   * As in the answer; missing for questions and for answers of a language model.
   * @example 0.87
   */
  confidence?: number;
  /** True if the quoted documents contradicted each other; missing otherwise. */
  conflict?: true;
  sources: SourceDto[];
  /** Passages that may help with a question that was not answered; missing otherwise. */
  related?: SourceDto[];
  /** The tokens of an answer, if its language model reports them. */
  usage: TokenUsageDto | null;
  /** The rating; null for questions and for answers that were not rated. */
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
  asked_at: toAskedAt(summary?.asker ?? null),
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
  ...(isCuratedModel(message.model) && { curated: true }),
  ...(message.grounded !== null && { grounded: message.grounded }),
  ...(message.confidence !== null && { confidence: message.confidence }),
  ...(message.conflict === true && { conflict: true as const }),
  sources: message.sources.map((source) => toSourceDto(source, kbId)).map(withOriginal(linkTo)),
  ...(message.related !== null && { related: message.related.map(withOriginal(linkTo)) }),
  usage: toTokenUsageDto(message),
  feedback: message.feedback && {
    rating: message.feedback.rating,
    comment: message.feedback.comment,
  },
  created_at: message.createdAt.toISOString(),
});
