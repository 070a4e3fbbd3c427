import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { StandbyError } from '../../platform/database/driver-error.js';
import { type PreparedQuery, prepareQuery } from '../../platform/database/prepared-query.js';
import { statementName } from '../../platform/database/topology/pooler.js';

/** A position in the write-ahead log of a primary. All changes acknowledged so far come before it. */
export interface WalPosition {
  /** The `system_identifier`: a primary and its standbys have the same one. */
  readonly system: string;
  /**
   * A promoted standby begins a new timeline. A server that is still on an earlier one may have
   * changes that the promoted standby had not received.
   */
  readonly timeline: number;
  readonly lsn: string;
}

/** The state of a server compared with a position of the primary. */
interface StandbyState {
  /** Whether it follows this primary. */
  readonly isStandby: boolean;
  /** Whether it has replayed the log up to the position. */
  readonly isCurrent: boolean;
}

// A commit is acknowledged after it is flushed, so the flush position covers it.
// With `synchronous_commit = off` it is acknowledged before, so the insert position is taken.
const POSITION = `
  SELECT s.system_identifier::text AS system, p.lsn::text AS lsn,
    ('x' || left(pg_walfile_name(p.lsn), 8))::bit(32)::int AS timeline
  FROM pg_control_system() s, (
    SELECT CASE
      WHEN pg_is_in_recovery() THEN NULL
      WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn()
    END AS lsn) p`;

// A standby records its timeline at a restartpoint, and when it writes replayed pages to disk.
// Timelines only increase, so the higher of the two is the latest that is known.
const STANDBY_STATE = `
  SELECT pg_is_in_recovery() AND s.system_identifier::text = $1
      AND greatest(c.timeline_id, r.min_recovery_end_timeline) = $2 AS "isStandby",
    coalesce(pg_last_wal_replay_lsn() >= $3::pg_lsn, FALSE) AS "isCurrent"
  FROM pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r`;

/** @returns a function that reads the position; it throws StandbyError on a standby */
export function preparePosition(primary: DataSource): () => Promise<WalPosition> {
  const query: PreparedQuery<WalPosition | { lsn: null }> = prepareQuery(primary, POSITION);
  return async () => {
    const [position] = await query([]);
    if (!position || position.lsn === null) throw new StandbyError();
    return position;
  };
}

/** @param timeoutMs the time limit of the statement, enforced even if the server does not answer */
export async function readStandbyState(
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
