import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKey, Client, type IssuedApiKey, outcome, type Page } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { Service } from '../support/service.js';

const DAY_MS = 24 * 3_600_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const ADDRESSES = { allowed_ips: ['127.0.0.0/8', '::1'] };

interface Refusal {
  errors: { field: string; message: string }[];
}

describe('the policy of the service for keys', () => {
  let before: Service;
  let service: Service;
  let alice: Client;
  let kbId: string;
  let serviceAccountId: string;
  /** Made before there was a policy. */
  let old: IssuedApiKey;
  let oldManagementKey: IssuedApiKey;

  beforeAll(async () => {
    before = await Service.start();
    const owner = new Client(before, 'alice');
    kbId = (await owner.createKnowledgeBase()).id;
    old = await owner.createApiKey(kbId);
    serviceAccountId = (await owner.createServiceAccount(kbId)).id;
    oldManagementKey = await owner.createManagementKey(serviceAccountId, ['keys:write']);
    service = await Service.start({
      ...before.environment,
      KEY_POLICY_MAX_AGE_DAYS: '30',
      KEY_POLICY_REQUIRE_EXPIRY: 'live,admin',
      KEY_POLICY_REQUIRE_ADDRESSES: 'live, admin',
    });
    alice = new Client(service, 'alice');
  });

  afterAll(() => Promise.all([before.stop(), service.stop()]));

  const create = (more: object) =>
    alice.post<IssuedApiKey & Refusal>(`/kbs/${kbId}/api-keys`, {
      ...{ name: 'Shop', environment: 'live', ...more },
    });
  const createManagementKey = (more: object) =>
    alice.post<IssuedApiKey & Refusal>(`/service-accounts/${serviceAccountId}/api-keys`, {
      ...{ name: 'CI', scopes: ['keys:read'], ...more },
    });
  const patch = (id: string, body: object) =>
    alice.call<ApiKey & Refusal>('PATCH', `/api-keys/${id}`, body);
  const refused = (field: string) => ({
    status: 400,
    body: { code: 'validation_failed', errors: [{ field }] },
  });

  it.each([
    ['an API key', create],
    ['a key of a service account', createManagementKey],
  ])('refuses %s that does not meet it', async (_, make) => {
    expect(await make({})).toMatchObject(refused('allowed_ips'));
    expect(await make({ ...ADDRESSES, expires_at: inDays(31) })).toMatchObject(
      refused('expires_at'),
    );
    const { body: key, status } = await make({ ...ADDRESSES, expires_at: inDays(29) });
    expect([status, key.policy_violations]).toEqual([201, []]);
  });

  it('gives a key without an expiry the latest one allowed', async () => {
    const { body: key } = await create(ADDRESSES);
    expect(Date.parse(String(key.expires_at)) - Date.parse(key.created_at)).toBe(30 * DAY_MS);
    expect(key.policy_violations).toEqual([]);
  });

  it('applies to each environment what is set for it', async () => {
    const { body: key, status } = await create({ environment: 'test' });
    expect([status, key.policy_violations]).toEqual([201, []]);
  });

  it('refuses a change that violates it, and no other change of an older key', async () => {
    const { body: key } = await create(ADDRESSES);
    expect(await patch(key.id, { allowed_ips: null })).toMatchObject(refused('allowed_ips'));
    for (const end of [null, inDays(31)]) {
      expect(await patch(key.id, { expires_at: end })).toMatchObject(refused('expires_at'));
    }
    expect((await alice.get<ApiKey>(`/api-keys/${key.id}`)).body).toMatchObject({
      ...ADDRESSES,
      expires_at: key.expires_at,
    });
    expect(outcome(await patch(old.id, { name: 'Renamed' }))).toBe('200');
  });

  it('shows what older keys violate, also to their holders, and refuses to rotate them', async () => {
    const violations = ['max_age_exceeded', 'expiry_required', 'addresses_required'];
    for (const [key, path] of [
      [old, `/kbs/${kbId}/api-keys`],
      [oldManagementKey, `/service-accounts/${serviceAccountId}/api-keys`],
    ] as const) {
      const { body: list } = await alice.get<Page<ApiKey>>(`${path}?limit=100`);
      expect(list.data.find(({ id }) => id === key.id)?.policy_violations).toEqual(violations);
      const { body: shown } = await alice.get<ApiKey>(`/api-keys/${key.id}`);
      expect(shown.policy_violations).toEqual(violations);
      const held = await new Client(service).call<{ notices: { code: string }[] }>(
        'GET',
        '/key',
        undefined,
        { authorization: `Bearer ${key.api_key}` },
      );
      expect(held.body.notices.map(({ code }) => code)).toEqual(
        violations.map(() => 'policy_not_met'),
      );
      expect(await alice.post(`/api-keys/${key.id}/rotate`, {})).toMatchObject(
        refused('allowed_ips'),
      );
      const { body: after } = await alice.get<ApiKey>(`/api-keys/${key.id}`);
      expect([after.expires_at, after.rotated_to]).toEqual([null, null]);
    }
  });

  it('is not circumvented by rotation', async () => {
    const { body: key } = await create({ ...ADDRESSES, expires_at: inDays(29) });
    await new Client(before, 'alice').call('PATCH', `/api-keys/${key.id}`, {
      expires_at: inDays(300),
    });
    const { body: next } = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
    expect(Date.parse(String(next.expires_at)) - Date.parse(next.created_at)).toBe(30 * DAY_MS);
    expect(next.policy_violations).toEqual([]);
  });

  it('says nothing of keys that cannot be used any more', async () => {
    const key = await new Client(before, 'alice').createApiKey(kbId);
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    const { body } = await alice.get<ApiKey>(`/api-keys/${key.id}`);
    expect(body.policy_violations).toEqual([]);
  });

  it('is checked by the doctor', async () => {
    const own = await Service.start();
    const owner = new Client(own, 'alice');
    const kb = await owner.createKnowledgeBase();
    const met = { ...ADDRESSES, expires_at: inDays(10) };
    await owner.createApiKey(kb.id, met);
    await owner.createApiKey(kb.id, { ...met, expires_at: inDays(40) });
    await owner.createApiKey(kb.id, { ...met, allowed_ips: null });
    await owner.createApiKey(kb.id, { ...met, environment: 'test', allowed_ips: null });
    const revoked = await owner.createApiKey(kb.id);
    await owner.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    const policy = { KEY_POLICY_MAX_AGE_DAYS: '30', KEY_POLICY_REQUIRE_ADDRESSES: 'live' };
    const doctor = (more: NodeJS.ProcessEnv) =>
      runCommand('operations/doctor.command.js', { ...own.environment, ...more });
    expect((await doctor(policy)).output).toMatch(/^warning +API keys that do not meet .*: 2\./m);
    expect((await doctor({ KEY_POLICY_REQUIRE_EXPIRY: 'live' })).output).toMatch(
      /^ok +All API keys meet the policy/m,
    );
    expect((await doctor({})).output).not.toContain('policy');
    await own.stop();
  });
});
