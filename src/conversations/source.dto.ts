import { ApiId, ApiInteger } from '../openapi/api-fields.js';
/** A passage that an answer rests on; `[index]` in the answer refers to it. */
export class SourceDto {
  /** From 1. */
  @ApiInteger({ minimum: 1 })
  index: number;
  @ApiId('chunk')
  chunk_id: string;
  @ApiId('doc')
  document_id: string;
  /** @example 'Returns policy' */
  document_title: string;
  /** @example 'policies/returns' */
  external_id: string | null;
  /** @example 'https://shop.example.com/returns' */
  source_url: string | null;
  /** From 1 for paged formats, else null. */
  @ApiInteger({ minimum: 1 })
  page: number | null;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  snippet: string;
  /**
   * Higher is better; comparable within one question only.
   * @example 7.25
   */
  score: number;
}
