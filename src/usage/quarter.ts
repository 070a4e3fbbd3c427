/**
 * The unit of time of the roll-up: the offset of every time zone is a whole number of quarters of an hour.
 */
export const QUARTER_MS = 15 * 60 * 1000;
export const QUARTERS_PER_DAY = 96;

/** The number of a quarter of an hour, counted from 1970. */
export const toQuarter = (at: Date): number => Math.floor(at.getTime() / QUARTER_MS);
