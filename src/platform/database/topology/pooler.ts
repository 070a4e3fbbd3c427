import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** Whether another connection of the server may run the next transaction: behind a pooler. */
export const isPooled = ({ options }: Pool) => (options as { pooled?: boolean }).pooled === true;

/**
 * PostgreSQL keeps prepared statements by name, so each text needs a name of its own; behind a pooler
 * it has none, since the connection that runs it next may not have prepared it.
 */
export const statementName = (pool: Pool, sql: string) =>
  isPooled(pool) ? undefined : createHash('sha256').update(sql).digest('base64url');
