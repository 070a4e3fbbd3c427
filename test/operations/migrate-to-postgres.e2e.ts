import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import {
  type ApiKey,
  Client,
  type Document,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
} from '../support/client.js';
import { runCommand } from '../support/command.js';
import { createDatabase } from '../support/postgres.mjs';
import { isThorough } from '../support/repetitions.js';
import { Service } from '../support/service.js';
import { Sources } from '../support/sources.js';
import { sql } from '../support/sql.js';
import { serverUrl } from '../support/test-database.js';

const QUESTION = 'How long may customers return an order?';
const SECTIONS = 700;

const newDirectory = () => mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'move-'));
const move = (environment: NodeJS.ProcessEnv, more: NodeJS.ProcessEnv = {}) =>
  runCommand('operations/migrate-to-postgres.command.js', { ...environment, ...more });
const dieAt = (statement: string, nth = 1) => ({
  NODE_OPTIONS: '--import=./test/support/die-at-statement.mjs',
  DIE_AT_STATEMENT: statement,
  DIE_AT_OCCURRENCE: String(nth),
});

/** The rows of console.table that the command ends with. */
const counts = (output: string): Record<string, [number, number]> =>
  Object.fromEntries(
    [...output.matchAll(/│ '(\w+)' +│ (\d+) +│ (\d+) +│/g)].map(([, table, ...numbers]) => [
      String(table),
      numbers.map(Number) as [number, number],
    ]),
  );

