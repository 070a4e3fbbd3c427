import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureNginx, NGINX } from './nginx-configuration.mjs';
import { freePort } from './postgres.mjs';
import { eventually } from './service.js';

export const hasNginx = NGINX !== undefined;

/** nginx as an operator runs it: with deploy/nginx.conf, on loopback. */
export class Nginx {
  private constructor(
    readonly url: string,
    readonly directory: string,
    private readonly process: ChildProcess,
  ) {}

  /** @param upstreams where the service and the sign-in service listen, as `host:port` */
  static async start(upstreams: { latchkey: string; signIn: string }, secret: string) {
    const port = await freePort();
    const directory = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'nginx-'));
    const addresses = {
      listen: `127.0.0.1:${port}`,
      latchkey: [upstreams.latchkey],
      signIn: upstreams.signIn,
    };
    const [command = '', ...args] = configureNginx(directory, addresses, secret);
    const child = spawn(command, args, { stdio: 'ignore' });
    const nginx = new Nginx(`http://127.0.0.1:${port}`, directory, child);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`nginx did not start:\n${nginx.log}`);
      const socket = connect(port, '127.0.0.1');
      const connected = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return connected;
    });
    return nginx;
  }

  get log(): string {
    return readFileSync(join(this.directory, 'log'), 'utf8');
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    this.process.kill('SIGTERM');
    await once(this.process, 'close');
  }
}
