import { OmitType } from '@nestjs/swagger';
import { IsNested, IsNestedList, IsOptionalNotNull } from '../platform/http/fields.js';
import { HasLength, ReplaceUnstorable } from '../platform/http/text.js';
import { ArePrincipals } from '../knowledge-bases/access-rules/access-rule.dto.js';
import { AnswerSettingsDto } from '../knowledge-bases/settings/update-settings.dto.js';
import { ChatDto, QueryDto } from './question.dto.js';

export class DashboardQueryDto extends OmitType(QueryDto, ['api_key', 'kb_ids']) {
  /** Settings to try out with this question; the knowledge base’s own stay as they are. */
  @IsOptionalNotNull()
  @IsNested(() => AnswerSettingsDto)
  settings?: AnswerSettingsDto;

  /** Answers as it would answer somebody with these principals; for owners, and in the audit. */
  @IsOptionalNotNull() @ArePrincipals() principals?: string[];
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
  /** What the message goes on from, oldest first: nothing of it is kept. */
  @IsOptionalNotNull() @IsNestedList(() => TurnDto, 20) history?: TurnDto[];

  /** Settings to try out with this question; the knowledge base’s own stay as they are. */
  @IsOptionalNotNull()
  @IsNested(() => AnswerSettingsDto)
  settings?: AnswerSettingsDto;

  /** Answers as it would answer somebody with these principals; for owners, and in the audit. */
  @IsOptionalNotNull() @ArePrincipals() principals?: string[];
}
