import { ApiCount, ApiId, ApiInteger } from '../openapi/api-fields.js';
import { LocatorDto } from '../search/locator.dto.js';
import type { Chunk } from './chunk.entity.js';

export class ChunkDto {
  @ApiId('chunk')
  id: string;
  @ApiId('doc')
  document_id: string;
  /** From 0, in the order of the document. */
  @ApiCount()
  index: number;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
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
}

export const toChunkDto = (chunk: Chunk): ChunkDto => ({
  id: chunk.id,
  document_id: chunk.documentId,
  index: chunk.position,
  text: chunk.text,
  heading: chunk.heading,
  page: chunk.page,
  locator: chunk.locator,
});
