import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { withChecksum } from '../support/api-key-secret.js';
import { type Answer, Client, outcome } from '../support/client.js';
import { eventually, Service } from '../support/service.js';

const QUESTION = 'How long may customers return an order?';
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const PEPPER_FILE = 'api-key-pepper';

describe('a secret', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
  });

  afterAll(() => service.stop());

  it('is readable by its owner alone if it is the service’s own', () => {
    const { mode } = statSync(join(service.dataDir, PEPPER_FILE));
    expect((mode & 0o777).toString(8)).toBe('600');
  });

  it('is in no log line if it was put into the address by mistake', async () => {
    const alice = new Client(service, 'alice');
    const { api_key: secret } = await alice.createApiKey((await alice.createKnowledgeBase()).id);
    const answers = [
      await alice.post(`/query?api_key=${secret}`, { message: QUESTION }),
      await alice.call('PATCH', `/api-keys/${secret}/revoke`),
    ];
    const ids = answers.map(({ headers }) => String(headers.get('x-request-id')));
    await eventually(() => ids.every((id) => service.logs.includes(id)));
    expect(answers.map(outcome)).toEqual(['401 api_key_required', '404 not_found']);
    const leaks = service.logs.split('\n').filter((line) => line.includes(secret));
    expect(leaks).toEqual([]);
  });

  // Last, since it ends the service and looks at what is left.
  it('is in no log line, no problem and no file', async () => {
    const alice = new Client(service, 'alice');
    const partner = new Client(service);
    const kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, DOCUMENT);
    const keys = [
      await alice.createApiKey(kb.id),
      await alice.createApiKey(kb.id, { environment: 'test' }),
      await alice.createApiKey(kb.id),
    ];
    const [used, revoked, deleted] = keys.map((key) => key.api_key) as [string, string, string];
    await alice.call('PATCH', `/api-keys/${String(keys[1]?.id)}/revoke`);
    await alice.call('DELETE', `/api-keys/${String(keys[2]?.id)}`);
    const forged = withChecksum(used.slice(0, 19) + 'z'.repeat(32));

    const answers: Answer<unknown>[] = [];
    for (const secret of [used, revoked, deleted, forged]) {
      answers.push(
        await partner.query(secret, QUESTION),
        await partner.chat(secret, QUESTION),
        await partner.query(secret, ''),
        await partner.query([secret], QUESTION),
        await partner.query(`${secret}x`, QUESTION),
        await partner.post('/chat', `{"api_key":"${secret}","message":`),
        await partner.post('/query', `{"api_key":"${secret}","__proto__":1}`),
        await partner.post('/query', { api_key: secret }, { 'content-type': 'text/plain' }),
        await partner.post('/query', { message: QUESTION }, { authorization: `Bearer ${secret}` }),
        await alice.post(`/kbs/${kb.id}/api-keys`, { name: 'x', environment: secret }),
        await alice.post('/kbs', { name: 'x', api_key: secret }),
      );
    }
    const pepper = readFileSync(join(service.dataDir, PEPPER_FILE), 'utf8').trim();
    const database = await dump(service);
    await service.stop();

    const files = filesBelow(service.dataDir);
    expect(files.length).toBeGreaterThan(service.environment['DATABASE_URL'] ? 0 : 1);
    const told = [service.logs, database, ...answers.map(({ text }) => text)];
    const kept = files
      .filter((file) => !file.endsWith(PEPPER_FILE))
      .map((file) => readFileSync(file, 'latin1'));
    expect(service.logs).toContain('/api/v1/query');
    for (const secret of [used, revoked, deleted, forged, `p1:${pepper.split(':')[1] ?? ''}`]) {
      // Behind the prefix, which is shown, a secret has nothing that may be seen.
      const hidden = secret.startsWith('rag_') ? secret.slice(19) : secret.slice(3);
      expect(hidden.length).toBeGreaterThan(30);
      expect([...told, ...kept].filter((text) => text.includes(hidden))).toEqual([]);
    }
  });
});

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every row of every table, where the database is a server; its files are none of ours. */
async function dump({ environment }: Service): Promise<string> {
  const connectionString = environment['DATABASE_URL'];
  if (connectionString === undefined) return '';
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const rows: string[] = [];
    for (const { name } of tables.rows) {
      const result = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      rows.push(...result.rows.map(({ row }) => row));
    }
    expect(rows.join('\n')).toContain('key_');
    return rows.join('\n');
  } finally {
    await client.end();
  }
}
