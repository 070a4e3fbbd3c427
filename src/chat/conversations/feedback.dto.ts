import { IsIn, IsOptional } from 'class-validator';
import { CredentialDto } from '../../api-keys/credential.dto.js';
import { ApiId } from '../../platform/openapi/api-fields.js';
import { IsText } from '../../platform/http/text.js';

export class FeedbackDto extends CredentialDto {
  /**
   * The rating; null to remove the feedback.
   * @example 'up'
   */
  @IsIn(['up', 'down', null], {
    message: '$property must be one of the following values: up, down, null',
  })
  rating: 'up' | 'down' | null;

  /**
   * A comment in the end user’s words, at most 2000 characters.
   * @example 'Just what I needed.'
   */
  @IsOptional() @IsText(0, 2000) comment?: string | null;
}

export class MessageFeedbackDto {
  @ApiId('msg') message_id: string;
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
