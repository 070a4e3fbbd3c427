import { IsOptional, IsString, MaxLength } from 'class-validator';
import { MAX_LIMIT } from '../openapi/operation.js';
import { IsQueryInteger } from './fields.js';

export const DEFAULT_LIMIT = 20;

/** The page of a list. */
export class PageQueryDto {
  /**
   * The maximum number of rows.
   * @example 20
   */
  @IsOptional()
  @IsQueryInteger(1, MAX_LIMIT)
  limit?: number = DEFAULT_LIMIT;

  /** The `next_cursor` of the previous page; omit it for the first page. */
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
  /** The number of rows on all pages. */
  total: number;
}
