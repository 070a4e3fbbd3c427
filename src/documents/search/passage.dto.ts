import { ApiId, ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';
import type { DateOrigin } from '@latchkey/ranking/search-index';
import { LocatorDto } from './locator.dto.js';

/** The place of a passage in its document. */
export class PlaceDto {
  /**
   * The path of headings above the passage, or null.
   * @example 'Returns › Refunds'
   */
  heading: string | null;
  /** The page from 1, for paged formats; otherwise null. */
  @ApiInteger({ minimum: 1 }) page: number | null;
  /** Where the passage begins, in formats with pages or parts. */
  locator: LocatorDto | null;
}

/** Of when a document is, and what says so. */
export class DocumentDateDto {
  /**
   * A year, a month or a day.
   * @example '2026-03-01'
   */
  value: string;
  /** `file`: a property of the file, such as the day on which an Office document was changed. */
  from: DateOrigin;
}

/** A passage found for a question. */
export class FoundPassageDto extends PlaceDto {
  @ApiId('kb') kb_id: string;
  @ApiId('chunk') chunk_id: string;
  @ApiId('doc') document_id: string;
  /**
   * Which of the document’s contents it is from: 1, and one more each time that it was replaced. Null for sources of
   * answers of earlier versions.
   */
  @ApiInteger({ minimum: 1 }) document_version: number | null;
  /** @example 'Returns policy' */
  document_title: string;
  /** @example 'policies/returns' */
  external_id: string | null;
  /** @example 'https://shop.example.com/returns' */
  source_url: string | null;
  /** Of when the document is; null if nothing says it. */
  date: DocumentDateDto | null;
  /** When the document was changed; null for sources of answers of earlier versions. */
  @ApiInstant() updated_at: string | null;
  /** Until when answers use the document; null for no limit. */
  @ApiInstant(null) valid_until: string | null;
  /**
   * From 0 to 1, higher is better; comparable within one question only.
   * @example 0.82
   */
  score: number;
  /**
   * Opens the original for ten minutes without a credential, as long as the caller’s credential may
   * still read the document. Present only if the setting `originals` is `readers`; a path unless
   * `PUBLIC_URL` is set.
   * @example '/api/v1/documents/doc_01kafdp6ygf4rs4s2cr5cvzwkc/original?link=eyJlbmQiOjE3fQ.4lq0'
   */
  original_url?: string;
  /** When `original_url` expires. */
  @ApiInstant() expires_at?: string;
}
