/** Every time zone is a whole number of quarters of an hour from UTC. */
export const QUARTER_MS = 15 * 60 * 1000;
export const QUARTERS_PER_DAY = 96;
/** The stretches of time that are counted, in quarters, longest first: a day (UTC), six hours, an hour, a quarter of one. */
export const GRAINS = [QUARTERS_PER_DAY, 24, 4, 1] as const;

/** Counted from 1970. */
export const quarterOf = (at: Date): number => Math.floor(at.getTime() / QUARTER_MS);

/** The first quarter of the stretch that a quarter falls in. */
export const startOfGrain = (quarter: number, grain: number): number =>
  Math.floor(quarter / grain) * grain;
