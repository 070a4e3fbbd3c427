import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './postgres.mjs';
import { eventually } from './service.js';

// Debian keeps it where only root looks.
const COMMAND = ['nginx', '/usr/sbin/nginx'].find((path) => !spawnSync(path, ['-v']).error);
export const hasNginx = COMMAND !== undefined;

/** nginx as an operator runs it: with deploy/nginx.conf, on loopback. */
export class Nginx {
  private constructor(
    readonly url: string,
    readonly directory: string,
    private readonly process: ChildProcess,
  ) {}

  /** @param upstreams where the service and the sign-in service listen, as `host:port` */
  static async start(upstreams: { latchkey: string; signIn: string }, secret: string) {
    if (COMMAND === undefined) throw new Error('nginx is not installed');
    const port = await freePort();
    const directory = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'nginx-'));
    const write = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
    };
    // Alone, as it is deployed.
    cpSync('examples/dashboard', join(directory, 'dashboard'), { recursive: true });
    write('latchkey.conf', deployed(port, upstreams, directory));
    write('latchkey-gateway-secret.conf', `proxy_set_header X-Gateway-Secret "${secret}";\n`);
    write('nginx.conf', SURROUNDINGS);
    mkdirSync(join(directory, 'temp'));
    const child = spawn(COMMAND, ['-p', directory, '-c', join(directory, 'nginx.conf')], {
      stdio: 'ignore',
    });
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

/** The committed file, with other addresses. */
function deployed(
  port: number,
  upstreams: { latchkey: string; signIn: string },
  directory: string,
): string {
  const addresses = {
    'listen 8080;': `listen 127.0.0.1:${port};`,
    'server 127.0.0.1:3000;': `server ${upstreams.latchkey};`,
    'server 127.0.0.1:4180;': `server ${upstreams.signIn};`,
    'alias /srv/latchkey/dashboard/;': `alias ${directory}/dashboard/;`,
  };
  let text = readFileSync('deploy/nginx.conf', 'utf8');
  for (const [from, to] of Object.entries(addresses)) {
    if (text.split(from).length !== 2) throw new Error(`deploy/nginx.conf has no one "${from}"`);
    text = text.replace(from, to);
  }
  return text;
}

/** What Debian's own nginx.conf is around the file; in one directory, and in the foreground. */
const SURROUNDINGS = `
daemon off;
user root;
worker_processes 1;
pid pid;
error_log log info;
events { worker_connections 256; }
http {
  types {
    text/html html;
    text/css css;
    text/javascript js;
  }
  access_log log;
  client_body_temp_path temp/body;
  proxy_temp_path temp/proxy;
  fastcgi_temp_path temp/fastcgi;
  uwsgi_temp_path temp/uwsgi;
  scgi_temp_path temp/scgi;
  include latchkey.conf;
}
`;
