import { ApiId, ApiInteger } from '../openapi/api-fields.js';
import { LocatorDto } from '../search/locator.dto.js';

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
  /**
   * The path of headings above the passage, or null.
   * @example 'Returns › Refunds'
   */
  heading: string | null;
  /** From 1 for paged formats, else null. */
  @ApiInteger({ minimum: 1 })
  page: number | null;
  /** Where the passage begins, in formats with pages or parts. */
  locator: LocatorDto | null;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  snippet: string;
  /**
   * Higher is better; comparable within one question only.
   * @example 7.25
   */
  score: number;
}

/** As stored with an answer; those of earlier versions have no `heading` and no `locator`. */
export type StoredSource = Omit<SourceDto, 'heading' | 'locator'> &
  Partial<Pick<SourceDto, 'heading' | 'locator'>>;

export const toSourceDto = (stored: StoredSource): SourceDto => ({
  heading: null,
  locator: null,
  ...stored,
});
