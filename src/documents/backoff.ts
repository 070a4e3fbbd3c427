/** How often a document is begun that ends its process or fails for no reason of its own. */
export const MAX_ATTEMPTS = 3;
/** Before the second attempt; before each further one several times as long. */
export const BACKOFF_MS = 2000;
export const BACKOFF_FACTOR = 4;
export const MAX_BACKOFF_MS = BACKOFF_MS * BACKOFF_FACTOR ** MAX_ATTEMPTS;
