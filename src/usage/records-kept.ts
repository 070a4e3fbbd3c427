/** How long single requests are kept; what was counted stays. */
export const RECORDS_KEPT_MS = 31 * 24 * 60 * 60 * 1000;
