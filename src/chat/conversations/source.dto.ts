import { ApiInteger } from '../../platform/openapi/api-fields.js';
import { FoundPassageDto } from '../../documents/search/passage.dto.js';

/** A passage that an answer rests on; `[index]` in the answer refers to it. */
export class SourceDto extends FoundPassageDto {
  /** From 1. */
  @ApiInteger({ minimum: 1 }) index: number;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  snippet: string;
}

/** As stored with an answer; those of earlier versions have no `heading` and no `locator`. */
export type StoredSource = Omit<SourceDto, 'heading' | 'locator'> &
  Partial<Pick<SourceDto, 'heading' | 'locator'>>;

export const toSourceDto = (stored: StoredSource): SourceDto => ({
  heading: null,
  locator: null,
  ...stored,
});
