import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  copyToStandby,
  embeddedPostgres,
  ownerOf,
  POSTGRES_PROCESS,
  postgresProgram,
  runSql,
  untilReady,
} from '../postgres-process.mjs';
import { linkLibraries } from '../postgres.mjs';
import { FLOATING_ADDRESS } from './network.mjs';

const PORT = 5432;
const PASSWORD = 'latchkey-tests';
const STANDBY_NAME = 'standby';
/** No machine loses its memory here: what a killed process has written is there. */
const FLAGS = Object.entries({
  fsync: 'off',
  max_connections: '200',
  listen_addresses: '*',
  unix_socket_directories: '',
  wal_keep_size: '1GB',
  jit: 'off',
}).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/**
 * PostgreSQL on two machines: a primary with the floating address, and a standby that streams from it.
 * A commit is acknowledged when both have it.
 */
export class PostgresPair {
  /** @type {import('./network.mjs').Network} */
  #network;
  /** @type {import('./ways.mjs').Ways} */
  #ways;
  /** @type {Map<string, number>} ports on loopback here, by machine */
  #ports = new Map();

  /**
   * @param {import('./network.mjs').Network} network
   * @param {import('./ways.mjs').Ways} ways
   */
  constructor(network, ways) {
    this.#network = network;
    this.#ways = ways;
  }

  /**
   * @param {string} primary
   * @param {string} standby
   */
  async start(primary, standby) {
    linkLibraries();
    const directory = join(this.#network.directory, primary);
    const EmbeddedPostgres = await embeddedPostgres();
    const server = new EmbeddedPostgres({
      databaseDir: directory,
      password: PASSWORD,
      createPostgresUser: true,
      initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
      onLog: () => undefined,
    });
    await server.initialise();
    const network = FLOATING_ADDRESS.replace(/\d+$/, '0/24');
    appendFileSync(
      join(directory, 'pg_hba.conf'),
      `host all all ${network} password\nhost replication all ${network} password\n`,
    );
    copyToStandby(directory, join(this.#network.directory, standby));

    this.#network.takeFloatingAddress(primary);
    await this.#startServer(primary, ['-c', `synchronous_standby_names=${STANDBY_NAME}`]);
    const connection = `host=${this.#network.address(primary)} port=${PORT} user=postgres password=${PASSWORD} application_name=${STANDBY_NAME}`;
    await this.#startServer(standby, ['-c', `primary_conninfo=${connection}`]);
  }

  /** @param {string} database on the server that has the floating address */
  url(database) {
    return `postgres://postgres:${PASSWORD}@${FLOATING_ADDRESS}:${PORT}/${database}`;
  }

  /**
   * @param {string} machine
   * @param {string} statement
   * @param {string} [database]
   * @returns {Promise<any[]>}
   */
  sql(machine, statement, database = 'postgres') {
    const port = this.#ports.get(machine);
    return runSql(`postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`, statement);
  }

  /**
   * What a tool for fail-over does when the primary is gone.
   *
   * @param {string} standby
   */
  async promote(standby) {
    await this.sql(standby, 'SELECT pg_promote()');
    this.#network.takeFloatingAddress(standby);
  }

  /**
   * @param {string} machine
   * @param {string[]} flags
   */
  async #startServer(machine, flags) {
    const directory = join(this.#network.directory, machine);
    const { uid, gid } = ownerOf(directory);
    const asOwner = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const child = this.#network.spawn(
      machine,
      [...asOwner, postgresProgram(), '-D', directory, '-p', String(PORT), ...FLAGS, ...flags],
      POSTGRES_PROCESS,
    );
    await untilReady(child);
    this.#ports.set(machine, await this.#ways.to(this.#network.address(machine), PORT));
  }
}
