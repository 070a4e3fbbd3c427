import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LEAKED_KEY } from '../support/api-key-secret.js';
import { type ApiKey, Client, type IssuedApiKey, outcome, type Page } from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { databaseTime, sql } from '../support/sql.js';

const ALICE = newUserId('alice');

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('API keys', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    partner = new Client(service);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const create = (body: unknown) => alice.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, body);
  const get = async (id: string) => (await alice.get<ApiKey>(`/api-keys/${id}`)).body;
  const list = async (search = '') =>
    (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys${search}`)).body;
  const patch = (id: string, body: unknown) => alice.call<ApiKey>('PATCH', `/api-keys/${id}`, body);
  const revoke = (id: string) => alice.call<object>('PATCH', `/api-keys/${id}/revoke`);
  const remove = (id: string) => alice.call<object>('DELETE', `/api-keys/${id}`);
  const use = async (key: IssuedApiKey) => outcome(await partner.query(key.api_key, 'Anything?'));

  it('are created with the full secret, shown this once', async () => {
    const answer = await create({ name: 'Shop backend', environment: 'live' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { api_key: secret, ...shown } = answer.body;
    expect(secret).toMatch(LEAKED_KEY);
    expect(secret).toMatch(/^rag_live_[0-9A-Za-z]{48}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      kb_id: kbId,
      name: 'Shop backend',
      description: null,
      environment: 'live',
      prefix: secret.slice(0, 'rag_live_'.length + 10),
      active: true,
      state: 'active',
      last_used_at: null,
      created_at: expect.stringMatching(INSTANT),
      created_by: ALICE,
      expires_at: null,
      revoked_at: null,
      revoked_by: null,
      rate_limit_per_minute: null,
      rate_limit_per_end_user: null,
      allowed_ips: null,
      scopes: ['query', 'chat', 'feedback'],
      filter: null,
      rotated_from: null,
      rotated_to: null,
    });
    expect(await get(shown.id)).toEqual(shown);
    expect((await list()).data).toEqual([shown]);
  });

  it('show their secret in no other answer', async () => {
    const { id, api_key: secret } = await alice.createApiKey(kbId);
    const answers = [
      await alice.get(`/api-keys/${id}`),
      await alice.get(`/kbs/${kbId}/api-keys`),
      await patch(id, { name: 'Renamed' }),
      await alice.get(`/api-keys/${id}/usage`),
      await alice.get(`/kbs/${kbId}/audit-events`),
      await revoke(id),
      await create({ name: secret.repeat(2), environment: secret }),
      await remove(id),
    ];
    const hashes = /\$2[aby]\$|secret_hash|fast_hash|pepper/;
    for (const { text } of answers) {
      expect(text).not.toContain(secret.slice(-38));
      expect(text).not.toMatch(hashes);
    }
  });

  it('take every optional field', async () => {
    const body = {
      name: 'CI',
      environment: 'test',
      description: 'Nightly run',
      expires_at: '2099-12-31T23:59:59+02:00',
      rate_limit_per_minute: 600,
      allowed_ips: ['127.0.0.1', '2001:db8::/32'],
    };
    const { status, body: key } = await create(body);
    expect(status).toBe(201);
    expect(key).toMatchObject({ ...body, expires_at: '2099-12-31T21:59:59.000Z', active: true });
    expect(key.api_key).toMatch(/^rag_test_/);
    expect(await use(key)).toBe('200');
    const none = {
      description: null,
      expires_at: null,
      rate_limit_per_minute: null,
      allowed_ips: null,
    };
    expect((await create({ ...body, ...none })).body).toMatchObject(none);
  });

  it('are listed newest first and filtered by activity and environment', async () => {
    const live = await alice.createApiKey(kbId);
    const test = await alice.createApiKey(kbId, { environment: 'test' });
    const revoked = await alice.createApiKey(kbId);
    const expired = await alice.createApiKey(kbId, { environment: 'test' });
    await sql(
      service.environment,
      `UPDATE api_keys SET expires_at = ${databaseTime(-1)} WHERE id = '${expired.id}'`,
    );
    await revoke(revoked.id);
    expect((await get(expired.id)).active).toBe(false);

    const ids = async (search: string) => (await list(search)).data.map(({ id }) => id);
    expect(await ids('')).toEqual([expired.id, revoked.id, test.id, live.id]);
    expect(await ids('?active=true')).toEqual([test.id, live.id]);
    expect(await ids('?active=false')).toEqual([expired.id, revoked.id]);
    expect(await ids('?environment=live')).toEqual([revoked.id, live.id]);
    expect(await ids('?environment=test&active=true')).toEqual([test.id]);
    expect((await list('?active=false&limit=1')).total).toBe(2);
  });

  it('change field by field, and the secret stays the same', async () => {
    const { api_key: secret, ...key } = await alice.createApiKey(kbId, { description: 'Old' });
    const soon = '2098-01-01T00:00:00.000Z';
    const steps: [change: object, result: object][] = [
      [{ name: ' New ' }, { name: 'New' }],
      [{ description: 'Two' }, { description: 'Two' }],
      [{ description: null }, { description: null }],
      [{ expires_at: soon }, { expires_at: soon }],
      [{ expires_at: null }, { expires_at: null }],
      [{ rate_limit_per_minute: 5 }, { rate_limit_per_minute: 5 }],
      [{ rate_limit_per_minute: null }, { rate_limit_per_minute: null }],
      [{ allowed_ips: ['::1'] }, { allowed_ips: ['::1'] }],
      [{ allowed_ips: null }, { allowed_ips: null }],
      [{}, {}],
    ];
    let expected: ApiKey = key;
    for (const [change, result] of steps) {
      expected = { ...expected, ...result };
      const answer = await patch(key.id, change);
      expect([answer.status, answer.body]).toEqual([200, expected]);
      expect(await get(key.id)).toEqual(expected);
    }
    expect(await use({ ...key, api_key: secret })).toBe('200');
  });

  it('are revoked once: again answers the same and changes nothing', async () => {
    const { id } = await alice.createApiKey(kbId);
    const first = await revoke(id);
    expect([first.status, first.body]).toEqual([200, { success: true }]);
    const revoked = await get(id);
    expect(revoked).toMatchObject({ active: false, state: 'deactivated', revoked_by: ALICE });
    expect(revoked.revoked_at).toMatch(INSTANT);

    const again = await revoke(id);
    expect([again.status, again.body]).toEqual([200, { success: true }]);
    expect(await get(id)).toEqual(revoked);
  });

  it('never come back from a revoke', async () => {
    const key = await alice.createApiKey(kbId);
    await revoke(key.id);
    await patch(key.id, { expires_at: '2099-01-01T00:00:00Z', name: 'Alive?' });
    expect(await get(key.id)).toMatchObject({ active: false, state: 'deactivated' });
    expect(await use(key)).toBe('401 api_key_revoked');
  });

  it.each(['active', 'revoked'])('are deleted for good when %s', async (state) => {
    const { id } = await alice.createApiKey(kbId);
    if (state === 'revoked') await revoke(id);
    const answer = await remove(id);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await list()).total).toBe(0);
    const afterwards = [
      await alice.get(`/api-keys/${id}`),
      await patch(id, { name: 'Back' }),
      await revoke(id),
      await remove(id),
    ];
    expect(afterwards.map(outcome)).toEqual(afterwards.map(() => '404 not_found'));
  });

  it('tell their last use: at once the first time, then within seconds', async () => {
    const key = await alice.createApiKey(kbId);
    expect(await use(key)).toBe('200');
    const { last_used_at: first } = await get(key.id);
    expect(first).toMatch(INSTANT);
    await use(key);
    await eventually(async () => ((await get(key.id)).last_used_at ?? '') > (first ?? ''));
  });

  it('do not count a refused request as a use', async () => {
    const [used, unused, witness] = [
      await alice.createApiKey(kbId),
      await alice.createApiKey(kbId),
      await alice.createApiKey(kbId),
    ];
    await use(used);
    const { last_used_at: lastUse } = await get(used.id);
    await revoke(used.id);
    await revoke(unused.id);
    await use(witness);
    const { last_used_at: before } = await get(witness.id);

    expect(await use(used)).toBe('401 api_key_revoked');
    expect(await use(unused)).toBe('401 api_key_revoked');
    // Uses are written down in turns: when this later one is told, the refused would be, too.
    await use(witness);
    await eventually(async () => (await get(witness.id)).last_used_at !== before);
    expect((await get(used.id)).last_used_at).toBe(lastUse);
    expect((await get(unused.id)).last_used_at).toBeNull();
  });
});
