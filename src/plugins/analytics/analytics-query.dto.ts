import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsTimeZone, MaxLength } from 'class-validator';
import { IsInstant } from '../../platform/http/instant.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { type ApiKeyEnvironment, ENVIRONMENTS } from '../../knowledge-bases/key-environment.js';

/** Twice the longest name, `America/Argentina/ComodRivadavia`. */
const MAX_TIME_ZONE_LENGTH = 64;

/** Which time, and which keys. */
export class PeriodQueryDto {
  /** The beginning: a moment, or a date for its midnight in the time zone. By default the last 30 days. */
  @IsOptional() @IsInstant() from?: string;

  /** The end, which is not part of it; by default now. */
  @IsOptional() @IsInstant() to?: string;

  /**
   * In which days, hours and dates are meant.
   * @example 'Europe/Berlin'
   */
  @IsOptional()
  @IsTimeZone()
  @MaxLength(MAX_TIME_ZONE_LENGTH)
  timezone?: string = 'UTC';

  /** Only what was asked with keys of this environment. */
  @IsOptional() @IsIn(ENVIRONMENTS) environment?: ApiKeyEnvironment;
}

export class RankingQueryDto extends IntersectionType(PageQueryDto, PeriodQueryDto) {}

export class AnalyticsQueryDto extends PeriodQueryDto {
  /** The rows of the series: at most 2,200. */
  @IsOptional() @IsIn(['day', 'hour']) interval?: 'day' | 'hour' = 'day';

  /** Totals by key instead of totals and a series. */
  @IsOptional()
  @IsIn(['api_key'])
  @ApiProperty({ enum: ['api_key'] })
  group_by?: 'api_key';
}
