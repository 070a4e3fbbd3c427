import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { StandbyError } from './database-error.js';
import { type PreparedQuery, prepareQuery, statementName } from './prepared-query.js';

/**
 * How far a primary has written its log (WAL). Everything that it has acknowledged is before that.
 */
export interface WalPosition {
  /** Of the cluster: the primary and its standbys have the same. */
  readonly system: string;
  /**
   * A promoted standby begins a new timeline: a standby of an earlier one may have changes that
   * were lost.
   */
  readonly timeline: number;
  readonly lsn: string;
}

/** The state of a server compared with a position of the primary. */
export interface StandbyState {
  /** Whether it follows this primary. */
  readonly isStandby: boolean;
  /** Whether it has replayed the log up to there. */
  readonly isCurrent: boolean;
}

// A commit is flushed before it is acknowledged, unless `synchronous_commit` is off.
const POSITION = `
  SELECT s.system_identifier::text AS system, p.lsn::text AS lsn,
    ('x' || left(pg_walfile_name(p.lsn), 8))::bit(32)::int AS timeline
  FROM pg_control_system() s, (
    SELECT CASE
      WHEN pg_is_in_recovery() THEN NULL
      WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn()
    END AS lsn) p`;

// The timeline is known from the last restartpoint, or from what was written to disk since.
const STANDBY_STATE = `
  SELECT pg_is_in_recovery() AND s.system_identifier::text = $1
      AND greatest(c.timeline_id, r.min_recovery_end_timeline) = $2 AS "isStandby",
    coalesce(pg_last_wal_replay_lsn() >= $3::pg_lsn, FALSE) AS "isCurrent"
  FROM pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r`;

/** @throws StandbyError by what it returns, when the server is not a primary */
export function preparePosition(primary: DataSource): () => Promise<WalPosition> {
  const query: PreparedQuery<WalPosition | { lsn: null }> = prepareQuery(primary, POSITION);
  return async () => {
    const position = await query([]);
    if (!position || position.lsn === null) throw new StandbyError();
    return position;
  };
}

/** @param timeoutMs after which the statement fails, also when the server does not answer at all */
export async function standbyState(
  pool: Pool,
  client: PoolClient,
  { system, timeline, lsn }: WalPosition,
  timeoutMs: number,
): Promise<StandbyState> {
  const query: QueryConfig & { readonly query_timeout: number } = {
    name: statementName(pool, STANDBY_STATE),
    text: STANDBY_STATE,
    values: [system, timeline, lsn],
    query_timeout: timeoutMs,
  };
  const { rows } = await client.query<StandbyState>(query);
  return rows[0] ?? { isStandby: false, isCurrent: false };
}
