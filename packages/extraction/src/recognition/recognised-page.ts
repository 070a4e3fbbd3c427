import type { PageText } from '../pdf/segment.js';

/** The recognised text of a page. */
export interface RecognisedText extends PageText {
  /** From 0 to 100: the mean of its words, weighted by their length; 0 if nothing was recognised. */
  readonly confidence: number;
  /** Whether a server recognised it without giving a confidence. */
  readonly isUnrated?: boolean;
  /** Quarter turns to the right after which it was recognised; its coordinates are those of the turned page. */
  readonly turns?: number;
  /** The angle, in radians, by which the page was turned to the right about its centre to straighten its lines. */
  readonly angle?: number;
  /** Requested languages (BCP 47) that are not installed. */
  readonly missing?: readonly string[];
  /** Whether recognition took too long or too much memory. */
  readonly isFailed?: boolean;
}

/** A photograph has shapes that are taken for letters, but not with confidence. */
const MIN_CONFIDENCE = 60;

/** Whether a picture within a document has text. */
export const carriesText = ({ confidence, rows }: RecognisedText): boolean =>
  confidence >= MIN_CONFIDENCE && rows.length > 0;
