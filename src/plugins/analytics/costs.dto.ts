import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ApiCount, ApiId } from '../../platform/openapi/api-fields.js';
import { PeriodQueryDto } from './analytics-query.dto.js';

export const COST_GROUPS = ['api_key', 'end_user', 'model'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

/** The most rows of JSON, and of CSV. */
export const MAX_ROWS = { json: 1000, csv: 100_000 } as const;

export class CostsQueryDto extends PeriodQueryDto {
  /** By what the rows are. */
  @IsOptional() @IsIn(COST_GROUPS) group_by?: CostGroup = 'api_key';
}

export class CostFiguresDto {
  /** Answered `/chat` requests. */
  @ApiCount() messages: number;
  /** As the model reports them, or else estimated. */
  @ApiCount() prompt_tokens: number;
  @ApiCount() completion_tokens: number;
  /** In the currency of the operator’s `LLM_PRICES`. */
  @ApiProperty({ minimum: 0, example: 1.25 }) cost: number;
}

export class CostRowDto extends CostFiguresDto {
  /** Where `group_by` is `api_key`, as its name is. */
  @ApiId('key') api_key_id?: string;
  /** @example 'Shop backend' */
  api_key_name?: string | null;
  /**
   * Where `group_by` is `end_user`; null for all that is of nobody, or of end users who were erased.
   * @example 'customer-1'
   */
  end_user_id?: string | null;
  /**
   * Where `group_by` is `model`; `extractive` for answers without one.
   * @example 'extractive'
   */
  model?: string;
}

export class CostsDto {
  @ApiProperty({ type: [CostRowDto], maxItems: MAX_ROWS.json }) data: CostRowDto[];
  /** Whether there are more rows, of smaller costs; CSV has them. */
  has_more: boolean;
  /** Of all rows. */
  totals: CostFiguresDto;
}
