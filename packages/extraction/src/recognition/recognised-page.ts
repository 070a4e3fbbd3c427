import type { PageText } from '../pdf/segment.js';

/** What was recognised on a page. */
export interface RecognisedPage extends PageText {
  /** 0 to 100, of its words, weighted by their length; 0 where nothing was recognised. */
  readonly confidence: number;
  /** It took too long or too much memory. */
  readonly isFailed?: boolean;
}
