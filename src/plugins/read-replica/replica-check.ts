import { setTimeout } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../platform/database/data-source-options.js';
import { EngineDataSource } from '../../platform/database/engine-data-source.js';
import { preparePosition, readStandbyState, type WalPosition } from './wal-position.js';
import { postgresPool } from '../../platform/database/typeorm-internals.js';
import { type Check, type Finding, ok, problem, warning } from '../../platform/plugins/finding.js';

const TIMEOUT_MS = 5000;
/** The time for the replica to replay what the primary had when it was asked. */
const CATCH_UP_MS = 1000;
const POLL_MS = 50;

export const checkReplica: Check = async (config) => {
  if (config.postgres?.DATABASE_REPLICA_URL === undefined) return [];
  const primary = new EngineDataSource(dataSourceOptions(config, 'read'));
  const replica = new EngineDataSource(dataSourceOptions(config, 'replica'));
  try {
    await primary.initialize();
    const position = await preparePosition(primary)();
    await replica.initialize();
    return [await compare(replica, position)];
  } catch {
    // Problems of the primary are reported by checkDatabase.
    return primary.isInitialized
      ? [problem('The replica at DATABASE_REPLICA_URL does not answer: the primary reads alone.')]
      : [];
  } finally {
    for (const one of [primary, replica]) if (one.isInitialized) await one.destroy();
  }
};

async function compare(replica: DataSource, position: WalPosition): Promise<Finding> {
  const pool = postgresPool(replica);
  const client: PoolClient = await pool.connect();
  try {
    const endsAt = performance.now() + CATCH_UP_MS;
    for (;;) {
      const state = await readStandbyState(pool, client, position, TIMEOUT_MS);
      if (!state.isStandby) {
        return problem(
          'DATABASE_REPLICA_URL does not lead to a standby that follows the primary of DATABASE_URL, or it has written no restartpoint since that was promoted: the primary reads alone.',
        );
      }
      if (state.isCurrent) return ok('The replica follows the primary.');
      if (performance.now() > endsAt) {
        const { rows } = await client.query<{ bytes: string }>(
          'SELECT pg_wal_lsn_diff($1, pg_last_wal_replay_lsn())::text AS bytes',
          [position.lsn],
        );
        return warning(
          `The replica is ${rows[0]?.bytes} bytes of log behind: the primary reads until it has caught up.`,
        );
      }
      await setTimeout(POLL_MS);
    }
  } finally {
    client.release();
  }
}
