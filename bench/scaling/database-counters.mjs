import pg from 'pg';
import { cpuSeconds } from '../support.mjs';

/**
 * What a database has done so far, from its own counters and those of the kernel.
 *
 * @typedef {object} Counters
 * @property {number} serviceCpu seconds
 * @property {number} databaseCpu seconds, of all its processes
 * @property {number} walBytes
 * @property {number} statements 0 unless they are counted
 */

/** What startPostgres needs for it; without checkpoints, whose cost depends on their interval. */
export const FLAGS = [
  'shared_preload_libraries=pg_stat_statements',
  'max_wal_size=32GB',
  'checkpoint_timeout=1d',
  'shared_buffers=512MB',
].flatMap((setting) => ['-c', setting]);

export class DatabaseCounters {
  /**
   * @param {pg.Client} client
   * @param {number} postmaster the process id of the server's first process
   */
  constructor(client, postmaster) {
    this.client = client;
    this.postmaster = postmaster;
  }

  /**
   * @param {string} url
   * @param {number} postmaster
   */
  static async connect(url, postmaster) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const counters = new DatabaseCounters(client, postmaster);
    await counters.countStatements(false);
    return counters;
  }

  /**
   * Counting takes time itself, so it is off while CPU time is measured.
   *
   * @param {boolean} on
   */
  async countStatements(on) {
    await this.client.query(`ALTER SYSTEM SET pg_stat_statements.track = '${on ? 'top' : 'none'}'`);
    await this.client.query('SELECT pg_reload_conf()');
    await this.client.query('SELECT pg_stat_statements_reset()');
  }

  /**
   * @param {number} service its process id
   * @returns {Promise<Counters>}
   */
  async read(service) {
    const [row] = await this.#query(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal,
         (SELECT COALESCE(sum(calls), 0)::float8 FROM pg_stat_statements s
          JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database()) AS statements`,
    );
    return {
      serviceCpu: cpuSeconds(service),
      databaseCpu: cpuSeconds(this.postmaster),
      walBytes: Number(row?.['wal']),
      statements: Number(row?.['statements']),
    };
  }

  /** @returns {Promise<Record<string, number>>} by table */
  async rows() {
    /** @type {Record<string, number>} */
    const rows = {};
    for (const table of await this.#tables()) {
      const [row] = await this.#query(`SELECT count(*)::float8 AS count FROM "${table}"`);
      rows[table] = Number(row?.['count']);
    }
    return rows;
  }

  /** Of each table with its indexes and large values: bytes and rows, after a vacuum. */
  async sizes() {
    await this.client.query('VACUUM (ANALYZE)');
    /** @type {Record<string, { bytes: number, rows: number }>} */
    const sizes = {};
    for (const table of await this.#tables()) {
      const [row] = await this.#query(
        `SELECT pg_total_relation_size('"${table}"')::float8 AS bytes,
           (SELECT count(*) FROM "${table}")::float8 AS rows`,
      );
      sizes[table] = { bytes: Number(row?.['bytes']), rows: Number(row?.['rows']) };
    }
    return sizes;
  }

  async close() {
    await this.client.end();
  }

  async #tables() {
    const rows = await this.#query(
      `SELECT relname AS name FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    );
    return rows.map(({ name }) => String(name));
  }

  /**
   * @param {string} statement
   * @returns {Promise<Record<string, unknown>[]>}
   */
  async #query(statement) {
    return (await this.client.query(statement)).rows;
  }
}