describe('the move to PostgreSQL', () => {
  const DATA_DIR = newDirectory();
  let kb: KnowledgeBase;
  let active: IssuedApiKey;
  let rotated: IssuedApiKey;
  let successor: IssuedApiKey;
  let revoked: IssuedApiKey;
  let deleted: IssuedApiKey;
  /** Large enough that it is a file of DATA_DIR. */
  let original: { path: string; text: string };
  let paths: string[];
  let before: unknown[];
  let found: string[];

  const read = (as: Client) =>
    Promise.all(paths.map(async (path) => (await as.get<unknown>(path)).body));
  const texts = async (as: Client, secret: string, question: string) =>
    (await as.query(secret, question, { top_k: 10 })).body.results.map(({ text }) => text);

  beforeAll(async () => {
    const service = await Service.start({ DATA_DIR });
    const alice = new Client(service, 'alice');
    const partner = new Client(service);
    kb = await alice.createKnowledgeBase('Zürich 知识库 “quoted” \\ 🙂');
    await alice.call('PUT', `/kbs/${kb.id}/members/bob`, { role: 'member' });
    await alice.call('PATCH', `/kbs/${kb.id}/settings`, { top_k: 7, allowed_origins: [] });
    const expires_at = '2099-12-31T23:59:59.123Z';
    await alice.createWebhook(kb.id, 'https://receiver.invalid/hook', 'api_key.revoked');
    active = await alice.createApiKey(kb.id, { allowed_ips: ['127.0.0.0/8'], expires_at });
    rotated = await alice.createApiKey(kb.id);
    successor = (await alice.post<IssuedApiKey>(`/api-keys/${rotated.id}/rotate`, {})).body;
    revoked = await alice.createApiKey(kb.id);
    deleted = await alice.createApiKey(kb.id);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await alice.call('DELETE', `/api-keys/${deleted.id}`);
    const returns = await alice.addDocument(kb.id, {
      title: 'Returns',
      text: 'Customers may return any order within 30 days.',
      external_id: 'returns',
      metadata: { audience: 'customers', pages: [1, 2.5, null], nested: { yes: true } },
    });
    const sections = Array.from(
      { length: SECTIONS },
      (_, n) =>
        `# Part ${n}\n\nWord${n} and orders, said ${n % 7} times${' orders'.repeat(n % 7)}.`,
    );
    const text = sections.join('\n\n') + '\n'.repeat(64 * 1024);
    const long = await alice.addDocument(kb.id, {
      title: 'Long',
      mime_type: 'text/markdown',
      text,
    });
    original = { path: `/documents/${long.id}/original`, text };
    const gone = await alice.addDocument(kb.id, { title: 'Gone', text: 'Penguins return.' });
    await alice.call('DELETE', `/documents/${gone.id}`);
    const chat = await partner.chat(active.api_key, QUESTION, { end_user_id: 'u-1' });
    await partner.query(rotated.api_key, QUESTION);
    found = await texts(partner, active.api_key, 'orders and word13');
    paths = [
      '/kbs',
      `/kbs/${kb.id}`,
      `/kbs/${kb.id}/members`,
      `/kbs/${kb.id}/settings`,
      `/kbs/${kb.id}/api-keys`,
      `/kbs/${kb.id}/webhooks`,
      `/kbs/${kb.id}/audit-events`,
      `/kbs/${kb.id}/documents`,
      `/documents/${returns.id}/chunks`,
      `/documents/${long.id}/chunks?limit=100`,
      `/kbs/${kb.id}/conversations`,
      `/conversations/${chat.body.conversation_id}/messages`,
    ];
    await service.stop();
    // Uses are written down at the stop: what is compared is read after it.
    const again = await Service.start({ DATA_DIR });
    before = await read(new Client(again, 'alice'));
    await again.stop();
    await sql({ DATA_DIR }, `UPDATE knowledge_bases SET search_place = 'own'`);
  });

  it('takes all rows along, and every key goes on as it was, wherever it was cut off', async () => {
    const environment = { DATA_DIR, DATABASE_URL: await createDatabase(serverUrl()) };
    const cuts = [
      ['CREATE TABLE embedded_copy', 1],
      ['INSERT INTO "documents"', 1],
      ['INSERT INTO "passages"', 2],
      ['INSERT INTO search_', 2],
      ['DROP TABLE', 1],
    ] as const;
    // Before a release at each of them.
    for (const [statement, nth] of cuts.filter((_, n) => isThorough || n % 2 === 0)) {
      const { code } = await move(environment, dieAt(statement, nth));
      expect([statement, code]).toEqual([statement, null]);
      if (statement.startsWith('CREATE')) continue;
      // Nobody takes half a copy for the whole.
      const refusal = await Service.refusal(environment);
      expect([refusal.code, refusal.output.trim()]).toEqual([
        1,
        'The database of DATABASE_URL is an unfinished copy; run `npm run migrate:to-postgres` again to finish it',
      ]);
    }
    const { code, output } = await move(environment);
    expect([code, output]).toEqual([0, expect.stringContaining('keep DATA_DIR as it is')]);

    const file = new Database(join(DATA_DIR, 'latchkey.sqlite'), { readonly: true });
    // Vectors are made anew in the background, and the target has its schema from its own migrations.
    const tables = file
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table'
         AND name NOT LIKE 'sqlite_%'
         AND name NOT IN ('migrations', 'passage_vectors', 'vector_counts', 'document_vectors')`,
      )
      .pluck()
      .all();
    const expected = tables.map((table) => {
      const rows = file.prepare<[], number>(`SELECT COUNT(*) FROM "${table}"`).pluck().get() ?? 0;
      return [table, [rows, rows]] as const;
    });
    file.close();
    expect(counts(output)).toEqual(Object.fromEntries(expected));
    expect(Object.keys(counts(output)).length).toBeGreaterThan(10);
    expect(counts(output)['passages']?.[0]).toBe(SECTIONS + 1);

    // It is looked up where all others are, of which a cluster has an index.
    const places = await sql(environment, 'SELECT search_place AS place FROM knowledge_bases');
    expect(places).toEqual([{ place: 'preparing' }]);

    const moved = await Service.start(environment);
    const alice = new Client(moved, 'alice');
    const partner = new Client(moved);
    expect(await read(alice)).toEqual(before);
    expect((await alice.get(original.path)).text).toBe(original.text);
    expect(await texts(partner, active.api_key, 'orders and word13')).toEqual(found);
    expect(found).toHaveLength(10);
    const uses: string[] = [];
    for (const key of [active, rotated, successor, revoked, deleted]) {
      uses.push(outcome(await partner.query(key.api_key, QUESTION)));
    }
    expect(uses).toEqual(['200', '200', '200', '401 api_key_revoked', '401 invalid_api_key']);
    // By the pepper that came along, not by bcrypt: nothing was rewritten.
    const peppers = await sql<{ pepper_id: string }>(
      environment,
      'SELECT DISTINCT pepper_id FROM api_keys',
    );
    expect(peppers).toEqual([{ pepper_id: expect.stringMatching(/^file-/) }]);
    // Numbers go on behind those that were ever given.
    const added = await alice.addDocument(kb.id, { title: 'New', text: 'Walruses stay.' });
    expect(added.status).toBe('ready');
    expect(await texts(partner, active.api_key, 'walruses')).toEqual(['Walruses stay.']);
    const [numbers] = await sql<{ first: number }>(
      environment,
      `SELECT number::int AS first FROM passages WHERE document_id = '${added.id}'`,
    );
    expect(numbers?.first).toBe(SECTIONS + 3);
    const { body: key } = await alice.get<ApiKey>(`/api-keys/${active.id}`);
    expect(key.expires_at).toBe(active.expires_at);
    expect((await alice.call<Document>('DELETE', `/kbs/${kb.id}`)).status).toBe(200);
    await moved.stop();

    expect(await move(environment)).toMatchObject({
      code: 1,
      output: expect.stringContaining('is not empty'),
    });
  });

  it('is refused while a service has the source open', async () => {
    const service = await Service.start({ DATA_DIR: newDirectory() });
    const DATABASE_URL = await createDatabase(serverUrl());
    const answer = await move({ ...service.environment, DATABASE_URL });
    expect(answer).toEqual({
      code: 1,
      output: expect.stringMatching(/^A service has .* open; .*\n$/),
    });
    await service.stop();
  });

  it('is not gone on with once the source was used again', async () => {
    const service = await Service.start({ DATA_DIR: newDirectory() });
    const { id } = await new Client(service, 'alice').createKnowledgeBase();
    await service.stop();
    const environment = { ...service.environment, DATABASE_URL: await createDatabase(serverUrl()) };
    await move(environment, dieAt('INSERT INTO "knowledge_base_members"'));
    const again = await Service.start(service.environment);
    await new Client(again, 'alice').call('DELETE', `/kbs/${id}`);
    await again.stop();
    const { code, output } = await move(environment);
    expect([code, output]).toEqual([1, expect.stringContaining('before it was used again')]);
  });

  it('is refused when a pepper at hand would be left behind', async () => {
    const API_KEY_PEPPERS = `other:${Buffer.alloc(32, 7).toString('base64')}`;
    const DATABASE_URL = await createDatabase(serverUrl());
    const { code, output } = await move({ DATA_DIR, DATABASE_URL, API_KEY_PEPPERS });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^API_KEY_PEPPERS lacks the pepper file-\w+, on which \d+ keys depend/),
    ]);
  });

  it('is refused when the credentials of sources would be left behind', async () => {
    const service = await Service.start({ DATA_DIR: newDirectory() });
    const alice = new Client(service, 'alice');
    const sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
    const config = { endpoint: 'https://s3.invalid', bucket: 'handbook' };
    const credentials = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'secret' };
    await sources.connect('s3', config, { credentials });
    await service.stop();
    const API_KEY_PEPPERS = `other:${Buffer.alloc(32, 7).toString('base64')}`;
    const DATABASE_URL = await createDatabase(serverUrl());
    const { code, output } = await move({ ...service.environment, DATABASE_URL, API_KEY_PEPPERS });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^API_KEY_PEPPERS lacks the pepper file-\w+, under which 1 secrets of sources are encrypted/,
      ),
    ]);
  });

  it('is refused when the source is of another version, and leaves the target empty', async () => {
    const service = await Service.start({ DATA_DIR: newDirectory() });
    await service.stop();
    await sql(
      service.environment,
      'DELETE FROM migrations WHERE id = (SELECT MAX(id) FROM migrations)',
    );
    const environment = { ...service.environment, DATABASE_URL: await createDatabase(serverUrl()) };
    const { code, output } = await move(environment);
    expect([code, output]).toEqual([1, expect.stringContaining('another version')]);
    const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`;
    expect(await sql(environment, tables)).toEqual([]);
  });

  it.each([
    ['without DATABASE_URL', { DATA_DIR }, 'DATABASE_URL must name'],
    [
      'without a source',
      { DATA_DIR: newDirectory(), DATABASE_URL: serverUrl() },
      'There is no database',
    ],
  ])('is refused %s', async (_, environment, reason) => {
    const { code, output } = await move(environment);
    expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
  });
});
