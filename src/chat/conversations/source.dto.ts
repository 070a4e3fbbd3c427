import { ApiInteger } from '../../platform/openapi/api-fields.js';
import { FoundPassageDto } from '../../documents/search/passage.dto.js';

/** What an answer without a language model has taken from a passage. */
export class QuoteDto {
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
  /** Where it begins in the passage’s text, in UTF-16 units. */
  @ApiInteger({ minimum: 0 }) start: number;
  /** Where it ends. */
  @ApiInteger({ minimum: 0 }) end: number;
}

/** A passage that an answer rests on; `[index]` in the answer refers to it. */
export class SourceDto extends FoundPassageDto {
  /** From 1. */
  @ApiInteger({ minimum: 1 }) index: number;
  /**
   * A part of the passage’s text: around what is quoted, else its beginning.
   * @example 'Customers may return any order within 30 days of delivery.'
   */
  snippet: string;
  /** Left out where nothing is quoted. */
  quote?: QuoteDto;
  /** Whether the answer cites it. Left out while the answer is being written, and in `related`. */
  cited?: boolean;
}

/** As stored with an answer; those of earlier versions have no `heading`, `locator` and `kb_id`. */
export type StoredSource = Omit<SourceDto, 'heading' | 'locator' | 'kb_id'> &
  Partial<Pick<SourceDto, 'heading' | 'locator' | 'kb_id'>>;

/** @param kbId of the conversation */
export const toSourceDto = (stored: StoredSource, kbId: string): SourceDto => ({
  kb_id: kbId,
  heading: null,
  locator: null,
  ...stored,
});
