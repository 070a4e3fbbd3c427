import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  COMMON_FLAGS,
  copyToStandby,
  ownerOf,
  POSTGRES_PROCESS,
  postgresProgram,
  runSql,
  untilReady,
} from './postgres-process.mjs';
import { freePort, startPostgres } from './postgres.mjs';

/**
 * A primary and its streaming standby, which tests may stop, kill, freeze and promote.
 *
 * @param {{ flags?: string[], standbyFlags?: string[] }} options of PostgreSQL, such as `-c name=value`
 */
export async function startReplicatedPostgres({ flags = [], standbyFlags = [] } = {}) {
  const { url, server, directory } = await startPostgres({ persistent: true });
  await server.stop();
  const copy = `${directory}-standby`;
  copyToStandby(directory, copy);
  const { hostname, port, username, password } = new URL(url);
  const connection = `host=${hostname} port=${port} user=${username} password=${password}`;
  writeFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection} application_name=standby'\n`,
  );
  const own = new URL(url);
  own.port = String(await freePort());
  // The standby may be away for a while without losing its place.
  const primary = new PostgresServer(url, directory, [...flags, '-c', 'wal_keep_size=256MB']);
  const standby = new PostgresServer(own.href, copy, standbyFlags);
  await primary.start();
  await standby.start();
  return {
    primary,
    standby,
    remove: async () => {
      await Promise.all([primary.stop(), standby.stop()]);
      for (const path of [directory, copy]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** A server on a data directory that is there already; it runs as the directory's owner. */
export class PostgresServer {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;
  #killAtExit = () => {
    this.signal('SIGKILL');
  };

  /**
   * @param {string} url
   * @param {string} directory
   * @param {string[]} flags
   */
  constructor(url, directory, flags = []) {
    this.url = url;
    this.directory = directory;
    this.flags = flags;
  }

  async start() {
    const child = spawn(
      postgresProgram(),
      ['-D', this.directory, '-p', new URL(this.url).port, ...COMMON_FLAGS, ...this.flags],
      { ...POSTGRES_PROCESS, ...(process.getuid?.() === 0 && ownerOf(this.directory)) },
    );
    this.#process = child;
    process.once('exit', this.#killAtExit);
    await untilReady(child);
  }

  /** Ends it as an operator would. */
  stop() {
    return this.#end((child) => child.kill('SIGINT'));
  }

  /** Ends it as a crash of its machine would. */
  kill() {
    return this.#end(() => {
      this.signal('SIGKILL');
    });
  }

  freeze() {
    this.signal('SIGSTOP');
  }

  thaw() {
    this.signal('SIGCONT');
  }

  /** @param {NodeJS.Signals} signal to every process of the server, the first one first */
  signal(signal) {
    const main = Number(
      readFileSync(join(this.directory, 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    const { stdout } = spawnSync('pgrep', ['-P', String(main)], { encoding: 'utf8' });
    for (const pid of [String(main), ...stdout.trim().split('\n')].filter(Boolean)) {
      try {
        process.kill(Number(pid), signal);
      } catch {
        // It has ended by itself meanwhile.
      }
    }
  }

  /**
   * @param {string} sql
   * @param {string} [databaseUrl] another database of the server than `postgres`
   * @returns {Promise<Record<string, unknown>[]>}
   */
  query(sql, databaseUrl = this.url) {
    return runSql(databaseUrl, sql);
  }

  /** @param {(child: import('node:child_process').ChildProcess) => void} end */
  async #end(end) {
    const child = this.#process;
    if (!child) return;
    this.#process = undefined;
    process.off('exit', this.#killAtExit);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    end(child);
    await exit;
  }
}
