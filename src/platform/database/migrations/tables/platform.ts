import { Table } from 'typeorm';
import { type Columns, indexes, primary } from './columns.js';

export const platformTables = ({ string, instant, json }: Columns) => [
  new Table({
    name: 'idempotency_records',
    columns: [string('id', primary), string('fingerprint'), json('answer'), instant('created_at')],
    indices: indexes(['created_at']),
  }),
  new Table({
    name: 'job_leases',
    columns: [string('job', primary), string('holder'), instant('expires_at')],
  }),
];

/**
 * PostgreSQL only: what processes count requests in, in the form that rate-limiter-flexible reads.
 * Unlogged, since a count of the last minute or day need not survive a crash of the server, and so no
 * request waits for a disk. The free space on each page keeps updates of a row beside it.
 */
export const RATE_LIMITS = `
  CREATE UNLOGGED TABLE rate_limits (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint)
  WITH (fillfactor = 50)`;
