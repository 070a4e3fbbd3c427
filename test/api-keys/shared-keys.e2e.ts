import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKey, Client, type IssuedApiKey, outcome, type Page } from '../support/client.js';
import { furnish } from '../support/furnish.js';
import { eventually } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';

const QUESTION = 'How long may customers return an order?';
const RETURNS = 'Customers may return an order within 30 days of delivery.';
const WARRANTY = 'The warranty of a lamp ends two years after its purchase.';

interface Totals {
  readonly queries: number;
  readonly chats: number;
  readonly answered: number;
  readonly unanswered: number;
}

describe('a key for several knowledge bases', () => {
  let alice: Client;
  let bob: Client;
  let second: Client;
  let partner: Client;
  let userId: string;
  let shop: string;
  let lamps: string;
  /** Bob's alone. */
  let foreign: string;

  beforeAll(async () => {
    ({ alice, aliceOnSecond: second, partner, userId, kbId: shop } = await furnish());
    bob = new Client((await furnish()).service, newUserId('bob'));
    lamps = (await alice.createKnowledgeBase('Lamps')).id;
    foreign = (await bob.createKnowledgeBase('Foreign')).id;
    await alice.addDocument(shop, { title: 'Returns', text: RETURNS, metadata: { part: 'a' } });
    await alice.addDocument(lamps, { title: 'Warranty', text: WARRANTY, metadata: { part: 'b' } });
    await bob.addDocument(foreign, { title: 'Secret', text: 'Foreign customers return orders.' });
  });

  const create = (kbs: readonly object[], more: object = {}, client = alice) =>
    client.post<IssuedApiKey>('/api-keys', { name: 'Shared', environment: 'live', kbs, ...more });
  const issue = async (kbs: readonly object[], more: object = {}, client = alice) => {
    const answer = await create(kbs, more, client);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const both = () => issue([{ kb_id: shop }, { kb_id: lamps }]);
  const found = async (secret: string, message: string, more: object = {}) => {
    const answer = await partner.query(secret, message, more);
    return answer.status === 200 ? answer.body.results.map(({ kb_id }) => kb_id) : outcome(answer);
  };
  const remove = (kbId: string, key: ApiKey, client = alice) =>
    client.call('DELETE', `/kbs/${kbId}/api-keys/${key.id}`);

  it('answers the key with what it opens, the main one first', async () => {
    const filter = { type: 'eq', key: 'part', value: 'b' };
    const key = await issue([{ kb_id: shop }, { kb_id: lamps, scopes: ['query'], filter }]);
    const defaults = ['query', 'chat', 'feedback'];
    expect(key).toMatchObject({ kb_id: shop, scopes: defaults, filter: null });
    expect(key.kbs).toEqual([
      { kb_id: shop, scopes: defaults, filter: null },
      { kb_id: lamps, scopes: ['query'], filter },
    ]);
    const { body } = await alice.get<ApiKey>(`/api-keys/${key.id}`);
    expect(body.kbs).toEqual(key.kbs);
  });

  it('asks all of them, or those that are named', async () => {
    const key = await both();
    expect(await found(key.api_key, 'warranty, or return an order')).toEqual(
      expect.arrayContaining([shop, lamps]),
    );
    expect(await found(key.api_key, 'warranty, return', { kb_ids: [lamps] })).toEqual([lamps]);
    const { body } = await partner.chat(key.api_key, 'When does the warranty of a lamp end?');
    expect(body.answered).toBe(true);
    expect(body.sources.filter(({ cited }) => cited).map(({ kb_id }) => kb_id)).toEqual([lamps]);
  });

  it('does not find a knowledge base that it does not open', async () => {
    const key = await both();
    const single = await alice.createApiKey(shop);
    const absent = 'kb_01kafdp6ygf4rs4s2cr5cvzwkc';
    for (const kbId of [foreign, absent, 'nonsense']) {
      for (const secret of [key.api_key, single.api_key]) {
        expect(await found(secret, QUESTION, { kb_ids: [shop, kbId] })).toBe('404 not_found');
        const chat = await partner.chat(secret, QUESTION, { kb_ids: [kbId] });
        expect(outcome(chat)).toBe('404 not_found');
      }
    }
    expect(await found(single.api_key, QUESTION, { kb_ids: [shop] })).toEqual([shop]);
  });

  it.each([
    ['none', []],
    ['null', null],
    ['a number', [1]],
    ['too many', Array.from({ length: 21 }, (_, index) => `kb_${index}`)],
  ])('refuses kb_ids: %s', async (_, kb_ids) => {
    const key = await both();
    expect(await found(key.api_key, QUESTION, { kb_ids })).toBe('400 validation_failed');
  });

  it('is not made for a knowledge base of others, nor for one that its maker may only read', async () => {
    expect(outcome(await create([{ kb_id: shop }, { kb_id: foreign }]))).toBe('404 not_found');
    expect(outcome(await create([{ kb_id: foreign }, { kb_id: shop }]))).toBe('404 not_found');
    const reader = newUserId('reader');
    const asReader = new Client((await furnish()).service, reader);
    const own = (await asReader.createKnowledgeBase()).id;
    await alice.call('PUT', `/kbs/${shop}/members/${reader}`, { role: 'viewer' });
    const kbs = [{ kb_id: own }, { kb_id: shop }];
    expect(outcome(await create(kbs, {}, asReader))).toBe('403 insufficient_role');
    const { body } = await asReader.get<Page<ApiKey>>(`/kbs/${own}/api-keys`);
    expect(body.data).toEqual([]);
  });

  it.each([
    ['no knowledge base', () => []],
    ['one twice', () => [{ kb_id: shop }, { kb_id: shop }]],
    ['a filter and documents:write', () => [{ kb_id: shop }, WRITES_FILTERED(lamps)]],
    ['an unknown field', () => [{ kb_id: shop, role: 'owner' }]],
  ])('refuses %s', async (_, kbs) => {
    expect(outcome(await create(kbs()))).toBe('400 validation_failed');
  });

  it('has scopes and a filter of its own in each', async () => {
    const key = await issue([
      { kb_id: shop, scopes: ['query'] },
      { kb_id: lamps, scopes: ['chat'], filter: { type: 'eq', key: 'part', value: 'x' } },
    ]);
    expect(await found(key.api_key, 'warranty, return an order')).toEqual([shop]);
    expect(await found(key.api_key, 'warranty', { kb_ids: [lamps] })).toBe(
      '403 insufficient_scope',
    );
    const { body } = await partner.chat(key.api_key, 'When does the warranty of a lamp end?');
    expect(body).toMatchObject({ answered: false, sources: [] });
    expect(body.related ?? []).toEqual([]);
  });

  it('goes on in a conversation with those that it began with', async () => {
    const key = await both();
    const { body: first } = await partner.chat(key.api_key, 'Tell me of the warranty of a lamp', {
      kb_ids: [lamps],
    });
    const { body: next } = await partner.chat(key.api_key, QUESTION, {
      conversation_id: first.conversation_id,
    });
    expect(next.sources.map(({ kb_id }) => kb_id)).not.toContain(shop);
    const { body: other } = await partner.chat(key.api_key, QUESTION, {
      conversation_id: first.conversation_id,
      kb_ids: [shop],
    });
    expect(other.sources.map(({ kb_id }) => kb_id)).toEqual([shop]);
  });

  it('counts in each that was asked, and its end user and tokens in the main one', async () => {
    const [one, two] = [await alice.createKnowledgeBase(), await alice.createKnowledgeBase()];
    const key = await issue([{ kb_id: one.id }, { kb_id: two.id }]);
    await partner.query(key.api_key, QUESTION);
    await partner.query(key.api_key, QUESTION, { kb_ids: [two.id] });
    await partner.chat(key.api_key, QUESTION, { end_user_id: 'customer-1' });
    const totals = async (kbId: string) =>
      (await alice.get<{ totals: Totals }>(`/kbs/${kbId}/analytics`)).body.totals;
    await eventually(async () => (await totals(two.id)).queries === 2);
    expect(await totals(one.id)).toMatchObject({ queries: 1, chats: 1, end_users: 1 });
    expect(await totals(two.id)).toMatchObject({ queries: 2, chats: 1, end_users: 0 });
  });

  it('counts a question as answered where the answer is from, and where none is as unanswered', async () => {
    const one = (await alice.createKnowledgeBase()).id;
    const key = await issue([{ kb_id: one }, { kb_id: lamps }]);
    const totals = async (kbId: string) =>
      (await alice.get<{ totals: Totals }>(`/kbs/${kbId}/analytics`)).body.totals;
    const before = await totals(lamps);
    const { body } = await partner.chat(key.api_key, 'When does the warranty of a lamp end?');
    expect(body.answered).toBe(true);
    await partner.chat(key.api_key, 'Do penguins sing on Mars?');
    expect(await totals(one)).toMatchObject({ chats: 2, answered: 0, unanswered: 1 });
    expect(await totals(lamps)).toMatchObject({
      answered: before.answered + 1,
      unanswered: before.unanswered + 1,
    });
  });

  it('keeps to the daily limit of each', async () => {
    const [one, two] = [await alice.createKnowledgeBase(), await alice.createKnowledgeBase()];
    const key = await issue([{ kb_id: one.id }, { kb_id: two.id }]);
    await alice.set(two.id, { daily_message_limit: 1 });
    expect(outcome(await partner.chat(key.api_key, QUESTION))).toBe('200');
    expect(outcome(await partner.chat(key.api_key, QUESTION))).toBe('429 daily_limit_reached');
    const named = { kb_ids: [one.id] };
    expect(outcome(await partner.chat(key.api_key, QUESTION, named))).toBe('200');
  });

  it('is refused from pages that one of them does not allow', async () => {
    const other = await alice.createKnowledgeBase();
    const key = await issue([{ kb_id: shop }, { kb_id: other.id }]);
    await alice.set(other.id, { allowed_origins: ['https://shop.example'] });
    const ask = (origin: string) =>
      partner.call('POST', '/query', { api_key: key.api_key, message: QUESTION }, { origin });
    expect(outcome(await ask('https://shop.example'))).toBe('200');
    expect(outcome(await ask('https://evil.example'))).toBe('403 origin_not_allowed');
  });

  describe('with owners of its own in each', () => {
    let shared: string;
    let key: IssuedApiKey;

    beforeAll(async () => {
      const carol = newUserId('carol');
      const asCarol = new Client((await furnish()).service, carol);
      shared = (await asCarol.createKnowledgeBase('Shared')).id;
      await asCarol.addDocument(shared, { title: 'Shared', text: RETURNS.toUpperCase() });
      await asCarol.call('PUT', `/kbs/${shared}/members/${userId}`, { role: 'member' });
      owner = asCarol;
    });
    let owner: Client;

    it('shows them the key, but not the knowledge bases that they may not see', async () => {
      key = await issue([{ kb_id: shop }, { kb_id: shared, scopes: ['query'] }]);
      const { body, text } = await owner.get<Page<ApiKey>>(`/kbs/${shared}/api-keys`);
      const [seen] = body.data;
      expect(seen).toMatchObject({ id: key.id, prefix: key.prefix, name: 'Shared' });
      expect(seen?.kbs).toEqual([{ kb_id: shared, scopes: ['query'], filter: null }]);
      expect(seen).toMatchObject({ kb_id: shared, scopes: ['query'] });
      expect(text).not.toContain(shop);
    });

    it('does not let members of one of them widen or rotate it', async () => {
      const helper = newUserId('helper');
      await alice.call('PUT', `/kbs/${shop}/members/${helper}`, { role: 'owner' });
      const asHelper = new Client((await furnish()).service, helper);
      const path = `/api-keys/${key.id}`;
      for (const answer of [
        await asHelper.call('PATCH', path, { allowed_ips: null }),
        await asHelper.call('PATCH', path, { scopes: ['query', 'documents:read'] }),
        await asHelper.post(`${path}/rotate`, {}),
      ]) {
        expect(outcome(answer)).toBe('403 insufficient_role');
      }
      expect(outcome(await owner.call('PATCH', path, { name: 'x' }))).toBe('404 not_found');
      expect(outcome(await owner.call('PATCH', `${path}/revoke`))).toBe('404 not_found');
    });

    it('is rotated with what it opens', async () => {
      const { body } = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
      expect(body.kbs).toEqual(key.kbs);
      expect(await found(body.api_key, QUESTION, { kb_ids: [shared] })).toEqual([shared]);
      key = { ...body, rotated_from: key.id, api_key: key.api_key };
    });

    it('loses one at once that its owner takes out, with its predecessors', async () => {
      expect(outcome(await remove(shared, key, alice))).toBe('403 owner_required');
      expect(outcome(await remove(shop, key, owner))).toBe('404 not_found');
      expect(outcome(await remove(shared, key, owner))).toBe('200');
      // The predecessor, which works until the end of its grace period.
      expect(await found(key.api_key, QUESTION, { kb_ids: [shared] })).toBe('404 not_found');
      expect(await found(key.api_key, QUESTION)).toEqual([shop]);
      expect(outcome(await remove(shared, key, owner))).toBe('404 not_found');
      const { body } = await owner.get<Page<{ action: string; target_id: string }>>(
        `/kbs/${shared}/audit-events?action=api_key.taken_out`,
      );
      expect(body.data.map(({ target_id }) => target_id).sort()).toEqual(
        [key.id, key.rotated_from].sort(),
      );
    });
  });

  it('gets the next as its main one when that is taken out, and ends with the last', async () => {
    const filter = { type: 'eq', key: 'part', value: 'b' };
    const key = await issue([{ kb_id: shop }, { kb_id: lamps, scopes: ['query'], filter }]);
    expect(outcome(await remove(shop, key))).toBe('200');
    const { body } = await second.get<ApiKey>(`/api-keys/${key.id}`);
    expect(body).toMatchObject({ kb_id: lamps, scopes: ['query'], filter, active: true });
    expect(await found(key.api_key, 'warranty, return')).toEqual([lamps]);
    expect(outcome(await partner.chat(key.api_key, QUESTION))).toBe('403 insufficient_scope');
    expect(outcome(await remove(lamps, key))).toBe('200');
    expect(await found(key.api_key, QUESTION)).toBe('401 api_key_revoked');
    expect(outcome(await remove(lamps, key))).toBe('200');
  });

  it('rates answers by the scope that it has in their knowledge base', async () => {
    const key = await issue([
      { kb_id: shop, scopes: ['chat'] },
      { kb_id: lamps, scopes: ['feedback'] },
    ]);
    const { body } = await partner.chat(key.api_key, QUESTION);
    const rated = await partner.post(`/messages/${body.message_id}/feedback`, {
      ...{ api_key: key.api_key, rating: 'up' },
    });
    expect(outcome(rated)).toBe('403 insufficient_scope');
  });

  it('is no active key once its main knowledge base is deleted', async () => {
    const main = (await alice.createKnowledgeBase('Main')).id;
    const key = await issue([{ kb_id: main }, { kb_id: lamps }]);
    const active = async () => {
      const { body } = await alice.get<Page<ApiKey>>(
        `/kbs/${lamps}/api-keys?active=true&limit=100`,
      );
      return body.data.some(({ id }) => id === key.id);
    };
    expect(await active()).toBe(true);
    await alice.call('DELETE', `/kbs/${main}`);
    expect(await active()).toBe(false);
  });

  it('gives client tokens that open no more than it does now', async () => {
    const key = await issue([{ kb_id: shop, scopes: ['query'] }, { kb_id: lamps }]);
    const { client_token: token } = await partner.createClientToken(key.api_key);
    expect(await found(token, 'warranty, return an order')).toEqual(
      expect.arrayContaining([shop, lamps]),
    );
    expect(outcome(await partner.chat(token, QUESTION, { kb_ids: [shop] }))).toBe(
      '403 insufficient_scope',
    );
    await remove(lamps, key);
    expect(await found(token, 'warranty', { kb_ids: [lamps] })).toBe('404 not_found');
    expect(outcome(await partner.chat(token, QUESTION))).toBe('403 insufficient_scope');
  });
});

const WRITES_FILTERED = (kb_id: string) => ({
  kb_id,
  scopes: ['documents:write'],
  filter: { type: 'eq', key: 'part', value: 'b' },
});
