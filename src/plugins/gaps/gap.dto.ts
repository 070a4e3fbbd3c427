import { IntersectionType, PickType } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PeriodQueryDto } from '../analytics/analytics-query.dto.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { HasLength, ReplaceUnstorable } from '../../platform/http/text.js';
import { ApiCount, ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';

export class ListGapsDto extends IntersectionType(
  PickType(PageQueryDto, ['limit']),
  PeriodQueryDto,
) {
  @IsOptional() @IsIn(['open', 'closed']) state?: 'open' | 'closed' = 'open';
}

export class AskAgainDto {
  /**
   * One of a gap's `questions`.
   * @example 'Do you ship to Norway?'
   */
  @ReplaceUnstorable() @HasLength(1, 1000) question: string;
}

/** Questions of one meaning that the documents answer not, or not well. */
export class GapDto {
  /**
   * As it was asked most.
   * @example 'Do you ship to Norway?'
   */
  question: string;
  /**
   * Its wordings, `question` first, at most 20.
   * @example ['Do you ship to Norway?', 'Is shipping to Norway possible?']
   */
  questions: string[];
  /** How often it was not answered, or its answer rated `down`. */
  @ApiCount() count: number;
  /** The same in the time before, which is as long. */
  @ApiCount() previous_count: number;
  /** Of `count`: not answered. */
  @ApiCount() unanswered: number;
  /** Of `count`: answered, and rated `down`. */
  @ApiCount() down: number;
  @ApiInstant() last_asked_at: string;
  /** When it was answered, of a closed one. */
  @ApiInstant() closed_at: string | null;
  closed_by: 'curated_answer' | 'asked_again' | null;
  /** In which it was asked last. */
  @ApiId('conv') conversation_id: string;
}

export class GapsDto {
  /** Most asked first. */
  data: GapDto[];
  /** Without a model of embeddings, questions of mostly the same words are one. */
  grouped_by: 'meaning' | 'words';
}
