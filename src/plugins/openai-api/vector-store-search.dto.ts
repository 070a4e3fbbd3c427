import { IsBoolean, IsNumber, IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsInteger, IsNested } from '../../platform/http/fields.js';
import { IsAbsentFeature, IsTextOrTexts } from './openai-fields.js';
import { ApiFilterModels, IsFilter } from '../../knowledge-bases/metadata-filter/filter.dto.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';

const MAX_QUERIES = 100;

export class RankingOptionsDto {
  @IsAbsentFeature(['auto'])
  @ApiProperty({ type: 'string', enum: ['auto'] })
  ranker?: unknown;

  /** Only results with at least this score, 0 to 1. */
  @IsOptional() @IsNumber() score_threshold?: number | null;
}

/** OpenAI's search request; its filters are those of `/query`. */
@ApiFilterModels()
export class VectorStoreSearchDto {
  /** Several are searched as one. */
  @IsTextOrTexts(MAX_QUERIES)
  @ApiProperty({ example: 'How long may customers return an order?' })
  query: string | string[];

  /** 10 by default. */
  @IsOptional() @IsInteger(1, 50) max_num_results?: number | null;
  @IsOptional() @IsFilter() filters?: MetadataFilter | null;

  @IsOptional()
  @IsNested(() => RankingOptionsDto)
  ranking_options?: RankingOptionsDto | null;

  /** Changes nothing: a question is searched as it is. */
  @IsOptional() @IsBoolean() rewrite_query?: boolean | null;
}
