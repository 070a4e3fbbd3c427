import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsQueryBoolean } from '../../platform/http/fields.js';
import { IsInstant } from '../../platform/http/instant.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { IsText } from '../../platform/http/text.js';
import { type ApiKeyEnvironment, ENVIRONMENTS } from '../../knowledge-bases/key-environment.js';

export class ListConversationsDto extends PageQueryDto {
  /** Only those of this end user. */
  @IsOptional() @IsText(1, 255) end_user_id?: string;

  /**
   * Only those with a question that contains each of these words, in any case. The newest 20,000
   * questions are searched of those that meet `from`, `to`, `end_user_id` and `environment`, and the newest
   * 1,000 of those found are listed.
   */
  @IsOptional()
  @IsText(1, 255)
  @Matches(/\S/, { message: 'q must not be blank' })
  q?: string;

  /**
   * False: only those with a question that was not answered; true: only those with an answer and
   * without such a question. Where answers may be closed to you by rules, among the newest 20,000 answers.
   */
  @IsOptional() @IsQueryBoolean() answered?: boolean;

  /** Only those with an answer that was rated so. */
  @IsOptional() @IsIn(['up', 'down']) rating?: 'up' | 'down';

  /** Only those begun then or later; a date means its midnight, UTC. */
  @IsOptional() @IsInstant() from?: string;

  /** Only those begun before. */
  @IsOptional() @IsInstant() to?: string;

  /** Only those held with keys of this environment. */
  @IsOptional() @IsIn(ENVIRONMENTS) environment?: ApiKeyEnvironment;
}

export class EraseConversationsDto {
  /**
   * Whose conversations go.
   * @example 'customer-4711'
   */
  @IsText(1, 255) end_user_id: string;
}
