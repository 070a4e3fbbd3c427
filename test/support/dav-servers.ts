import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './postgres.mjs';
import { eventually } from './service.js';

export const USER = { username: 'ada', password: 'app-password-1' };
const APACHE = '/usr/sbin/apache2';
const MODULES = '/usr/lib/apache2/modules';

export const hasApache = !spawnSync(APACHE, ['-v']).error;

/** Installs WsgiDAV; false if the registry is not reached. */
export function installWsgiDav(folder: string): boolean {
  const environment = join(folder, 'venv');
  const pip = ['install', '--quiet', 'wsgidav==4.4.0', 'cheroot==11.1.2'];
  return (
    spawnSync('python3', ['-m', 'venv', environment]).status === 0 &&
    spawnSync(join(environment, 'bin/pip'), pip).status === 0
  );
}

/** A WebDAV server of others, on loopback, that serves the folder `files`. */
export class RunningDav {
  readonly files: string;
  private child: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    readonly folder: string,
  ) {
    this.files = join(folder, 'files');
    mkdirSync(this.files);
    chmodSync(folder, 0o755);
  }

  get config() {
    return { url: `http://127.0.0.1:${this.port}/` };
  }

  private static async prepare(): Promise<RunningDav> {
    return new RunningDav(await freePort(), mkdtempSync(join(tmpdir(), 'latchkey-dav-')));
  }

  /** @param installed where `installWsgiDav` has installed it */
  static async startWsgiDav(installed: string): Promise<RunningDav> {
    const server = await RunningDav.prepare();
    const config = join(server.folder, 'wsgidav.json');
    const users = { '*': { [USER.username]: { password: USER.password } } };
    writeFileSync(
      config,
      JSON.stringify({
        ...{ host: '127.0.0.1', port: server.port, provider_mapping: { '/': server.files } },
        simple_dc: { user_mapping: users },
        http_authenticator: { accept_basic: true, accept_digest: false, default_to_digest: false },
      }),
    );
    return server.run(join(installed, 'venv/bin/wsgidav'), ['--config', config]);
  }

  /** With mod_dav. */
  static async startApache(): Promise<RunningDav> {
    const server = await RunningDav.prepare();
    const { folder } = server;
    const users = join(folder, 'users');
    const hash = createHash('sha1').update(USER.password).digest('base64');
    writeFileSync(users, `${USER.username}:{SHA}${hash}\n`);
    const names = ['mpm_event', 'authn_core', 'authn_file', 'authz_core', 'authz_user'];
    const modules = [...names, 'auth_basic', 'dav', 'dav_fs', 'mime'];
    const config = join(folder, 'apache.conf');
    writeFileSync(
      config,
      [
        ...modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
        `Listen 127.0.0.1:${server.port}`,
        'ServerName localhost',
        ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
        `PidFile ${folder}/pid`,
        `ErrorLog ${folder}/log`,
        'TypesConfig /dev/null',
        `DavLockDB ${folder}/locks`,
        `DocumentRoot ${server.files}`,
        '<Location />',
        'Dav On',
        'AuthType Basic',
        'AuthName files',
        `AuthUserFile ${users}`,
        'Require valid-user',
        '</Location>',
      ].join('\n'),
    );
    return server.run(APACHE, ['-D', 'FOREGROUND', '-f', config]);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child?.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  }

  private async run(program: string, args: string[]): Promise<this> {
    this.child = spawn(program, args, { cwd: this.folder, stdio: 'ignore' });
    await eventually(async () => {
      const socket = connect(this.port, '127.0.0.1');
      const isReached = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return isReached;
    });
    return this;
  }
}
