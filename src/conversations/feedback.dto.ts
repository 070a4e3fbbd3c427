import { IsIn, IsOptional, IsString } from 'class-validator';
import { ApiSecret } from '../api-keys/api-secret.js';
import { ApiId } from '../openapi/api-fields.js';
import { IsText } from '../http/text.js';

export class FeedbackDto {
  /** The secret of an API key of the knowledge base. */
  @IsString()
  @ApiSecret()
  api_key: string;

  /**
   * Null takes the feedback back.
   * @example 'up'
   */
  @IsIn(['up', 'down', null])
  rating: 'up' | 'down' | null;

  /**
   * In the end user’s words: at most 2000 characters.
   * @example 'Just what I needed.'
   */
  @IsOptional()
  @IsText(0, 2000)
  comment?: string | null;
}

export class MessageFeedbackDto {
  @ApiId('msg')
  message_id: string;
  rating: 'up' | 'down' | null;
  /** @example 'Just what I needed.' */
  comment: string | null;
}

/** The feedback on an answer. */
export class GivenFeedbackDto {
  /** @example 'up' */
  rating: 'up' | 'down';
  /** @example 'Just what I needed.' */
  comment: string | null;
}
