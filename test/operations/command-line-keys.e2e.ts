import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiKey,
  Client,
  type Document,
  type IssuedApiKey,
  outcome,
  type Page,
  type Webhook,
} from '../support/client.js';
import type { Result } from '../support/packed-cli.js';
import { Service } from '../support/service.js';
import { answersWith, WebhookReceiver } from '../support/webhook-receiver.js';

const GERMAN = { type: 'eq', key: 'language', value: 'de' };
const QUESTION = 'How long may customers return an order?';

describe('the command line, for credentials that are handed out', () => {
  let service: Service;
  let receiver: WebhookReceiver;
  let alice: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    service = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'yes' });
    alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
    key = await alice.createApiKey(kbId, {
      scopes: ['query', 'documents:read', 'documents:write'],
    });
  });

  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const run = (environment: NodeJS.ProcessEnv, ...args: string[]): Promise<Result> =>
    promisify(execFile)(process.execPath, ['packages/cli/dist/latchkey.js', ...args], {
      env: { PATH: process.env['PATH'], LATCHKEY_URL: service.url, ...environment },
    }).then(
      (output) => ({ code: 0, ...output }),
      (error: unknown) => error as Result,
    );
  const latchkey = (...args: string[]) => run({ LATCHKEY_USER: 'alice' }, ...args);
  const withKey = ({ api_key }: IssuedApiKey, ...args: string[]) =>
    run({ LATCHKEY_API_KEY: api_key }, ...args);

  it('issues keys with scopes and a filter', async () => {
    const { code, stdout } = await latchkey(
      ...['key', 'issue', kbId, '--name', 'Search page', '--environment', 'test', '--json'],
      ...['--scope', 'query', 'documents:read', '--filter', JSON.stringify(GERMAN)],
    );
    const { id } = JSON.parse(stdout) as IssuedApiKey;
    expect([code, (await alice.get<ApiKey>(`/api-keys/${id}`)).body]).toEqual([
      0,
      expect.objectContaining({ scopes: ['query', 'documents:read'], filter: GERMAN }),
    ]);
  });

  it('rotates and ends a key by itself', async () => {
    const own = await alice.createApiKey(kbId, { self_rotation: { grace_seconds: 60 } });
    const again = ['key', 'rotate', '--idempotency-key', 'of-november'];
    const first = await withKey(own, ...again);
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^rag_live_\S+\n$/)]);
    const second = await withKey(own, ...again);
    const partner = new Client(service);
    const ask = async (text: string) => outcome(await partner.query(text.trim(), QUESTION));
    expect([await ask(first.stdout), await ask(second.stdout)]).toEqual([
      '401 invalid_api_key',
      '200',
    ]);
    const chosen = await withKey(own, 'key', 'rotate', '--grace-period', '60');
    expect([chosen.code, chosen.stdout]).toEqual([2, '']);
    const ended = await withKey(own, 'key', 'revoke');
    expect([ended.code, ended.stdout]).toEqual([0, 'The key is revoked.\n']);
    expect(await ask(own.api_key)).toBe('401 api_key_revoked');
  });

  it('makes client tokens with a key, and prints them alone', async () => {
    const { stdout, stderr } = await withKey(
      key,
      ...['token', 'issue', '--end-user', 'customer-1', '--expires-in', '60', '--scope', 'query'],
      ...['--filter', JSON.stringify(GERMAN), '--allow-origin', 'https://shop.example.com'],
    );
    expect(stdout).toMatch(/^rag_client_\S+\n$/);
    expect(stderr).toMatch(/^For customer-1, until \d{4}-\S+Z:\n$/);
    const partner = new Client(service);
    const ask = (origin: string) =>
      partner.post('/query', { api_key: stdout.trim(), message: QUESTION }, { origin });
    expect(outcome(await ask('https://shop.example.com'))).toBe('200');
    expect(outcome(await ask('https://evil.example.com'))).toBe('403 origin_not_allowed');
    const wider = ['token', 'issue', '--end-user', 'customer-1', '--scope', 'chat'];
    expect(await withKey(key, ...wider)).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^latchkey: 403 insufficient_scope: /) as unknown,
    });
  });

  it('shows what a key of any kind may do', async () => {
    const body = { budget: { messages: 5, period: 'month' }, scopes: ['chat'], filter: GERMAN };
    const restricted = await alice.createApiKey(kbId, { ...body, name: 'Shop' });
    await new Client(service).chat(restricted.api_key, QUESTION);
    const { code, stdout } = await withKey(restricted, 'key', 'show');
    expect([code, stdout.split('\n')]).toEqual([
      0,
      expect.arrayContaining([
        `${restricted.id} (Shop), api key`,
        `Knowledge bases: ${kbId}`,
        'Scopes: chat',
        `Filter: ${JSON.stringify(GERMAN)}`,
        'Expires: never',
        'rate_limit_per_minute: 5999 of 6000 left',
        'budget: 4 messages of 5 messages left',
      ]),
    ]);
    const account = await alice.createServiceAccount(kbId);
    const managing = await alice.createManagementKey(account.id, ['keys:read']);
    const shown = await withKey(managing, 'key', 'show', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: managing.id, kind: 'management_key' });
    await alice.call('PATCH', `/api-keys/${restricted.id}/revoke`);
    expect(await withKey(restricted, 'key', 'show')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^latchkey: 401 api_key_revoked: /) as unknown,
    });
  });

  it('sends a folder with a key, and what has changed in it', async () => {
    const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'folder-'));
    writeFileSync(join(folder, 'returns.md'), '# Returns\n\nCustomers may return any order.');
    writeFileSync(join(folder, 'hours.txt'), 'The shop is open from nine to five.');
    const ingest = async (...more: string[]) =>
      (await withKey(key, 'ingest', '--api-key', '--wait', ...more, folder)).stdout;
    expect(await ingest()).toMatch(/^2 sent, 0 as they were, .*, 0 refused\n2 ready, 0 failed\n$/);
    rmSync(join(folder, 'hours.txt'));
    expect(await ingest('--delete-missing', '--yes')).toContain('hours.txt: deleted\n');
    const { body } = await alice.get<Page<Document>>(`/kbs/${kbId}/documents`);
    expect(body.data).toMatchObject([{ external_id: 'returns.md', title: 'Returns' }]);

    const asking = await alice.createApiKey(kbId);
    const refused = await withKey(asking, 'ingest', '--api-key', folder);
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('returns.md: 403 insufficient_scope'),
    ]);
  });

  it('adds, lists and tests a webhook', async () => {
    const added = await latchkey('webhook', 'add', kbId, receiver.url, '--event', 'message.rated');
    expect(added.stdout).toMatch(/^whsec_\S+\n$/);
    const listed = await latchkey('--json', 'webhook', 'list', kbId);
    const [webhook] = JSON.parse(listed.stdout) as Webhook[];
    expect(webhook).toMatchObject({ url: receiver.url, events: ['message.rated'] });
    const test = () => latchkey('webhook', 'test', String(webhook?.id));
    expect(await test()).toMatchObject({
      ...{ code: 0, stdout: 'delivered: the receiver answered 204\n' },
    });
    expect(receiver.of('webhook.test')).toHaveLength(1);
    receiver.behave = answersWith(500);
    expect(await test()).toMatchObject({
      ...{ code: 1, stdout: 'failed: the receiver answered 500\n' },
    });
  });

  it.each([
    ['a filter that is no JSON', ['token', 'issue', '--end-user', 'x', '--filter', '{'], /JSON/],
    ['an unknown scope', ['token', 'issue', '--end-user', 'x', '--scope', 'admin'], /choices/],
    ['no end user', ['token', 'issue'], /--end-user/],
    ['a knowledge base beside a key', ['ingest', '--api-key', 'kb_1', '.'], /the folder alone/],
  ])('reports wrong usage by exit code 2: %s', async (_, args, message) => {
    const { code, stderr } = await withKey(key, ...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
