import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey, outcome } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

const QUESTION = 'How long may customers return an order?';
const TEXTS = [
  'Customers may return an order within 30 days of delivery.',
  'To return an order, customers of the shop for lamps ask how long its box was open.',
];
const FILTER = { type: 'eq', key: 'language', value: 'de' };
const json = engine === 'postgres' ? 'jsonb' : 'text';

/** As the database was before the migration. */
const FORMER = [
  'kb_id varchar REFERENCES knowledge_bases (id) ON DELETE CASCADE',
  'service_account_id varchar REFERENCES service_accounts (id) ON DELETE CASCADE',
  "scopes text NOT NULL DEFAULT 'query,chat,feedback'",
  `filter ${json}`,
]
  .map((column) => `ALTER TABLE api_keys ADD COLUMN ${column}`)
  .concat(
    `CREATE TABLE api_key_knowledge_bases (
      api_key_id varchar NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      kb_id varchar NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
      position integer NOT NULL, scopes text NOT NULL, filter ${json}, PRIMARY KEY (api_key_id, kb_id))`,
    `UPDATE api_keys SET service_account_id = owner_id, scopes = management_scopes
      WHERE owner_type = 'service_account'`,
    `UPDATE api_keys SET kb_id = owner_id,
      scopes = (SELECT scopes FROM api_key_grants WHERE key_id = id AND kb_id = owner_id),
      filter = (SELECT filter FROM api_key_grants WHERE key_id = id AND kb_id = owner_id)
      WHERE owner_type = 'knowledge_base'`,
    `INSERT INTO api_key_knowledge_bases (api_key_id, kb_id, position, scopes, filter)
      SELECT key_id, opened.kb_id, position, opened.scopes, opened.filter
      FROM api_key_grants opened JOIN api_keys ON id = key_id AND owner_id <> opened.kb_id`,
    'DROP TABLE api_key_grants',
    `DELETE FROM migrations WHERE name LIKE 'GrantsOfKeys%'`,
  );

