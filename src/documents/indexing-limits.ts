/** How long a lease is valid without being renewed. */
export const LEASE_MS = 15_000;
/**
 * The maximum number of attempts to index a document that crashes its process or fails for an unknown
 * reason.
 */
export const MAX_ATTEMPTS = 3;
/** The pause before the second attempt; each further pause is several times as long. */
export const BACKOFF_MS = 2000;
export const BACKOFF_FACTOR = 4;
export const MAX_BACKOFF_MS = BACKOFF_MS * BACKOFF_FACTOR ** MAX_ATTEMPTS;
