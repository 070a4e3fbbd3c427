import type { RecognisedPages } from '../block.js';

/** Of a file whose pages nobody can draw, or that was read before. */
export const NOTHING_RECOGNISED: RecognisedPages = {
  isOff: true,
  page: () => undefined,
  offer: () => false,
  within: () => undefined,
};
