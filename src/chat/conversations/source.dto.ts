import { ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';
import { FoundPassageDto } from '../../documents/search/passage.dto.js';

/** The text that an answer without a language model quotes from a passage. */
export class QuoteDto {
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
  /** The start in the passage’s text, in UTF-16 units. */
  @ApiInteger({ minimum: 0 }) start: number;
  /** The end in the passage’s text, in UTF-16 units. */
  @ApiInteger({ minimum: 0 }) end: number;
}

/** A passage that an answer is based on. `[index]` in the answer refers to it. */
export class SourceDto extends FoundPassageDto {
  /** The number of the source, from 1. */
  @ApiInteger({ minimum: 1 }) index: number;
  /**
   * A part of the passage’s text: around the quotation, or else the beginning.
   * @example 'Customers may return any order within 30 days of delivery.'
   */
  snippet: string;
  /** Missing if nothing is quoted. */
  quote?: QuoteDto;
  /** When the curated answer that is based on it should be reviewed; missing otherwise. */
  @ApiInstant() review_at?: string;
  /** Whether the answer cites it. Missing while the answer is being written, and in `related`. */
  cited?: boolean;
}

type Added =
  'heading' | 'locator' | 'kb_id' | 'date' | 'updated_at' | 'valid_until' | 'document_version';

/** A source as stored with an answer. Those of earlier versions lack some fields. */
export type StoredSource = Omit<SourceDto, Added> & Partial<Pick<SourceDto, Added>>;

/** @param kbId of the conversation */
export const toSourceDto = (stored: StoredSource, kbId: string): SourceDto => ({
  kb_id: kbId,
  heading: null,
  locator: null,
  date: null,
  updated_at: null,
  valid_until: null,
  document_version: null,
  ...stored,
});
