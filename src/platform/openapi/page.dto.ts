import { ApiProperty } from '@nestjs/swagger';
import { COUNT_SCHEMA } from './api-fields.js';

/** What a page of a list has beside its rows. */
export class PageDto {
  /** Send it as `cursor` for the next page; null on the last. */
  next_cursor: string | null;

  /** @example false */
  has_more: boolean;

  /** Rows on all pages. */
  @ApiProperty({ ...COUNT_SCHEMA, example: 1 }) total: number;
}
