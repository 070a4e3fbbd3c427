import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/**
 * Whether the pool is behind a pooler, so that the next transaction may use another connection of the
 * server.
 */
export const isPooled = ({ options }: Pool) => (options as { pooled?: boolean }).pooled === true;

/**
 * Names a prepared statement. PostgreSQL keeps statements by name, so each text needs its own. Behind a
 * pooler there is no name, since the next connection may not have prepared it.
 */
export const statementName = (pool: Pool, sql: string) =>
  isPooled(pool) ? undefined : createHash('sha256').update(sql).digest('base64url');
