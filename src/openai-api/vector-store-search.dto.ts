import { Type } from 'class-transformer';
import { IsBoolean, IsNumber, IsOptional, IsString, ValidateNested } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsInteger } from '../http/fields.js';
import { ApiFilterModels, IsFilter } from '../search/filter.dto.js';
import type { Filter } from '../search/metadata-filter.js';

export class RankingOptionsDto {
  @IsOptional()
  @IsString()
  ranker?: string | null;

  /** Only results with at least this score, 0 to 1. */
  @IsOptional()
  @IsNumber()
  score_threshold?: number | null;
}

/** OpenAI's search request; its filters are those of `/query`. */
@ApiFilterModels()
export class VectorStoreSearchDto {
  /** Several are searched as one. */
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    example: 'How long may customers return an order?',
  })
  @IsString({ each: true })
  query: string | string[];

  /** 10 by default. */
  @IsOptional()
  @IsInteger(1, 50)
  max_num_results?: number | null;

  @IsOptional()
  @IsFilter()
  filters?: Filter | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => RankingOptionsDto)
  ranking_options?: RankingOptionsDto | null;

  /** Without effect: a question is understood as it is. */
  @IsOptional()
  @IsBoolean()
  rewrite_query?: boolean | null;
}
