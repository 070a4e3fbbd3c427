import type { ObjectLiteral } from 'typeorm';
import type { Config } from '../config/config.js';
import { declareProviders } from '../discovery/declared-providers.js';

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

/** The context of a retention task. */
export interface RetentionRound {
  /** The current time by the database's clock. */
  readonly now: Date;
  /** Called before each batch; false at shutdown, or when the lock is lost. */
  readonly mayContinue: () => Promise<boolean>;
}

/** A provider that removes data not described by a table and a condition. */
export interface RetentionTask {
  /** @returns the number removed */
  removeEnded(round: RetentionRound): Promise<number>;
}

export const HOUR_MS = 60 * 60 * 1000;

export const declaredTables = new Map<object, Retention>();

/**
 * Declares on an entity which of its rows RetentionJob deletes, hourly, after those of the entities it
 * imports.
 */
export const Retained =
  (retention: Retention) =>
  (entity: object): void => {
    declaredTables.set(entity, retention);
  };

/** Declares that RetentionJob runs a provider, hourly unless `everyMs` says otherwise. */
export const RunForRetention = declareProviders<RetentionTask, { readonly everyMs?: number }>();
