import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKey, Client, type IssuedApiKey, outcome, type Page } from '../support/client.js';
import { newUserId, type SharedService, sharedService } from '../support/shared-service.js';

describe('the list of API keys, searched', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;
  let keys: IssuedApiKey[];

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
    keys = [
      await alice.createApiKey(kbId, { name: 'Shop backend' }),
      await alice.createApiKey(kbId, { name: 'shop app', environment: 'test' }),
      await alice.createApiKey(kbId, { name: '100% of_it \\' }),
    ];
  });

  const search = (q: string, more = '') =>
    alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys?q=${encodeURIComponent(q)}${more}`);
  const found = async (q: string, more?: string) =>
    (await search(q, more)).body.data.map(({ name }) => name);

  it.each([
    ['shop', ['shop app', 'Shop backend']],
    ['BACK', ['Shop backend']],
    ['%', ['100% of_it \\']],
    ['f_i', ['100% of_it \\']],
    ['\\', ['100% of_it \\']],
    ["' OR 1=1 --", []],
    ['rag_test_', ['shop app']],
  ])('has what contains %j in its name or prefix', async (q, names) => {
    expect(await found(q)).toEqual(names);
  });

  it('is searched together with its filters, page by page', async () => {
    expect(await found('shop', '&environment=live&active=true')).toEqual(['Shop backend']);
    const { body } = await search('shop', '&limit=1');
    expect(body).toMatchObject({ total: 2, has_more: true, data: [{ name: 'shop app' }] });
    expect(await found('shop', `&limit=1&cursor=${String(body.next_cursor)}`)).toEqual([
      'Shop backend',
    ]);
  });

  it('finds a key by any part of its prefix', async () => {
    for (const { prefix, name } of keys) {
      expect(await found(prefix)).toEqual([name]);
      expect(await found(prefix.slice(9))).toEqual([name]);
    }
  });

  it('takes only the prefix of a key that is pasted as a whole, and keeps it out of log and answer', async () => {
    for (const { api_key: secret, name } of keys) {
      for (const q of [secret, ` ${secret}\n`, `Authorization: Bearer ${secret}`]) {
        const answer = await search(q);
        expect(answer.body.data.map((key) => key.name)).toEqual([name]);
        expect(answer.text).not.toContain(secret.slice(-20));
      }
      // The secret proves nothing here: with another end it finds the same.
      expect(await found(`${secret.slice(0, -20)}${'x'.repeat(20)}`)).toEqual([name]);
      expect(service.logs).not.toContain(secret.slice(-20));
    }
    const refused = await search(`${'x'.repeat(250)}${keys[0]?.api_key ?? ''}`);
    expect(outcome(refused)).toBe('400 validation_failed');
    expect(refused.text).not.toContain(keys[0]?.api_key.slice(-20));
  });

  it.each(['', 'x'.repeat(256), '%00'])('refuses %j', async (q) => {
    const answer = await alice.get(`/kbs/${kbId}/api-keys?q=${q}`);
    expect(outcome(answer)).toBe('400 validation_failed');
  });
});
