import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKey, Client, type IssuedApiKey, outcome, type Page } from '../support/client.js';
import { eventually } from '../support/service.js';
import { furnish } from '../support/furnish.js';
import { newUserId } from '../support/shared-service.js';

const QUESTION = 'How long may customers return an order?';
const GERMAN = { type: 'eq', key: 'language', value: 'de' };
const DAY_MS = 24 * 3_600_000;

describe('a restricted key', () => {
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ alice, partner, kbId } = await furnish());
    for (const language of ['de', 'en']) {
      await alice.addDocument(kbId, {
        title: `Returns (${language})`,
        text: `Customers may return an order within 30 days. This is the ${language} version.`,
        metadata: { language },
      });
    }
  });

  const create = (more: object) =>
    alice.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, {
      name: 'Restricted',
      environment: 'live',
      ...more,
    });
  const patch = (key: ApiKey, body: object) =>
    alice.call<ApiKey>('PATCH', `/api-keys/${key.id}`, body);
  const titles = async (secret: string, more: object = {}) =>
    (await partner.query(secret, QUESTION, more)).body.results.map((one) => one.document_title);

  describe('scopes', () => {
    it('are query, chat and feedback unless given, and stand in the object and in lists', async () => {
      const scopes = ['query', 'chat', 'feedback'];
      const { body: key } = await create({});
      expect(key).toMatchObject({ scopes, filter: null });
      const { body: list } = await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys`);
      expect(list.data.find(({ id }) => id === key.id)).toMatchObject({ scopes, filter: null });
    });

    it.each([
      ['query', '/query'],
      ['chat', '/chat'],
      ['feedback', '/messages/msg_01kafdp6ygf4rs4s2cr5cvzwkc/feedback'],
    ])('without %s, %s is refused', async (scope, path) => {
      const others = ['query', 'chat', 'feedback'].filter((one) => one !== scope);
      const { body: key } = await create({ scopes: others });
      const answer = await partner.post<{ detail: string }>(path, { api_key: key.api_key });
      expect(outcome(answer)).toBe('403 insufficient_scope');
      expect(answer.body.detail).toContain(scope);
      const { body: only } = await create({ scopes: [scope] });
      const allowed = await partner.post(path, {
        api_key: only.api_key,
        message: QUESTION,
        rating: 'up',
      });
      expect(outcome(allowed)).not.toBe('403 insufficient_scope');
    });

    it('are asked before the body is validated, and a refusal is no use', async () => {
      const key = await alice.createApiKey(kbId, { scopes: ['query'] });
      const answer = await partner.post('/chat', { api_key: key.api_key, unknown: 1 });
      expect(outcome(answer)).toBe('403 insufficient_scope');
      const refused = async () => {
        const { body } = await alice.get<{
          data: { api_key_id: string; totals: { refused: number } }[];
        }>(`/kbs/${kbId}/analytics?group_by=api_key`);
        return body.data.find(({ api_key_id: id }) => id === key.id)?.totals.refused;
      };
      await eventually(async () => (await refused()) === 1);
      const { body } = await alice.get<ApiKey>(`/api-keys/${key.id}`);
      expect(body.last_used_at).toBeNull();
    });

    it.each([
      ['none', []],
      ['null', null],
      ['one twice', ['query', 'query']],
      ['an unknown one', ['query', 'admin']],
      ['text', 'query'],
      ['a list in a list', [['query']]],
    ])('%s: refused', async (_, scopes) => {
      const key = await alice.createApiKey(kbId);
      expect(outcome(await create({ scopes }))).toBe('400 validation_failed');
      expect(outcome(await patch(key, { scopes }))).toBe('400 validation_failed');
      expect((await alice.get<ApiKey>(`/api-keys/${key.id}`)).body).toMatchObject({
        scopes: ['query', 'chat', 'feedback'],
      });
      await alice.call('DELETE', `/api-keys/${key.id}`);
    });

    it('can be changed, from the next request on', async () => {
      const key = await alice.createApiKey(kbId);
      expect(outcome(await partner.query(key.api_key, QUESTION))).toBe('200');
      expect((await patch(key, { scopes: ['chat'] })).body).toMatchObject({ scopes: ['chat'] });
      expect(outcome(await partner.query(key.api_key, QUESTION))).toBe('403 insufficient_scope');
      expect((await patch(key, { name: 'Renamed' })).body).toMatchObject({ scopes: ['chat'] });
    });
  });

  describe('its filter', () => {
    it('holds beside the filter of the request, whatever that says', async () => {
      const key = await alice.createApiKey(kbId, { filter: GERMAN });
      expect(key).toMatchObject({ filter: GERMAN });
      expect(await titles(key.api_key)).toEqual(['Returns (de)']);
      const filters = [
        { type: 'eq', key: 'language', value: 'en' },
        { type: 'or', filters: [GERMAN, { type: 'ne', key: 'language', value: 'de' }] },
        { type: 'ne', key: 'nothing', value: 1 },
      ];
      const found = await Promise.all(filters.map((filter) => titles(key.api_key, { filter })));
      expect(found).toEqual([[], ['Returns (de)'], ['Returns (de)']]);
    });

    it('holds for the sources of an answer', async () => {
      const key = await alice.createApiKey(kbId, { filter: GERMAN });
      const { body } = await partner.chat(key.api_key, QUESTION);
      expect(body.sources.length).toBeGreaterThan(0);
      expect(body.answer).not.toContain('en version');
      expect(JSON.stringify(body.sources)).not.toContain('en version');
      const { body: other } = await partner.chat(key.api_key, 'What is the en version?', {
        filter: { type: 'eq', key: 'language', value: 'en' },
      });
      expect([other.answered, other.sources]).toEqual([false, []]);
    });

    it('can be changed and removed', async () => {
      const key = await alice.createApiKey(kbId, { filter: GERMAN });
      const english = { type: 'eq', key: 'language', value: 'en' };
      expect((await patch(key, { filter: english })).body).toMatchObject({ filter: english });
      expect(await titles(key.api_key)).toEqual(['Returns (en)']);
      expect((await patch(key, { filter: null })).body).toMatchObject({ filter: null });
      expect((await titles(key.api_key)).length).toBe(2);
    });

    it.each([
      ['an empty object', {}],
      ['text', 'language'],
      ['four levels', nested(4)],
      ['21 conditions', { type: 'and', filters: Array.from({ length: 21 }, () => GERMAN) }],
      ['an unknown field', { ...GERMAN, constructor: 1 }],
    ])('%s: refused', async (_, filter) => {
      expect(outcome(await create({ filter }))).toBe('400 validation_failed');
      const key = await alice.createApiKey(kbId, { filter: GERMAN });
      expect(outcome(await patch(key, { filter }))).toBe('400 validation_failed');
      expect((await alice.get<ApiKey>(`/api-keys/${key.id}`)).body.filter).toEqual(GERMAN);
    });

    it('excludes the scope documents:write, also one after the other', async () => {
      const both = { filter: GERMAN, scopes: ['documents:write'] };
      expect(outcome(await create(both))).toBe('400 validation_failed');
      const filtered = await alice.createApiKey(kbId, { filter: GERMAN });
      expect(outcome(await patch(filtered, { scopes: ['documents:write'] }))).toBe(
        '400 validation_failed',
      );
      const writing = await alice.createApiKey(kbId, { scopes: ['documents:write'] });
      expect(outcome(await patch(writing, { filter: GERMAN }))).toBe('400 validation_failed');
      const changed = await patch(writing, { filter: GERMAN, scopes: ['documents:read'] });
      expect(outcome(changed)).toBe('200');
    });
  });

  it('hands both on to its successor, and keeps them when its secret is issued again', async () => {
    const restriction = { filter: GERMAN, scopes: ['query'] };
    const header = { 'idempotency-key': newUserId('again') };
    const body = { name: 'Twice', environment: 'live', ...restriction };
    await alice.post(`/kbs/${kbId}/api-keys`, body, header);
    const { body: key } = await alice.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, body, header);
    expect(key).toMatchObject(restriction);
    const { body: successor } = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
    expect(successor).toMatchObject(restriction);
    expect(await titles(successor.api_key)).toEqual(['Returns (de)']);
    expect(outcome(await partner.chat(successor.api_key, QUESTION))).toBe('403 insufficient_scope');
  });

  describe('key_max_age_days', () => {
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const daysLeft = ({ expires_at: end }: ApiKey) =>
      Math.round((Date.parse(String(end)) - Date.now()) / DAY_MS);

    it('ends new keys and successors, and leaves the others as they are', async () => {
      const kb = await alice.createKnowledgeBase();
      const before = await alice.createApiKey(kb.id);
      await alice.set(kb.id, { key_max_age_days: 30 });
      expect((await alice.get(`/kbs/${kb.id}/settings`)).body).toMatchObject({
        key_max_age_days: 30,
      });
      expect((await alice.get<ApiKey>(`/api-keys/${before.id}`)).body.expires_at).toBeNull();
      expect(daysLeft(await alice.createApiKey(kb.id))).toBe(30);
      expect(daysLeft(await alice.createApiKey(kb.id, { expires_at: null }))).toBe(30);
      expect(daysLeft(await alice.createApiKey(kb.id, { expires_at: inDays(10) }))).toBe(10);
      const { body: successor } = await alice.post<ApiKey>(`/api-keys/${before.id}/rotate`, {});
      expect(daysLeft(successor)).toBe(30);
      await alice.set(kb.id, { key_max_age_days: null });
      expect((await alice.createApiKey(kb.id)).expires_at).toBeNull();
    });

    it('refuses a later end', async () => {
      const kb = await alice.createKnowledgeBase();
      const old = await alice.createApiKey(kb.id);
      await alice.set(kb.id, { key_max_age_days: 30 });
      const later = await alice.post(`/kbs/${kb.id}/api-keys`, {
        name: 'Late',
        environment: 'live',
        expires_at: inDays(31),
      });
      expect(outcome(later)).toBe('400 validation_failed');
      const key = await alice.createApiKey(kb.id);
      for (const one of [old, key]) {
        for (const end of [null, inDays(31)]) {
          expect(outcome(await patch(one, { expires_at: end }))).toBe('400 validation_failed');
        }
      }
      expect(daysLeft((await patch(key, { expires_at: inDays(5) })).body)).toBe(5);
      expect(daysLeft((await patch(old, { expires_at: inDays(5) })).body)).toBe(5);
      expect((await patch(old, { name: 'Renamed' })).status).toBe(200);
    });

    it.each([0, 3651, 1.5, '30'])('%j is refused', async (days) => {
      const answer = await alice.call('PATCH', `/kbs/${kbId}/settings`, { key_max_age_days: days });
      expect(outcome(answer)).toBe('400 validation_failed');
    });
  });
});

function nested(depth: number): object {
  let filter: object = GERMAN;
  for (let level = 1; level < depth; level++) filter = { type: 'and', filters: [filter] };
  return filter;
}
