import { ApiCount, ApiId } from '../platform/openapi/api-fields.js';
import { PlaceDto } from './search/passage.dto.js';
import type { Passage } from './passage.entity.js';

export class ChunkDto extends PlaceDto {
  @ApiId('chunk') id: string;
  @ApiId('doc') document_id: string;
  /** The position in the document, from 0. */
  @ApiCount() index: number;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
}

export const toChunkDto = (passage: Passage): ChunkDto => ({
  id: passage.id,
  document_id: passage.documentId,
  index: passage.position,
  text: passage.text,
  heading: passage.heading,
  page: passage.page,
  locator: passage.locator,
});
