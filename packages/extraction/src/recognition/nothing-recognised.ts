import type { RecognisedPages } from '../block.js';

/** Used for files whose pages cannot be drawn, and for files that were read before. */
export const NOTHING_RECOGNISED: RecognisedPages = {
  isOff: true,
  page: () => undefined,
  offer: () => false,
  within: () => undefined,
};
