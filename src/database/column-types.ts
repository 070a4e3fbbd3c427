/**
 * The few column types that TypeORM spells differently on the two engines. Entities and migrations
 * both take them from here, so that there is one set of each.
 */

/** A moment, UTC, to the millisecond. */
export const instant = 'datetime';
/** Any JSON value. */
export const json = 'simple-json';
/** Bytes. */
export const binary = 'blob';
