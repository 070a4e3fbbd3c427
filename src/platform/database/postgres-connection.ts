import pg, { type ClientBase } from 'pg';
import type { PostgresConfig } from '../config/config.js';
import { parseJson } from '@latchkey/text/parse-json';
import type { Access } from './data-source-options.js';
import { StandbyError } from './driver-error.js';

/** The name of the service's connections in `pg_stat_activity`. */
export const APPLICATION_NAME = 'latchkey';

/** Options of the driver's pools, besides the address and the number of connections. */
export function connectionOptions(config: PostgresConfig, access: Access) {
  const statementTimeoutMs = config.DATABASE_STATEMENT_TIMEOUT_MS;
  const pooled = config.DATABASE_POOLER === 'transaction';
  const driverTimeouts = {
    // A server that cannot be reached cannot apply its own timeout.
    query_timeout: statementTimeoutMs + 250,
  };
  // A pooler rejects these options at connection start; the role sets its own (docs/operations.md).
  const serverTimeouts = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 10 * statementTimeoutMs,
  };
  return {
    ...(access !== 'migrate' && driverTimeouts),
    ...(access !== 'migrate' && !pooled && serverTimeouts),
    // For statementName() and SearchConnection.
    pooled,
    types: { getTypeParser },
    ...(access !== 'replica' && { onConnect: requirePrimary }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    // Compiling a plan takes longer than running any of our queries.
    ...(!pooled && { options: '-c jit=off' }),
  } as const;
}

/** The driver's own parsers, except for JSON. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) =>
  type === pg.types.builtins.JSONB || type === pg.types.builtins.JSON
    ? parseJson
    : (pg.types.getTypeParser(type, format) as unknown);

/**
 * During a failover, the address may lead to a standby, where a key revoked a moment ago may still be
 * active.
 */
async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>(
    'SELECT pg_is_in_recovery() AS "isStandby"',
  );
  if (rows[0]?.isStandby !== false) throw new StandbyError();
}
