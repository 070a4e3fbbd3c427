import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './postgres.mjs';

export const hasPgBouncer = !spawnSync('pgbouncer', ['--version']).error;

/**
 * PgBouncer in transaction mode in front of a server of the tests' own, on loopback. Debian has it as
 * `pgbouncer`.
 *
 * @param {string} serverUrl
 * @returns {Promise<{ port: number, pid: number, stop: () => Promise<void> }>}
 */
export async function startPgBouncer(serverUrl) {
  const server = new URL(serverUrl);
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-pgbouncer-'));
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 10
server_idle_timeout = 5
`,
  );
  // It refuses to run as root, and must read its file as somebody else.
  chmodSync(directory, 0o755);
  chmodSync(file, 0o644);
  const child = spawn(
    'pgbouncer',
    [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), file],
    {
      stdio: 'ignore',
    },
  );
  /** @type {unknown} */
  let failure;
  child.on('error', (error) => (failure = error));
  while (!(await accepts(port))) {
    if (failure !== undefined || child.exitCode !== null) {
      throw new Error('PgBouncer did not start', { cause: failure });
    }
    await setTimeout(25);
  }
  return {
    port,
    pid: Number(child.pid),
    stop: async () => {
      child.kill('SIGINT');
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}

/** @param {number} port */
async function accepts(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
