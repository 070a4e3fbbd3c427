import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../support/api-key-secret.js';
import {
  type ApiKey,
  type ApiKeyUsage,
  atOnce,
  Client,
  inTurns,
  type IssuedApiKey,
  outcomes,
} from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const UNUSED = {
  requests_24h: 0,
  requests_30d: 0,
  last_used_at: null,
  last_ip: null,
  distinct_ips_24h: 0,
  refused_uses_since_revoked: 0,
  last_refused_at: null,
  last_refused_ip: null,
  successor_id: null,
  safe_to_revoke: true,
};

describe('the usage of an API key', () => {
  const proxy = { TRUSTED_PROXY_CIDRS: '127.0.0.1/32' };
  let a: Service;
  let b: Service;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    a = await Service.start(proxy);
    b = await Service.start(a.environment);
    alice = new Client(a, 'alice');
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    // The search index is made with the first question, which is not what is tested here.
    const { api_key: secret } = await alice.createApiKey(kbId);
    for (const service of [a, b]) await useOn(service, secret);
  });

  afterAll(() => Promise.all([a.stop(), b.stop()]));

  const useOn = (service: Service, secret: string, ip = '192.0.2.1', message: unknown = 'Hi') =>
    new Client(service).post('/query', { api_key: secret, message }, { 'x-forwarded-for': ip });
  const use = (key: IssuedApiKey, ip?: string) => useOn(a, key.api_key, ip);
  const usage = async ({ id }: ApiKey, client = alice) =>
    (await client.get<ApiKeyUsage>(`/api-keys/${id}/usage`)).body;
  const lastUsedAt = async ({ id }: ApiKey, client = alice) =>
    (await client.get<ApiKey>(`/api-keys/${id}`)).body.last_used_at;
  const revoke = ({ id }: ApiKey) => alice.call('PATCH', `/api-keys/${id}/revoke`);
  const told = (key: ApiKey, condition: (usage: ApiKeyUsage) => boolean) =>
    eventually(async () => condition(await usage(key)), STALLED_MS);
  /** Uses are written down in turns: what came before `witness` was used is then written, too. */
  async function allWritten(): Promise<void> {
    const witness = await alice.createApiKey(kbId);
    for (const service of [a, b]) await useOn(service, witness.api_key);
    await told(witness, ({ requests_24h }) => requests_24h === 2);
  }

  it('is nothing before the first use', async () => {
    expect(await usage(await alice.createApiKey(kbId))).toEqual(UNUSED);
  });

  it('counts exactly what two processes let through, side by side', async () => {
    const [one, other] = [await alice.createApiKey(kbId), await alice.createApiKey(kbId)];
    const answers = await inTurns(400, 40, (n) =>
      useOn(n % 2 ? a : b, (n % 4 < 2 ? one : other).api_key, `192.0.2.${n % 5}`),
    );
    expect(outcomes(answers)).toEqual({ '200': 400 });
    await told(one, ({ requests_24h }) => requests_24h >= 200);
    await allWritten();
    for (const key of [one, other]) {
      expect(await usage(key)).toEqual({
        ...UNUSED,
        requests_24h: 200,
        requests_30d: 200,
        last_used_at: await lastUsedAt(key),
        last_ip: expect.stringMatching(/^192\.0\.2\.[0-4]$/),
        distinct_ips_24h: 5,
        safe_to_revoke: false,
      });
    }
  });

  it('tells the last address, each in its one spelling', async () => {
    const key = await alice.createApiKey(kbId);
    const addresses = ['192.0.2.1', '::ffff:192.0.2.1', '2001:DB8::1', '198.51.100.7'];
    for (const ip of addresses) await use(key, ip);
    await told(key, ({ requests_24h }) => requests_24h === 4);
    expect(await usage(key)).toMatchObject({ last_ip: '198.51.100.7', distinct_ips_24h: 3 });
    await use(key, '2001:DB8::1');
    await told(key, ({ requests_24h }) => requests_24h === 5);
    expect(await usage(key)).toMatchObject({ last_ip: '2001:db8::1', distinct_ips_24h: 3 });
  });

  it('counts no refused request as one, whatever refused it', async () => {
    const key = await alice.createApiKey(kbId, {
      rate_limit_per_minute: 3,
      allowed_ips: ['192.0.2.1'],
    });
    const forged = withChecksum(key.prefix + 'z'.repeat(32));
    const answers = [
      ...(await atOnce(5, () => useOn(a, forged))),
      ...(await atOnce(5, () => use(key, '192.0.2.2'))),
      ...(await atOnce(8, () => use(key))),
    ];
    expect(outcomes(answers)).toEqual({
      '401 invalid_api_key': 5,
      '403 ip_not_allowed': 5,
      '200': 3,
      '429 rate_limited': 5,
    });
    await allWritten();
    expect(await usage(key)).toMatchObject({
      requests_24h: 3,
      last_ip: '192.0.2.1',
      distinct_ips_24h: 1,
      refused_uses_since_revoked: 0,
    });
  });

  it('counts no request that failed behind the key', async () => {
    const key = await alice.createApiKey(kbId);
    const answers = [await use(key), await useOn(a, key.api_key, '192.0.2.9', 4711)];
    expect(outcomes(answers)).toEqual({ '200': 1, '400 validation_failed': 1 });
    await allWritten();
    expect(await usage(key)).toMatchObject({ requests_24h: 1, last_ip: '192.0.2.1' });
  });

  it('tells how often a revoked key was still tried, and last from where', async () => {
    const key = await alice.createApiKey(kbId);
    await use(key);
    await revoke(key);
    const answers = await atOnce(40, (n) => useOn(n % 2 ? a : b, key.api_key, '203.0.113.1'));
    expect(outcomes(answers)).toEqual({ '401 api_key_revoked': 40 });
    await atOnce(20, () => useOn(a, withChecksum(key.prefix + 'z'.repeat(32)), '203.0.113.3'));
    await told(key, ({ refused_uses_since_revoked }) => refused_uses_since_revoked >= 40);
    await useOn(b, key.api_key, '203.0.113.2');
    await allWritten();
    const { last_used_at, last_refused_at, ...rest } = await usage(key);
    expect(rest).toMatchObject({
      requests_24h: 1,
      last_ip: '192.0.2.1',
      distinct_ips_24h: 1,
      refused_uses_since_revoked: 41,
      last_refused_ip: '203.0.113.2',
    });
    expect(Date.parse(last_refused_at ?? '')).toBeGreaterThan(Date.parse(last_used_at ?? ''));
  });

  it('names the successor, and tells when nobody needs the old key any more', async () => {
    const key = await alice.createApiKey(kbId);
    const { body: successor } = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
    expect(await usage(key)).toEqual({ ...UNUSED, successor_id: successor.id });
    expect(await usage(successor)).toEqual(UNUSED);
    await use(successor);
    await told(successor, ({ safe_to_revoke }) => !safe_to_revoke);
    expect((await usage(key)).safe_to_revoke).toBe(true);
    await use(key);
    // The first use is known at once.
    expect((await usage(key)).safe_to_revoke).toBe(false);
  });

  it('is told within five seconds, again and again, and never goes back', async () => {
    const key = await alice.createApiKey(kbId);
    let last = '';
    for (let round = 0; round < 3; round++) {
      const began = new Date().toISOString();
      await useOn(round % 2 ? a : b, key.api_key);
      await eventually(async () => ((await lastUsedAt(key)) ?? '') >= began, STALLED_MS);
      const now = (await lastUsedAt(key)) ?? '';
      expect(now > last).toBe(true);
      last = now;
    }
    await allWritten();
    expect(await lastUsedAt(key)).toBe(last);
  });

  it('never undoes a revoke, however late it is written down', async () => {
    for (let round = 0; round < 3; round++) {
      const key = await alice.createApiKey(kbId);
      const before = await atOnce(100, (n) => useOn(n % 2 ? a : b, key.api_key));
      expect(outcomes(before)).toEqual({ '200': 100 });
      const [, during] = await Promise.all([revoke(key), atOnce(50, () => use(key))]);
      const counts = outcomes(during);
      await allWritten();
      await told(key, ({ requests_24h }) => requests_24h === 100 + (counts['200'] ?? 0));
      expect(await usage(key)).toMatchObject({
        refused_uses_since_revoked: counts['401 api_key_revoked'] ?? 0,
      });
      const { body } = await alice.get<ApiKey>(`/api-keys/${key.id}`);
      expect(body).toMatchObject({ active: false, state: 'deactivated', revoked_by: 'alice' });
      expect(outcomes([await use(key)])).toEqual({ '401 api_key_revoked': 1 });
    }
  });

  it('never brings back a deleted key or knowledge base, nor stumbles over them', async () => {
    const key = await alice.createApiKey(kbId);
    const kb = await alice.createKnowledgeBase();
    const orphan = await alice.createApiKey(kb.id);
    await Promise.all([atOnce(50, () => use(key)), atOnce(50, () => use(orphan))]);
    await alice.call('DELETE', `/api-keys/${key.id}`);
    await alice.call('DELETE', `/kbs/${kb.id}`);
    await allWritten();
    for (const { id } of [key, orphan]) {
      expect((await alice.get(`/api-keys/${id}`)).status).toBe(404);
      expect((await alice.get(`/api-keys/${id}/usage`)).status).toBe(404);
    }
    expect(outcomes([await use(key), await use(orphan)])).toEqual({ '401 invalid_api_key': 2 });
  });

  it('is written down at the stop, to the last request', async () => {
    const first = await Service.start(proxy);
    const user = new Client(first, 'alice');
    const key = await user.createApiKey((await user.createKnowledgeBase()).id);
    const revoked = await user.createApiKey(key.kb_id);
    await user.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    const uses = await inTurns(150, 30, (n) =>
      useOn(first, n % 3 ? key.api_key : revoked.api_key, `192.0.2.${n}`),
    );
    expect(outcomes(uses)).toEqual({ '200': 100, '401 api_key_revoked': 50 });
    const began = new Date().toISOString();
    await useOn(first, key.api_key, '198.51.100.1');
    expect(await first.stop()).toBe(0);

    const second = await Service.start(first.environment);
    const again = new Client(second, 'alice');
    expect(await usage(key, again)).toMatchObject({
      requests_24h: 101,
      requests_30d: 101,
      last_ip: '198.51.100.1',
      distinct_ips_24h: 101,
      last_used_at: await lastUsedAt(key, again),
    });
    expect(((await lastUsedAt(key, again)) ?? '') >= began).toBe(true);
    expect(await usage(revoked, again)).toMatchObject({ refused_uses_since_revoked: 50 });
    await second.stop();
  });
});
