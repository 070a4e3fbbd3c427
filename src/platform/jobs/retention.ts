import type { ObjectLiteral } from 'typeorm';
import type { Config } from '../config/config.js';

/** Declares when rows of a table expire. */
export interface Retention {
  /** An SQL condition for rows that expired before `:before`. */
  readonly condition: string;
  /** The time for which a row is kept, in milliseconds. */
  readonly period: number | ((config: Config) => number);
  /** The parameters of `condition`, if it does not compare a time. */
  readonly parameters?: (before: Date) => ObjectLiteral;
  /**
   * A query for groups by which rows are deleted, where no index finds the expired rows of all groups
   * at once. The columns of a group are also parameters of `condition`.
   */
  readonly groups?: string;
}

export const HOUR_MS = 60 * 60 * 1000;

export const retainedTables = new Map<object, Retention>();

/**
 * Declares on an entity which of its rows RetentionJob deletes, hourly, after those of the entities it
 * imports.
 */
export const Retained =
  (retention: Retention) =>
  (entity: object): void => {
    retainedTables.set(entity, retention);
  };
