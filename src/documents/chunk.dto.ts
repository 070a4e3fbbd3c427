import { ApiCount, ApiId } from '../platform/openapi/api-fields.js';
import { PlaceDto } from './search/passage.dto.js';
import type { Chunk } from './chunk.entity.js';

export class ChunkDto extends PlaceDto {
  @ApiId('chunk') id: string;
  @ApiId('doc') document_id: string;
  /** From 0, in the order of the document. */
  @ApiCount() index: number;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
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
