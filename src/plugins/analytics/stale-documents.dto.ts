import { IsOptional } from 'class-validator';
import { IsQueryInteger } from '../../platform/http/fields.js';
import { ApiCount, ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import { RankingQueryDto } from './analytics-query.dto.js';

export const DEFAULT_STALE_DAYS = 180;

export class StaleDocumentsQueryDto extends RankingQueryDto {
  /**
   * For how many days the content has not changed.
   * @example 180
   */
  @IsOptional()
  @IsQueryInteger(0, 36_500)
  not_updated_days?: number = DEFAULT_STALE_DAYS;
}

/** A curated answer that names a document. */
export class NamingAnswerDto {
  @ApiId('cur') id: string;
  /** When it should be reviewed. */
  @ApiInstant(null) review_at: string | null;
}

export class StaleDocumentDto {
  @ApiId('doc') document_id: string;
  /** @example 'Returns policy' */
  title: string;
  /** @example 'https://shop.example.com/returns' */
  source_url: string | null;
  /** Since when it has its content. */
  @ApiInstant() updated_at: string;
  /** When it was last loaded from its source. */
  @ApiInstant(null) synced_at: string | null;
  @ApiInstant(null) valid_until: string | null;
  /**
   * Chat answers that cite it.
   * @example 120
   */
  @ApiCount() count: number;
  /** The curated answers that name it. */
  curated_answers: NamingAnswerDto[];
}
