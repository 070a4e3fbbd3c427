import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImapFlow } from 'imapflow';
import { freePort } from './postgres.mjs';
import { eventually } from './service.js';

export const USER = { username: 'ada', password: 'app-password-1' };
const PROGRAM = '/usr/sbin/dovecot';
/** That of nobody: Dovecot gives no mail to root. */
const OWNER = process.getuid?.() === 0 ? 65_534 : (process.getuid?.() ?? 0);

export const hasDovecot =
  !spawnSync(PROGRAM, ['--version']).error && !spawnSync('openssl', ['version']).error;

/** A real mail server on loopback, with a certificate of its own. */
export class Dovecot {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly ports: { readonly imaps: number; readonly imap: number },
  ) {}

  static async start(): Promise<Dovecot> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-dovecot-'));
    const server = new Dovecot(folder, { imaps: await freePort(), imap: await freePort() });
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'mail'));
    chownSync(join(folder, 'mail'), OWNER, OWNER);
    server.makeCertificate();
    server.configure();
    server.child = spawn(PROGRAM, ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' });
    await eventually(async () => {
      const socket = connect(server.ports.imaps, '127.0.0.1');
      const isReached = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return isReached;
    });
    return server;
  }

  get certificate(): string {
    return join(this.folder, 'certificate.pem');
  }

  get url(): string {
    return `imaps://localhost:${this.ports.imaps}`;
  }

  /** Where TLS begins with STARTTLS. */
  get plainUrl(): string {
    return `imap://localhost:${this.ports.imap}`;
  }

  /** A connection by which a test changes the mailbox. */
  async connect(): Promise<ImapFlow> {
    const client = new ImapFlow({
      ...{ host: 'localhost', port: this.ports.imaps, secure: true, logger: false },
      tls: { rejectUnauthorized: false },
      auth: { user: USER.username, pass: USER.password },
    });
    await client.connect();
    return client;
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child?.exitCode === null) {
      child.kill();
      await once(child, 'exit');
    }
    rmSync(this.folder, { recursive: true });
  }

  private makeCertificate(): void {
    const { status } = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-out', this.certificate],
      ...['-keyout', join(this.folder, 'key.pem')],
    ]);
    if (status !== 0) throw new Error('no certificate');
  }

  private configure(): void {
    const { folder, ports } = this;
    const own = process.getuid?.() === 0 ? [] : [`default_internal_user = ${OWNER}`];
    const text = [
      ...['protocols = imap', 'listen = 127.0.0.1', `log_path = ${folder}/log`, ...own],
      ...[`base_dir = ${folder}/run`, `state_dir = ${folder}/state`],
      ...['ssl = required', `ssl_cert = <${this.certificate}`, `ssl_key = <${folder}/key.pem`],
      ...['first_valid_uid = 1', 'mail_location = maildir:~/mail:LAYOUT=fs'],
      `passdb {\n driver = static\n args = password=${USER.password}\n}`,
      `userdb {\n driver = static\n args = uid=${OWNER} gid=${OWNER} home=${folder}/mail/%u\n}`,
      `service imap-login {\n inet_listener imaps {\n port = ${ports.imaps}\n ssl = yes\n }\n inet_listener imap {\n port = ${ports.imap}\n }\n}`,
      'namespace inbox {\n inbox = yes\n separator = .\n mailbox Trash {\n auto = create\n special_use = \\Trash\n }\n}',
    ];
    writeFileSync(join(folder, 'dovecot.conf'), `${text.join('\n')}\n`);
  }
}
