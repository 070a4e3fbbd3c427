import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, ApiKey, Page } from '../support/client.js';
import { Client } from '../support/client.js';
import { PackedCli } from '../support/packed-cli.js';
import { freePort } from '../support/postgres.mjs';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');
const BOB = newUserId('bob');
const CAROL = newUserId('carol');

const SECRET = /\brag_live_[0-9A-Za-z]{48}\b/g;

describe('the command line', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;
  let cli: PackedCli;

  beforeAll(async () => {
    [service, cli] = await Promise.all([sharedService(), PackedCli.install()]);
    alice = new Client(service, ALICE);
    const { stdout } = await latchkey('kb', 'create', 'Shop handbook');
    kbId = stdout.trim();
  });

  const run = (environment: NodeJS.ProcessEnv, ...args: string[]) => cli.run(environment, ...args);
  const latchkey = (...args: string[]) =>
    run({ LATCHKEY_URL: service.url, LATCHKEY_USER: ALICE }, ...args);
  const json = async <T>(...args: string[]) => JSON.parse((await latchkey(...args)).stdout) as T;
  const issue = async (name: string) => {
    const args = ['key', 'issue', kbId, '--name', name, '--environment', 'live', '--json'];
    return json<ApiKey & { api_key: string }>(...args);
  };
  const question = ['ask', 'How long may customers return an order?'];

  function folder(files: Record<string, string>): string {
    const directory = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'folder-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
    return directory;
  }

  it('is one file, without dependencies, and says its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { code, stdout } = await run({}, '--version');
    expect([code, stdout]).toEqual([0, `${version}\n`]);
    const installed = readdirSync(join(cli.folder, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@latchkey']);
    const contents = readdirSync(join(cli.folder, 'node_modules/@latchkey/cli'), {
      recursive: true,
    });
    expect(contents.sort()).toEqual([
      ...['LICENSE', 'README.md', 'dist', 'dist/THIRD-PARTY-LICENSES.txt', 'dist/latchkey.js'],
      'package.json',
    ]);
  });

  it('lists the knowledge bases of the user it acts for', async () => {
    expect(kbId).toMatch(/^kb_/);
    const { stdout } = await latchkey('kb', 'list');
    expect(stdout).toMatch(new RegExp(`^${kbId} +owner +\\d+ +Shop handbook$`, 'm'));
    expect((await latchkey('--user', BOB, 'kb', 'list')).stdout).not.toContain(kbId);
  });

  it('lists all of them, over many pages', async () => {
    const carol = new Client(service, CAROL);
    await Promise.all(Array.from({ length: 101 }, () => carol.createKnowledgeBase()));
    expect(await json('--user', CAROL, '--json', 'kb', 'list')).toHaveLength(101);
  });

  it('prints a new secret alone on standard output, once', async () => {
    const options = ['--name', 'CI', '--environment', 'live', '--rate-limit', '60'];
    const { stdout, stderr } = await latchkey('key', 'issue', kbId, ...options);
    expect(stdout.trim()).toMatch(new RegExp(`^${SECRET.source}$`));
    expect(stderr.match(SECRET)).toBeNull();
    const listed = await latchkey('key', 'list', kbId);
    expect(listed.stdout).toContain(stdout.slice(0, 'rag_live_'.length + 10));
    expect((listed.stdout + listed.stderr).match(SECRET)).toBeNull();
  });

  it('sends a folder, then what has changed in it, and asks', async () => {
    const returns = 'Customers may return any order within 30 days of delivery.';
    const directory = folder({
      'returns.md': `# Returns\n\n${returns}`,
      'about/opening hours.txt': 'The shop is open from nine to five.',
      'about/copy.txt': 'The shop is open from nine to five.',
      'about/page.html': '<p>The shop was founded in 1899.</p>',
      'logo.png': 'not a document',
      '.hidden.md': 'not for anybody',
    });
    const first = await latchkey('ingest', kbId, directory);
    expect([first.code, first.stdout]).toEqual([
      0,
      '3 sent, 1 as they were, 1 of other types, 0 refused\n',
    ]);
    expect(first.stderr).toContain('4/4');
    writeFileSync(join(directory, 'about/page.html'), '<p>The shop was founded in 1898.</p>');
    expect(await json('--json', 'ingest', kbId, directory)).toMatchObject({
      ...{ added: 1, unchanged: 3, failed: [] },
      skipped: [join(directory, 'logo.png')],
    });
    const ids = (await alice.get<Page<{ external_id: string }>>(`/kbs/${kbId}/documents`)).body;
    expect(ids.data.map(({ external_id }) => external_id)).toContain('about/page.html');

    const { api_key: secret } = await issue('Asking');
    const ask = () => run({ LATCHKEY_URL: service.url, LATCHKEY_API_KEY: secret }, ...question);
    await eventually(async () => (await ask()).stdout.includes(returns));
    expect((await ask()).stdout).toBe(`30 days\n${returns} [1]\n[1] Returns\n`);
  });

  it('reports what could not be sent, and goes on', async () => {
    const files = folder({ 'empty.txt': '', 'good.txt': 'A document with some text.' });
    const { code, stdout } = await latchkey('ingest', kbId, files);
    expect(code).toBe(1);
    expect(stdout).toContain('1 sent, 0 as they were, 0 of other types, 1 refused');
    expect(stdout).toContain('empty.txt: 400 validation_failed');
  });

  it('shows the use of a key, rotates it and revokes it', async () => {
    const old = await issue('Rotated');
    expect((await latchkey('key', 'usage', old.id)).stdout).toContain('Safe to revoke');
    const { stdout } = await latchkey('key', 'rotate', old.id, '--grace-period', '0');
    expect(stdout.trim()).not.toBe(old.api_key);
    const ask = (secret: string) =>
      run({ LATCHKEY_URL: service.url, LATCHKEY_API_KEY: secret }, ...question);
    expect((await ask(old.api_key)).stderr).toContain('401 api_key_expired');
    expect((await ask(stdout.trim())).code).toBe(0);
    const { body }: Answer<ApiKey> = await alice.get(`/api-keys/${old.id}`);
    expect(await latchkey('key', 'revoke', String(body.rotated_to))).toMatchObject({ code: 0 });
    expect(await ask(stdout.trim())).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^latchkey: 401 api_key_revoked: .*\n {2}\(request \S+\)\n$/),
    });
  });

  it('adds webhooks, shows their secret once, and says how a test of them went', async () => {
    // Reserved: nobody has this name.
    const url = 'https://receiver.invalid/hook';
    const events = ['document.failed', 'api_key.revoked'];
    const added = await latchkey('webhook', 'add', kbId, url, '--event', ...events);
    expect(added.stdout).toMatch(/^whsec_[0-9A-Za-z+/]{43}=\n$/);
    const id = /wh_[0-9a-z]{26}/.exec(added.stderr)?.[0] ?? '';
    const { stdout } = await latchkey('webhook', 'list', kbId);
    expect(stdout).toMatch(new RegExp(`^${id} +active +${url} +${events.join(',')}$`, 'm'));
    expect(await latchkey('webhook', 'test', id)).toMatchObject({
      ...{ code: 1, stdout: 'failed: connection_failed\n' },
      stderr: 'latchkey: the test did not reach the receiver: connection_failed\n',
    });
    expect(await latchkey('webhook', 'delete', id)).toMatchObject({ code: 0 });
    expect((await latchkey('webhook', 'list', kbId)).stdout).not.toContain(id);
  });

  it('names the fields that are wrong', async () => {
    const { code, stdout, stderr } = await latchkey('kb', 'create', ' ');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^latchkey: 400 validation_failed: .*\n {2}name: name must/);
  });

  it.each([
    ['no user', {}, ['kb', 'list'], /--user or LATCHKEY_USER/],
    ['no key', {}, ['ask', 'Hello?'], /LATCHKEY_API_KEY/],
    ['no such command', {}, ['keys'], /unknown command/],
    ['no environment', {}, ['key', 'issue', 'kb_1', '--name', 'x'], /--environment/],
    ['no number', {}, ['key', 'rotate', 'key_1', '--grace-period', 'day'], /whole number/],
    ['no folder', { LATCHKEY_USER: ALICE }, ['ingest', 'kb_1', './nowhere'], /is not a folder/],
    ['no URL', { LATCHKEY_USER: ALICE, LATCHKEY_URL: 'shop' }, ['kb', 'list'], /is not a URL/],
  ])('reports wrong usage by exit code 2: %s', async (_, environment, args, message) => {
    const { code, stderr } = await run(environment, ...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('reports by exit code 3 that nobody answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await run({ LATCHKEY_URL: url, LATCHKEY_USER: ALICE }, 'kb', 'list')).toMatchObject({
      ...{ code: 3, stdout: '' },
      stderr: `latchkey: Nothing answers at ${url} (ECONNREFUSED).\n`,
    });
  });

  it('retries when the service is busy, with the same Idempotency-Key and its credentials', async () => {
    const received: [string, unknown, unknown, unknown][] = [];
    const busy = createServer(({ url = '', headers }, response) => {
      const { 'idempotency-key': key, 'x-gateway-secret': secret, authorization } = headers;
      received.push([url, key, secret, authorization]);
      if (received.length === 1) response.writeHead(503, { 'retry-after': '0' }).end();
      else response.writeHead(201, { 'content-type': 'application/json' }).end('{"id": "kb_1"}');
    }).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as { port: number };
    const { stdout } = await run(
      {
        ...{ LATCHKEY_URL: `http://127.0.0.1:${port}`, LATCHKEY_USER: ALICE },
        ...{ LATCHKEY_GATEWAY_SECRET: 'of-the-gateway', LATCHKEY_TOKEN: 'token' },
      },
      ...['kb', 'create', 'Handbook'],
    );
    busy.close();
    expect(stdout).toBe('kb_1\n');
    const attempt = ['/api/v1/kbs', expect.any(String), 'of-the-gateway', 'Bearer token'];
    expect(received).toEqual([attempt, attempt]);
    expect(received[0]?.[1]).toBe(received[1]?.[1]);
  });
});
