import { ApiProperty } from '@nestjs/swagger';
import { ApiCount, ApiId, ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';
import { EvaluatedSettingsDto } from '../../knowledge-bases/settings/update-settings.dto.js';

/** Each is null where no question says what it needs. */
export class EvaluationFiguresDto {
  /**
   * The share of the questions with `external_ids` whose first passage is of a named document.
   * @example 0.93
   */
  hit_at_1: number | null;
  /**
   * The same for the first five passages.
   * @example 0.98
   */
  hit_at_5: number | null;
  /**
   * The mean of 1 / `rank`, 0 beyond the first ten passages.
   * @example 0.95
   */
  mrr_at_10: number | null;
  /**
   * Normalized discounted cumulative gain of the first ten passages: also counts where further named
   * documents are found.
   * @example 0.96
   */
  ndcg_at_10: number | null;
  /**
   * The share of the answerable questions that are answered.
   * @example 0.94
   */
  answered_rate: number | null;
  /**
   * The share of the answerable questions whose answer is right.
   * @example 0.85
   */
  right_rate: number | null;
  /**
   * The share of the questions with `answerable: false` that are answered all the same.
   * @example 0.07
   */
  false_answer_rate: number | null;
  /**
   * The median time of an answer.
   * @example 6
   */
  @ApiCount() latency_p50_ms: number | null;
}

export class EvaluatedQuestionDto {
  /** @example 'How long may customers return an order?' */
  question: string;
  /** @example ["May customers return an order?"] */
  history: string[];
  /** @example ["policies/returns"] */
  external_ids: string[];
  /** @example ["30 days"] */
  answer_contains: string[];
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    example: [['30 days'], ['free of charge', 'at no cost']],
  })
  answer_contains_all: string[][];
  /** @example true */
  answerable: boolean;
  /** Of the first passage of a named document, from 1; null if none is among the first ten. */
  @ApiInteger({ minimum: 1 }) rank: number | null;
  /** Null until it was asked. */
  answered: boolean | null;
  /** Null until it was asked, and where the request does not say what is right. */
  right: boolean | null;
  /** Null until it was asked. */
  @ApiCount() latency_ms: number | null;
}

export class EvaluationErrorDto {
  /** @example 'model_unavailable' */
  code: string;
  /** @example 'The model behind the service cannot be reached.' */
  message: string;
}

export class EvaluationSummaryDto {
  @ApiId('eval') id: string;
  @ApiId('kb') kb_id: string;
  /** @example 'Shop questions, November' */
  name: string | null;
  /** @example 'complete' */
  status: 'pending' | 'running' | 'complete' | 'failed';
  /**
   * The share of the questions that were asked.
   * @example 1
   */
  progress: number;
  /** @example 200 */
  @ApiCount() question_count: number;
  /** Those it uses: of the knowledge base when it was created, and of the request. */
  settings: EvaluatedSettingsDto;
  /** Null until it is complete. */
  figures: EvaluationFiguresDto | null;
  /** Why it failed; else null. */
  error: EvaluationErrorDto | null;
  /** @example 'alice' */
  created_by: string;
  @ApiInstant() created_at: string;
  @ApiInstant(null) finished_at: string | null;
}

export class EvaluationDto extends EvaluationSummaryDto {
  questions: EvaluatedQuestionDto[];
}
