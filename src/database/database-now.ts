import type { EntityManager } from 'typeorm';
import { sqlNow } from './column-types.js';

/** The database's clock, which is one for all processes. */
export async function databaseNow(manager: EntityManager): Promise<Date> {
  const [row] = await manager.query<[{ now: Date | string }]>(
    `SELECT ${sqlNow(manager.dataSource)} AS now`,
  );
  // SQLite tells it as text, without saying that it is UTC.
  return typeof row.now === 'string' ? new Date(`${row.now}Z`) : row.now;
}
