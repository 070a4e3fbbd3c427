import type { ObjectLiteral } from 'typeorm';
import type { Config } from '../config/config.js';
import { declareProviders } from '../discovery/declared-providers.js';

/** Which rows of a table end after a time. */
export interface Retention {
  /** SQL over the table's columns: which rows ended before `:before`. */
  readonly condition: string;
  /** How long a row is kept, in milliseconds. */
  readonly period: number | ((config: Config) => number);
  /** The parameters of `condition`, where it compares something else than a time. */
  readonly parameters?: (before: Date) => ObjectLiteral;
  /**
   * A query for the groups that rows are deleted by, where no index finds the ended rows of all at
   * once. The columns of a group are parameters of `condition`, too.
   */
  readonly groups?: string;
}

/** What a round of the retention job gives to a task. */
export interface RetentionRound {
  /** By the database's clock. */
  readonly now: Date;
  /** Asked before each batch: false at the stop of the service, or when the lock is lost. */
  readonly mayContinue: () => Promise<boolean>;
}

/** A provider that removes what cannot be told by a table and a condition. */
export interface RetentionTask {
  /** @returns how many were removed */
  removeEnded(round: RetentionRound): Promise<number>;
}

export const HOUR_MS = 60 * 60 * 1000;

export const declaredTables = new Map<object, Retention>();

/** Declares on an entity which of its rows RetentionJob deletes, hourly, after those it imports. */
export const Retained =
  (retention: Retention) =>
  (entity: object): void => {
    declaredTables.set(entity, retention);
  };

/** Declares that RetentionJob runs a provider, hourly unless `everyMs` says otherwise. */
export const RunForRetention = declareProviders<RetentionTask, { readonly everyMs?: number }>();
