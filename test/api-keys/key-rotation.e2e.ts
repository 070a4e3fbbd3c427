import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LEAKED_KEY } from '../support/api-key-secret.js';
import {
  type ApiKey,
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { newUserId, type SharedService, sharedServices } from '../support/shared-service.js';

const ALICE = newUserId('alice');
const BOB = newUserId('bob');

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FINAL_ROTATIONS = repetitions(3, 100);
/** What two clocks readings of one request may be apart. */
const MARGIN_MS = 5_000;

describe('rotating an API key', () => {
  let a: SharedService;
  let b: SharedService;
  let alice: Client;
  let aliceOnB: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    [a, b] = await sharedServices();
    alice = new Client(a, ALICE);
    aliceOnB = new Client(b, ALICE);
    partner = new Client(a);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const use = (key: IssuedApiKey) => partner.query(key.api_key, 'Anything?');
  const get = async (id: string) => (await alice.get<ApiKey>(`/api-keys/${id}`)).body;
  const rotate = ({ id }: ApiKey, body: unknown = {}, client = alice) =>
    client.post<IssuedApiKey>(`/api-keys/${id}/rotate`, body);
  const revoke = ({ id }: ApiKey, client = alice) => client.call('PATCH', `/api-keys/${id}/revoke`);
  const keyCount = async () => (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys`)).body.total;
  const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();
  const ms = (time: string | null) => Date.parse(String(time));

  it('gives a successor with the settings and another secret, shown this once', async () => {
    await alice.call('PUT', `/kbs/${kbId}/members/${BOB}`, { role: 'member' });
    const settings = {
      description: 'Orders',
      environment: 'test',
      rate_limit_per_minute: 77,
      allowed_ips: ['127.0.0.0/8', '::1'],
    };
    const old = await alice.createApiKey(kbId, { name: 'Before', ...settings });
    await alice.call('PATCH', `/api-keys/${old.id}`, { name: 'Shop' });

    const answer = await rotate(old, {}, new Client(a, BOB));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { api_key: secret, ...shown } = answer.body;
    expect(shown).toMatchObject({
      ...settings,
      name: 'Shop',
      kb_id: kbId,
      created_by: BOB,
      active: true,
      state: 'active',
      last_used_at: null,
      expires_at: null,
      rotated_from: old.id,
      rotated_to: null,
    });
    expect(secret).toMatch(LEAKED_KEY);
    expect(secret.slice(0, shown.prefix.length)).toBe(shown.prefix);
    expect(shown.prefix).not.toBe(old.prefix);
    expect(await get(shown.id)).toEqual(shown);
    expect(await get(old.id)).toMatchObject({ rotated_from: null, rotated_to: shown.id });
  });

  it.each([[undefined], [{}]])('gives the old key a day when told %j', async (body) => {
    const old = await alice.createApiKey(kbId);
    const { status, body: successor } = await alice.call<IssuedApiKey>(
      'POST',
      `/api-keys/${old.id}/rotate`,
      body,
    );
    expect(status).toBe(201);
    const { expires_at, active, state } = await get(old.id);
    expect({ active, state }).toEqual({ active: true, state: 'active' });
    expect(Math.abs(ms(expires_at) - ms(successor.created_at) - DAY_MS)).toBeLessThan(MARGIN_MS);
    expect(outcomes([await use(old), await use(successor)])).toEqual({ '200': 2 });
  });

  it('never lets the old key live longer than it would have', async () => {
    const old = await alice.createApiKey(kbId, { expires_at: inAnHour() });
    await rotate(old, { grace_period_seconds: 2_592_000 });
    expect((await get(old.id)).expires_at).toBe(old.expires_at);

    const shortened = await alice.createApiKey(kbId, { expires_at: inAnHour() });
    await rotate(shortened, { grace_period_seconds: 60 });
    expect(ms((await get(shortened.id)).expires_at)).toBeLessThan(ms(shortened.expires_at));
  });

  it('gives the successor the life span of the old key, not its end', async () => {
    const first = await alice.createApiKey(kbId, { expires_at: inAnHour() });
    const lifeSpan = (key: ApiKey) => ms(key.expires_at) - ms(key.created_at);
    const second = (await rotate(first)).body;
    expect(Math.abs(lifeSpan(second) - lifeSpan(first))).toBeLessThan(MARGIN_MS);
    expect(ms(second.expires_at)).toBeGreaterThan(ms(first.expires_at));
    const third = (await rotate(second)).body;
    expect(Math.abs(lifeSpan(third) - lifeSpan(first))).toBeLessThan(MARGIN_MS);
  });

  it(`with grace 0 stops the old key at once on every process: ${FINAL_ROTATIONS} trials`, async () => {
    for (let round = 0; round < FINAL_ROTATIONS; round++) {
      const old = await alice.createApiKey(kbId);
      expect(outcome(await use(old))).toBe('200');
      const { body: successor } = await rotate(old, { grace_period_seconds: 0 }, aliceOnB);
      expect(outcomes(await atOnce(100, () => use(old)))).toEqual({ '401 api_key_expired': 100 });
      expect(outcome(await use(successor))).toBe('200');
      expect(await get(old.id)).toMatchObject({ active: false, state: 'active', revoked_at: null });
    }
  });

  it.each([2, 10])('%i times at once leaves exactly one successor', async (count) => {
    for (let round = 0; round < 5; round++) {
      const old = await alice.createApiKey(kbId);
      const before = await keyCount();
      const answers = await atOnce(count, (n) => rotate(old, {}, n % 2 === 0 ? alice : aliceOnB));
      expect(outcomes(answers)).toEqual({ '201': 1, '409 already_rotated': count - 1 });
      expect(await keyCount()).toBe(before + 1);
      const successor = answers.find(({ status }) => status === 201)?.body;
      expect(await get(old.id)).toMatchObject({ rotated_to: successor?.id });
    }
  });

  it('is refused once it was done, without a trace, but goes on with the successor', async () => {
    const old = await alice.createApiKey(kbId);
    const { body: successor } = await rotate(old);
    const rotated = await get(old.id);
    expect(outcome(await rotate(old, { grace_period_seconds: 0 }))).toBe('409 already_rotated');
    expect(await get(old.id)).toEqual(rotated);
    expect((await rotate(successor)).body).toMatchObject({ rotated_from: successor.id });
  });

  it('is refused for a revoked key, rotated before or not', async () => {
    const [plain, rotated] = [await alice.createApiKey(kbId), await alice.createApiKey(kbId)];
    const { body: successor } = await rotate(rotated);
    for (const key of [plain, rotated]) {
      await revoke(key);
      const before = [await get(key.id), await keyCount()];
      expect(outcome(await rotate(key))).toBe('409 api_key_revoked');
      expect([await get(key.id), await keyCount()]).toEqual(before);
    }
    // A successor is a key of its own.
    expect(outcome(await use(successor))).toBe('200');
  });

  it('is refused for a deleted key', async () => {
    const key = await alice.createApiKey(kbId);
    await alice.call('DELETE', `/api-keys/${key.id}`);
    expect(outcome(await rotate(key))).toBe('404 not_found');
    expect(await keyCount()).toBe(0);
  });

  it('never undoes a revoke that came at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const key = await alice.createApiKey(kbId);
      const [rotation, revocation] = await Promise.all([rotate(key), revoke(key, aliceOnB)]);
      expect(['201', '409 api_key_revoked']).toContain(outcome(rotation));
      expect(outcome(revocation)).toBe('200');
      expect(await get(key.id)).toMatchObject({ active: false, state: 'deactivated' });
      expect(outcome(await use(key))).toBe('401 api_key_revoked');
    }
  });

  it('does not double the rate limit: old and new key share one', async () => {
    const first = await alice.createApiKey(kbId, { rate_limit_per_minute: 10 });
    await atOnce(4, () => use(first));
    const second = (await rotate(first)).body;
    const third = (await rotate(second)).body;
    const answers = await atOnce(30, (n) => use([first, second, third][n % 3] ?? first));
    expect(outcomes(answers)).toEqual({ '200': 6, '429 rate_limited': 24 });
  });

  it.each([-1, 0.5, 2_592_001, 1e300, '60', '', null, true, [60], {}])(
    'is refused with the grace period %j and changes nothing',
    async (grace_period_seconds) => {
      const { api_key: secret, ...key } = await alice.createApiKey(kbId);
      const answer = await rotate(key, { grace_period_seconds });
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.text).toContain('"grace_period_seconds"');
      expect([await get(key.id), await keyCount()]).toEqual([key, 1]);
      expect(secret).toMatch(LEAKED_KEY);
    },
  );

  it.each([{ expires_at: '2099-01-01T00:00:00Z' }, { name: 'Other' }, [], '"0"'])(
    'is refused with the body %j',
    async (body) => {
      const key = await alice.createApiKey(kbId);
      expect(outcome(await rotate(key, body))).toBe('400 validation_failed');
      expect(await keyCount()).toBe(1);
    },
  );
});
