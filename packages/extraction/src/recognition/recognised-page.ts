import type { PageText } from '../pdf/segment.js';

/** What was recognised on a page. */
export interface RecognisedPage extends PageText {
  /** 0 to 100, of its words, weighted by their length; 0 where nothing was recognised. */
  readonly confidence: number;
  /** A server recognised it, and does not say how sure it is. */
  readonly isUnrated?: boolean;
  /** Quarter turns to the right after which it was recognised; its coordinates are those of the turned page. */
  readonly turns?: number;
  /** By which its lines were turned to the right to lie level, about the middle of the page, in radians. */
  readonly angle?: number;
  /** Languages that it was said to be in, as BCP 47, and that are not installed. */
  readonly missing?: readonly string[];
  /** It took too long or too much memory. */
  readonly isFailed?: boolean;
}

/** A photograph has shapes that are taken for letters, but not with confidence. */
const MIN_CONFIDENCE = 60;

/** Whether a picture within a document has text. */
export const carriesText = ({ confidence, rows }: RecognisedPage): boolean =>
  confidence >= MIN_CONFIDENCE && rows.length > 0;
