import { OmitType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsNested, IsNestedList, IsOptionalNotNull } from '../platform/http/fields.js';
import { HasLength, ReplaceUnstorable } from '../platform/http/text.js';
import { ArePrincipals } from '../knowledge-bases/access-rules/access-rule.dto.js';
import { AnswerSettingsDto } from '../knowledge-bases/settings/update-settings.dto.js';
import { ChatDto, QueryDto } from './question.dto.js';

export class DashboardQueryDto extends OmitType(QueryDto, ['api_key', 'kb_ids']) {
  /** Settings to try out with this question; those of the knowledge base are not changed. */
  @IsOptionalNotNull()
  @IsNested(() => AnswerSettingsDto)
  settings?: AnswerSettingsDto;

  /**
   * Answers as if somebody with these principals asked. Only owners can use it, and it is recorded in the
   * audit events.
   */
  @IsOptionalNotNull() @ArePrincipals() principals?: string[];

  /** Whether documents outside of their validity, and superseded ones, are asked too. */
  @IsOptionalNotNull() @IsBoolean() include_invalid?: boolean;
}

/** An earlier question with its answer. */
export class TurnDto {
  @ReplaceUnstorable() @HasLength(1, 8000) question: string;
  @ReplaceUnstorable() @HasLength(1, 8000) answer: string;
}

export class DashboardChatDto extends OmitType(ChatDto, [
  'api_key',
  'kb_ids',
  'conversation_id',
  'end_user_id',
]) {
  /** Earlier turns of the conversation, oldest first; nothing is stored. */
  @IsOptionalNotNull() @IsNestedList(() => TurnDto, 20) history?: TurnDto[];

  /** Settings to try out with this question; those of the knowledge base are not changed. */
  @IsOptionalNotNull()
  @IsNested(() => AnswerSettingsDto)
  settings?: AnswerSettingsDto;

  /**
   * Answers as if somebody with these principals asked. Only owners can use it, and it is recorded in the
   * audit events.
   */
  @IsOptionalNotNull() @ArePrincipals() principals?: string[];

  /** Whether documents outside of their validity, and superseded ones, are asked too. */
  @IsOptionalNotNull() @IsBoolean() include_invalid?: boolean;
}
