import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsQueryBoolean } from '../../platform/http/fields.js';
import { IsInstant } from '../../platform/http/instant.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { IsText } from '../../platform/http/text.js';
import { type ApiKeyEnvironment, ENVIRONMENTS } from '../../knowledge-bases/key-environment.js';

export class ListConversationsDto extends PageQueryDto {
  /** Only conversations of this end user. */
  @IsOptional() @IsText(1, 255) end_user_id?: string;

  /**
   * Only conversations with a question that contains all of these words, in any case. Among the questions
   * that match `from`, `to`, `end_user_id` and `environment`, the newest 20,000 are searched, and the
   * newest 1,000 matches are listed.
   */
  @IsOptional()
  @IsText(1, 255)
  @Matches(/\S/, { message: 'q must not be blank' })
  q?: string;

  /**
   * If false, only conversations with an unanswered question; if true, only those with an answer and
   * without such a question. If rules may hide answers from you, the newest 20,000 answers are considered.
   */
  @IsOptional() @IsQueryBoolean() answered?: boolean;

  /** Only conversations with an answer that was rated this way. */
  @IsOptional() @IsIn(['up', 'down']) rating?: 'up' | 'down';

  /**
   * Only conversations that were asked in this site or channel.
   * @example 'site_01hv2c4e9fq8v7n6k5j4h3g2f1'
   */
  @IsOptional() @IsText(1, 64) asked_at?: string;

  /** Only conversations begun at or after this time; a date means its midnight, UTC. */
  @IsOptional() @IsInstant() from?: string;

  /** Only conversations begun before this time. */
  @IsOptional() @IsInstant() to?: string;

  /** Only conversations with keys of this environment. */
  @IsOptional() @IsIn(ENVIRONMENTS) environment?: ApiKeyEnvironment;
}

export class EraseConversationsDto {
  /**
   * The end user whose conversations are erased.
   * @example 'customer-4711'
   */
  @IsText(1, 255) end_user_id: string;
}