describe('the grants of keys', () => {
  let service: Service;
  let alice: Client;
  const run = (statement: string) => sql<Record<string, unknown>>(service.environment, statement);
  const ask = async ({ api_key: secret }: IssuedApiKey) => {
    const answer = await new Client(service).query(secret, QUESTION);
    return answer.status === 200
      ? answer.body.results.map(({ kb_id: id }) => id).sort()
      : outcome(answer);
  };
  const issue = async (...kbs: readonly object[]) =>
    (await alice.post<IssuedApiKey>('/api-keys', { name: 'Shared', environment: 'live', kbs }))
      .body;
  const countKeys = async (ownerId: string) =>
    (await run(`SELECT id FROM api_keys WHERE owner_id = '${ownerId}'`)).length;

  beforeAll(async () => {
    service = await Service.start({});
    alice = new Client(service, 'alice');
  });
  afterAll(() => service.stop());

  it('are made of what an installation before them has stored', async () => {
    const [shop, lamps] = [await alice.createKnowledgeBase(), await alice.createKnowledgeBase()];
    const metadata = { language: 'en' };
    for (const [index, { id }] of [shop, lamps].entries()) {
      await alice.addDocument(id, { title: 'Returns', text: TEXTS[index], metadata });
    }
    const plain = await alice.createApiKey(shop.id, { scopes: ['query', 'documents:write'] });
    const restricted = await alice.createApiKey(shop.id, { filter: FILTER });
    const shared = await issue(
      { kb_id: lamps.id, scopes: ['query'] },
      { kb_id: shop.id, scopes: ['query', 'chat'], filter: FILTER },
    );
    const taken = await issue({ kb_id: lamps.id, filter: FILTER }, { kb_id: shop.id });
    await alice.call('DELETE', `/kbs/${lamps.id}/api-keys/${taken.id}`);
    const rotated = await issue({ kb_id: lamps.id }, { kb_id: shop.id });
    const { body: successor } = await alice.post<IssuedApiKey>(
      `/api-keys/${rotated.id}/rotate`,
      {},
    );
    const deleted = await issue({ kb_id: shop.id }, { kb_id: lamps.id });
    await alice.call('DELETE', `/api-keys/${deleted.id}`);
    const account = await alice.createServiceAccount(shop.id);
    const managing = await alice.createManagementKey(account.id, ['keys:read', 'audit:read']);
    await alice.createTrustedIssuer(shop.id);
    const keys = [plain, restricted, shared, taken, rotated, successor, deleted];
    const read = async (path: string) => {
      const { status, text } = await alice.get(path);
      const shown = text.replace(/"last_used_at":("[^"]*"|null)/g, '"last_used_at":0');
      return [path, status, shown.replace(/"request_id":"[^"]*"/, '"request_id":""')];
    };
    const state = async () => ({
      found: await Promise.all(keys.map(ask)),
      managed: outcome(
        await new Client(service).call('GET', `/kbs/${shop.id}/api-keys`, undefined, {
          authorization: `Bearer ${managing.api_key}`,
        }),
      ),
      shown: await Promise.all([
        ...[shop, lamps].map(({ id }) => read(`/kbs/${id}/api-keys?limit=100`)),
        ...[...keys, managing].map(({ id }) => read(`/api-keys/${id}`)),
        read(`/service-accounts/${account.id}/api-keys`),
        read(`/kbs/${shop.id}/trusted-issuers`),
      ]),
    });
    const before = await state();
    const both = [lamps.id, shop.id].sort();
    expect(before).toMatchObject({
      found: [[shop.id], [], [lamps.id], [shop.id], both, both, '401 invalid_api_key'],
      managed: '200',
    });

    await service.stop();
    if (engine === 'sqlite') {
      for (const { name } of await run(
        `SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%owner_id%'`,
      )) {
        await run(`DROP INDEX "${String(name)}"`);
      }
    }
    for (const statement of FORMER) await run(statement);
    for (const column of ['owner_type', 'owner_id', 'management_scopes']) {
      await run(`ALTER TABLE api_keys DROP COLUMN ${column}`);
    }
    service = await Service.start(service.environment);
    alice = new Client(service, 'alice');
    expect(await state()).toEqual(before);

    // The migrated rows can be changed and extended as any other.
    const change = { scopes: ['query', 'chat'], filter: null };
    expect(outcome(await alice.call('PATCH', `/api-keys/${restricted.id}`, change))).toBe('200');
    expect(await ask(restricted)).toEqual([shop.id]);
    await alice.call('DELETE', `/kbs/${lamps.id}/api-keys/${successor.id}`);
    expect([await ask(rotated), await ask(successor)]).toEqual([[shop.id], [shop.id]]);
    await alice.createApiKey(shop.id);
  });

  it('end with their knowledge base, and the keys that it owns with it', async () => {
    const [owner, other] = [await alice.createKnowledgeBase(), await alice.createKnowledgeBase()];
    for (const [index, { id }] of [owner, other].entries()) {
      await alice.addDocument(id, { title: 'Returns', text: TEXTS[index] });
    }
    const owned = await issue({ kb_id: owner.id }, { kb_id: other.id });
    const opening = await issue({ kb_id: other.id }, { kb_id: owner.id });
    expect(await ask(opening)).toHaveLength(2);
    await alice.call('DELETE', `/kbs/${owner.id}`);
    expect([await ask(owned), await ask(opening)]).toEqual(['401 invalid_api_key', [other.id]]);
    await eventually(async () => (await countKeys(owner.id)) === 0);
    expect(await run(`SELECT kb_id FROM api_key_grants WHERE key_id = '${owned.id}'`)).toEqual([]);
    expect(await ask(opening)).toEqual([other.id]);
    expect(await countKeys(other.id)).toBe(1);
  });

  it('are none for keys of a service account, which are deleted with it', async () => {
    const { id } = await alice.createServiceAccount();
    const { id: keyId } = await alice.createManagementKey(id, ['keys:read']);
    expect(await run(`SELECT kb_id FROM api_key_grants WHERE key_id = '${keyId}'`)).toEqual([]);
    expect(await countKeys(id)).toBe(1);
    await alice.call('DELETE', `/service-accounts/${id}`);
    expect(await countKeys(id)).toBe(0);
  });
});
