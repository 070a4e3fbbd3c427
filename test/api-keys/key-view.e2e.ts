import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { atOnce, Client, type IssuedApiKey, outcome, outcomes } from '../support/client.js';
import { dumpTables } from '../support/dump.js';
import { usuallyOnSqlite } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';

const DAY_MS = 24 * 3_600_000;
const GERMAN = { type: 'eq', key: 'language', value: 'de' };
const RETURNS = { type: 'eq', key: 'topic', value: 'returns' };
const ELSEWHERE = { allowed_ips: ['192.0.2.0/24'] };
const NO_LIMITS = {
  rate_limit_per_minute: null,
  rate_limit_per_end_user: null,
  daily_message_limit: null,
  budget: null,
  budget_per_end_user: null,
};

interface KeyView {
  id: string;
  name: string | null;
  kind: string;
  expires_at: string | null;
  limits: Record<string, unknown>;
  remaining: Record<string, unknown>;
  usage_30d: { requests: number } | null;
  notices: { code: string; at: string | null }[];
}

// A service of its own, since nobody else may write to the tables that are compared.
describe('GET /key', () => {
  let service: Service;
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(() => service.stop());

  const view = (credential: string, headers: Record<string, string> = {}) =>
    partner.call<KeyView>('GET', '/key', undefined, {
      authorization: `Bearer ${credential}`,
      ...headers,
    });
  const viewed = async (credential: string) => (await view(credential)).body;
  const tokenOf = async (key: IssuedApiKey, more: object = {}) => {
    const body = { api_key: key.api_key, end_user_id: 'customer-1', ...more };
    return (await partner.post<{ client_token: string }>('/client-tokens', body)).body.client_token;
  };
  const revoke = (key: IssuedApiKey) => alice.call('PATCH', `/api-keys/${key.id}/revoke`);
  const rotate = (key: IssuedApiKey, grace: number) =>
    alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, { grace_period_seconds: grace });
  const newManagementKey = async (more: object = {}) => {
    const account = await alice.createServiceAccount(kbId, 'viewer');
    return alice.createManagementKey(account.id, ['keys:read'], more);
  };

  it('shows what an API key opens', async () => {
    const key = await alice.createApiKey(kbId, { filter: GERMAN, scopes: ['query'] });
    const answer = await view(key.api_key);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      id: key.id,
      name: 'Shop backend',
      kind: 'api_key',
      kbs: [{ kb_id: kbId, scopes: ['query'], filter: GERMAN, role: null }],
      scopes: ['query'],
      filter: GERMAN,
      expires_at: null,
      limits: { ...NO_LIMITS, rate_limit_per_minute: 6000 },
      remaining: { ...NO_LIMITS, rate_limit_per_minute: 6000 },
      usage_30d: { requests: 0 },
      notices: [],
      self_rotation: false,
      sender_constraint: null,
      connections: [],
    });
    expect(answer.text).not.toContain(key.api_key);
  });

  it('shows what a client token opens, and not how its key is used', async () => {
    const key = await alice.createApiKey(kbId, {
      filter: GERMAN,
      scopes: ['query', 'chat'],
      rate_limit_per_end_user: 20,
    });
    const token = await tokenOf(key, { scopes: ['query'], filter: RETURNS });
    const filter = { type: 'and', filters: [GERMAN, RETURNS] };
    expect(await viewed(token)).toEqual({
      id: key.id,
      name: null,
      kind: 'client_token',
      kbs: [{ kb_id: kbId, scopes: ['query'], filter, role: null }],
      scopes: ['query'],
      filter,
      expires_at: expect.any(String) as unknown,
      limits: { ...NO_LIMITS, rate_limit_per_minute: 6000, rate_limit_per_end_user: 20 },
      remaining: { ...NO_LIMITS, rate_limit_per_minute: 5999, rate_limit_per_end_user: 20 },
      usage_30d: null,
      notices: [],
      self_rotation: false,
      sender_constraint: null,
      connections: [],
    });
  });

  it('shows what a key of several knowledge bases opens in each', async () => {
    const other = await alice.createKnowledgeBase();
    const { body: key } = await alice.post<IssuedApiKey>('/api-keys', {
      name: 'Shop backend',
      environment: 'live',
      kbs: [
        { kb_id: kbId, scopes: ['query', 'chat'] },
        { kb_id: other.id, scopes: ['query', 'feedback'], filter: GERMAN },
      ],
    });
    const opened = { role: null, filter: null };
    expect(await viewed(key.api_key)).toMatchObject({
      kbs: [
        { ...opened, kb_id: kbId, scopes: ['query', 'chat'] },
        { ...opened, kb_id: other.id, scopes: ['query', 'feedback'], filter: GERMAN },
      ],
      scopes: ['query', 'chat', 'feedback'],
      filter: null,
    });
    expect(await viewed(await tokenOf(key, { scopes: ['feedback'] }))).toMatchObject({
      kbs: [{ ...opened, kb_id: other.id, scopes: ['feedback'], filter: GERMAN }],
      scopes: ['feedback'],
    });
    await alice.set(other.id, { allowed_origins: [] });
    const fromPage = await view(key.api_key, { origin: 'https://shop.example.com' });
    expect(outcome(fromPage)).toBe('403 origin_not_allowed');
  });

  it('shows what a key of a service account opens', async () => {
    const key = await newManagementKey();
    expect(await viewed(key.api_key)).toEqual({
      id: key.id,
      name: 'CI',
      kind: 'management_key',
      kbs: [{ kb_id: kbId, scopes: ['keys:read'], filter: null, role: 'viewer' }],
      scopes: ['keys:read'],
      filter: null,
      expires_at: null,
      limits: NO_LIMITS,
      remaining: NO_LIMITS,
      usage_30d: { requests: 0 },
      notices: [],
      self_rotation: false,
      sender_constraint: null,
      connections: [],
    });
  });

  it('shows what is left of the limits, and what was used', async () => {
    const kb = await alice.createKnowledgeBase();
    const ofEndUser = { messages: 3, period: 'day', soft: null };
    await alice.set(kb.id, { daily_message_limit: 5, budget_per_end_user: ofEndUser });
    const budget = { messages: 7, period: 'month', soft: 0.5 };
    const more = { rate_limit_per_minute: 10, rate_limit_per_end_user: 4 };
    const key = await alice.createApiKey(kb.id, { ...more, budget });
    const unused = await viewed(key.api_key);
    expect(unused.remaining['budget']).toEqual({ messages: 7, period: 'month' });
    const token = await tokenOf(key);
    await partner.chat(token, 'May orders be returned?');
    await partner.query(key.api_key, 'May orders be returned?');
    expect((await viewed(key.api_key)).limits).toEqual({
      ...more,
      daily_message_limit: 5,
      budget,
      budget_per_end_user: ofEndUser,
    });
    expect((await viewed(key.api_key)).remaining).toEqual({
      rate_limit_per_minute: 7,
      rate_limit_per_end_user: null,
      daily_message_limit: 4,
      budget: { messages: 6, period: 'month' },
      budget_per_end_user: null,
    });
    expect((await viewed(token)).remaining).toEqual({
      rate_limit_per_minute: 7,
      rate_limit_per_end_user: 3,
      daily_message_limit: null,
      budget: null,
      budget_per_end_user: { messages: 2, period: 'day' },
    });
    await eventually(async () => (await viewed(key.api_key)).usage_30d?.requests === 3);
  });

  it('gives notice of an end that is near, and of a successor', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const later = await alice.createApiKey(kbId, { expires_at: inDays(8) });
    expect((await viewed(later.api_key)).notices).toEqual([]);
    const soon = await alice.createApiKey(kbId, { expires_at: inDays(6) });
    expect((await viewed(soon.api_key)).notices).toMatchObject([
      { code: 'expires_soon', at: soon.expires_at },
    ]);
    const { body: next } = await rotate(soon, 3600);
    const { expires_at: end, notices } = await viewed(soon.api_key);
    expect(notices).toMatchObject([{ code: 'replaced', at: end }]);
    expect((await viewed(next.api_key)).notices).toMatchObject([{ code: 'expires_soon' }]);
  });

  it('changes nothing in any table, whatever the key and the answer are', async () => {
    const [key, revoked, expired] = await Promise.all(
      Array.from({ length: 3 }, () => alice.createApiKey(kbId)),
    );
    const elsewhere = await alice.createApiKey(kbId, ELSEWHERE);
    const management = await newManagementKey();
    const managementElsewhere = await newManagementKey(ELSEWHERE);
    if (!key || !revoked || !expired) throw new Error('unreachable');
    const token = await tokenOf(key);
    await revoke(revoked);
    const { body: next } = await rotate(expired, 0);
    // Uses so far are written within seconds.
    await eventually(async () => {
      const { body } = await alice.get<{ requests_24h: number }>(`/api-keys/${key.id}/usage`);
      return body.requests_24h === 1;
    });
    const before = await dumpTables(service.environment);
    const forged = key.api_key.slice(0, -1) + (key.api_key.endsWith('0') ? '1' : '0');
    const expected: [string, string][] = [
      [key.api_key, '200'],
      [token, '200'],
      [next.api_key, '200'],
      [management.api_key, '200'],
      [revoked.api_key, '401 api_key_revoked'],
      [expired.api_key, '401 api_key_expired'],
      [elsewhere.api_key, '403 ip_not_allowed'],
      [managementElsewhere.api_key, '403 ip_not_allowed'],
      [forged, '401 invalid_api_key'],
      [`${token}x`, '401 invalid_api_key'],
      ['rag_admin_nonsense', '401 invalid_api_key'],
      ['', '401 api_key_required'],
    ];
    for (const [credential, outcomeExpected] of expected) {
      expect([credential, outcome(await view(credential))]).toEqual([credential, outcomeExpected]);
    }
    // A use would be written by now: the refusal of a revoked key elsewhere is.
    await partner.query(revoked.api_key, 'Anything?');
    await eventually(async () => {
      const { body } = await alice.get<{ refused_uses_since_revoked: number }>(
        `/api-keys/${revoked.id}/usage`,
      );
      return body.refused_uses_since_revoked > 0;
    });
    const after = await dumpTables(service.environment);
    const changed = Object.keys(after).filter(
      (table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]),
    );
    // A revoked key that was used is also an event.
    const ofEvents = ['event_readers', 'events', 'sqlite_sequence', 'webhook_notices'];
    expect(changed.filter((table) => !ofEvents.includes(table)).sort()).toEqual([
      'api_key_activity',
      'usage_counts',
    ]);
    const { body } = await alice.get<object>(`/api-keys/${revoked.id}/usage`);
    expect(body).toMatchObject({ refused_uses_since_revoked: 1, last_used_at: null });
    for (const { id } of [next, management]) {
      const { body: usage } = await alice.get<object>(`/api-keys/${id}/usage`);
      expect(usage).toMatchObject({ last_used_at: null, requests_30d: 0 });
    }
  });

  usuallyOnSqlite.it('leaves a key under a retired or lost pepper where it is', async () => {
    const pepper = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
    const onA = await Service.start({ API_KEY_PEPPERS: pepper('a') });
    const owner = new Client(onA, 'alice');
    const kb = await owner.createKnowledgeBase();
    const account = await owner.createServiceAccount(kb.id);
    const { api_key: secret } = await owner.createApiKey(kb.id);
    const { api_key: managing } = await owner.createManagementKey(account.id, ['kbs:write']);
    await onA.stop();
    for (const peppers of [`${pepper('b')},${pepper('a')}`, pepper('b')]) {
      const onB = await Service.start({ ...onA.environment, API_KEY_PEPPERS: peppers });
      const { api_keys: before } = await dumpTables(onB.environment);
      const answers = await Promise.all(
        [secret, managing].map((key) =>
          new Client(onB).call('GET', '/key', undefined, { authorization: `Bearer ${key}` }),
        ),
      );
      expect(answers.map(outcome)).toEqual(['200', '200']);
      expect((await dumpTables(onB.environment))['api_keys']).toEqual(before);
      await onB.stop();
    }
  });

  it('is refused to pages of origins that are not allowed', async () => {
    const kb = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(kb.id);
    const allowed = 'https://shop.example.com';
    await alice.set(kb.id, { allowed_origins: [allowed] });
    const from = (origin: string, credential: string) => view(credential, { origin });
    expect(outcome(await from(allowed, key.api_key))).toBe('200');
    const refused = await from('https://elsewhere.example.com', key.api_key);
    expect(outcome(refused)).toBe('403 origin_not_allowed');
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    const token = await tokenOf(key, { allowed_origins: [] });
    expect(outcome(await from(allowed, token))).toBe('403 origin_not_allowed');
  });

  it('takes the key from the header only, and no user in its place', async () => {
    const key = await alice.createApiKey(kbId);
    expect(outcome(await alice.get('/key'))).toBe('401 api_key_required');
    expect(outcome(await partner.get(`/key?api_key=${key.api_key}`))).toBe('401 api_key_required');
  });

  it('answers a key 120 times a minute, and others meanwhile', async () => {
    const [busy, other] = [await alice.createApiKey(kbId), await alice.createApiKey(kbId)];
    const answers = await atOnce(125, () => view(busy.api_key));
    expect(outcomes(answers)).toEqual({ '200': 120, '429 rate_limited': 5 });
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(outcome(await view(other.api_key))).toBe('200');
    expect(outcome(await partner.query(busy.api_key, 'Returns?'))).toBe('200');
  });
});
