import { IsOptional, IsString, MaxLength } from 'class-validator';
import { MAX_LIMIT } from '../openapi/operation.js';
import { IsQueryInteger } from './fields.js';

export const DEFAULT_LIMIT = 20;

/** Which page of a list. */
export class PageQueryDto {
  /**
   * How many rows at most.
   * @example 20
   */
  @IsOptional()
  @IsQueryInteger(1, MAX_LIMIT)
  limit?: number = DEFAULT_LIMIT;

  /** `next_cursor` of the page before; none for the first page. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  cursor?: string;
}

/** A page of a list, newest first; `operation.ts` documents it. */
export interface Page<T> {
  data: T[];
  next_cursor: string | null;
  has_more: boolean;
  /** Rows on all pages. */
  total: number;
}
