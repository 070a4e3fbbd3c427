import type { EntityManager } from 'typeorm';
import { sqlNow } from './dialect.js';

/** Returns the time of the database's clock, which all processes share. */
export async function databaseNow(manager: EntityManager): Promise<Date> {
  const [row] = await manager.query<[{ now: Date | string }]>(
    `SELECT ${sqlNow(manager.dataSource)} AS now`,
  );
  // SQLite returns text without a time zone, in UTC.
  return typeof row.now === 'string' ? new Date(`${row.now}Z`) : row.now;
}
