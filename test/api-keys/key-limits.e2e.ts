import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../support/api-key-secret.js';
import {
  type Answer,
  type ApiKey,
  type ApiKeyUsage,
  atOnce,
  Client,
  inTurns,
  type IssuedApiKey,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { DEFAULT_TIMEOUTS } from '../support/launch.mjs';
import { hasRedis, Redis } from '../support/redis.js';
import { repetitions } from '../support/repetitions.js';
import { onlyOn, type Requirement, tool } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { furnish } from '../support/furnish.js';
import { newUserId } from '../support/shared-service.js';
import { sql } from '../support/sql.js';
import { STALLED_MS } from '../support/stalled.js';

describe('the limits of an API key', () => {
  let alice: Client;
  let aliceOnB: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ alice, aliceOnSecond: aliceOnB, partner } = await furnish());
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  describe('the rate limit of an API key', () => {
    const use = (key: IssuedApiKey, headers = {}) =>
      partner.post('/query', { api_key: key.api_key, message: 'Anything?' }, headers);
    const limited = (rate_limit_per_minute: number) =>
      alice.createApiKey(kbId, { rate_limit_per_minute });
    const setLimit = (key: ApiKey, rate_limit_per_minute: number | null, client = alice) =>
      client.call('PATCH', `/api-keys/${key.id}`, { rate_limit_per_minute });

    it.each([1, 20])('lets exactly %i of three times as many requests through', async (limit) => {
      const key = await limited(limit);
      // A forged address is no fresh start.
      const answers = await atOnce(3 * limit, (n) =>
        use(key, { 'x-forwarded-for': `192.0.2.${n}`, 'x-real-ip': `192.0.2.${n}` }),
      );
      expect(outcomes(answers)).toEqual({ '200': limit, '429 rate_limited': 2 * limit });
    });

    it('is in the headers of every answer: what is left, and when to come again', async () => {
      const key = await limited(3);
      const told = ({ headers }: Answer<unknown>) => headers.get('ratelimit') ?? '';
      const answers = [await use(key), await use(key), await use(key), await use(key)];
      expect(answers.map(outcome)).toEqual(['200', '200', '200', '429 rate_limited']);
      expect(answers.map((answer) => /r=(\d+)/.exec(told(answer))?.[1])).toEqual([
        '2',
        '1',
        '0',
        '0',
      ]);
      for (const answer of answers) {
        expect(answer.headers.get('ratelimit-policy')).toMatch(/;q=3;w=60$/);
        expect(Number(/t=(\d+)/.exec(told(answer))?.[1])).toBeGreaterThan(0);
      }
      const refusal = answers[3]?.headers;
      expect(refusal?.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(refusal?.get('www-authenticate')).toBeNull();
      expect(answers[0]?.headers.get('retry-after')).toBeNull();
    });

    it('holds for /query, /chat and feedback together', async () => {
      const key = await limited(4);
      const body = { api_key: key.api_key, message: 'Anything?' };
      const answers = await atOnce(12, (n) => partner.post(n % 2 ? '/query' : '/chat', body));
      expect(outcomes(answers)).toEqual({ '200': 4, '429 rate_limited': 8 });
    });

    it('begins anew when Retry-After is over, and holds again', async () => {
      const key = await limited(5);
      const refused = (await atOnce(6, () => use(key))).find(({ status }) => status === 429);
      const began = Date.now();
      await eventually(async () => (await use(key)).status === 200);
      const waited = (Date.now() - began) / 1000;
      // A busy machine is late; without Retry-After it would be a minute.
      expect(Math.abs(waited - Number(refused?.headers.get('retry-after')))).toBeLessThan(15);
      expect(outcomes(await atOnce(15, () => use(key)))).toEqual({
        '200': 4,
        '429 rate_limited': 11,
      });
    });

    it('takes effect at once when changed, on every process, and keeps the count', async () => {
      const key = await limited(10);
      expect(outcomes(await atOnce(6, () => use(key)))).toEqual({ '200': 6 });
      await setLimit(key, 6, aliceOnB);
      expect(outcome(await use(key))).toBe('429 rate_limited');
      await setLimit(key, 10, aliceOnB);
      const answers = await atOnce(9, () => use(key));
      expect(outcomes(answers)).toEqual({ '200': 3, '429 rate_limited': 6 });
      await setLimit(key, null);
      expect(outcome(await use(key))).toBe('200');
    });

    it('is a key’s own', async () => {
      const [one, other] = [await limited(3), await limited(5)];
      const answers = await atOnce(20, (n) => use(n % 2 === 0 ? one : other));
      const of = (parity: number) => outcomes(answers.filter((_, n) => n % 2 === parity));
      expect(of(0)).toEqual({ '200': 3, '429 rate_limited': 7 });
      expect(of(1)).toEqual({ '200': 5, '429 rate_limited': 5 });
    });

    it('is not used up by requests without the secret', async () => {
      const key = await limited(10);
      const forged = { ...key, api_key: withChecksum(key.prefix + 'z'.repeat(32)) };
      const answers = await atOnce(200, () => use(forged));
      expect(outcomes(answers)).toEqual({ '401 invalid_api_key': 200 });
      expect(outcomes(await atOnce(10, () => use(key)))).toEqual({ '200': 10 });
    });

    it('never hides that a key was revoked', async () => {
      const key = await limited(1);
      await atOnce(5, () => use(key));
      await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
      expect(outcomes(await atOnce(5, () => use(key)))).toEqual({ '401 api_key_revoked': 5 });
    });
  });
});

describe('the quota of API keys of a knowledge base', () => {
  const QUOTA = 10;

  let services: Service[];
  let alice: Client;
  let aliceOnB: Client;
  let kbId: string;

  beforeAll(async () => {
    const first = await Service.start({ MAX_API_KEYS_PER_KNOWLEDGE_BASE: String(QUOTA) });
    services = [first, await first.beside()];
    const id = newUserId('alice');
    alice = new Client(first, id);
    aliceOnB = new Client(services[1] ?? first, id);
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });
  afterAll(() => Promise.all(services.map((service) => service.stop())));

  const create = (client = alice, more: object = {}) =>
    client.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, {
      ...{ name: 'Shop', environment: 'live' },
      ...more,
    });
  const createMany = (count: number) =>
    atOnce(count, (n) => create(n % 2 === 0 ? alice : aliceOnB));
  const list = async (filter = '') =>
    (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys?limit=100${filter}`)).body;
  const newest = async () => (await list('&active=true')).data[0]?.id ?? '';
  // Again where a busy machine took longer than the second.
  const endInASecond = (id: string) =>
    eventually(async () => {
      const expires_at = new Date(Date.now() + 1000).toISOString();
      return outcome(await alice.call('PATCH', `/api-keys/${id}`, { expires_at })) === '200';
    });
  const untilExpired = (id: string) =>
    eventually(async () => !(await alice.get<ApiKey>(`/api-keys/${id}`)).body.active);

  it('is exact, however many are created at once, and named in the refusal', async () => {
    expect(outcomes(await createMany(7))).toEqual({ '201': 7 });
    const answers = await createMany(12);
    expect(outcomes(answers)).toEqual({ '201': 3, '409 quota_reached': 9 });
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      quota: 'MAX_API_KEYS_PER_KNOWLEDGE_BASE',
      detail: `The quota has been reached: MAX_API_KEYS_PER_KNOWLEDGE_BASE is ${QUOTA}.`,
    });
    expect((await list()).total).toBe(QUOTA);

    const other = await alice.createKnowledgeBase();
    expect(await alice.createApiKey(other.id)).toMatchObject({ active: true });
  });

  it('counts a repeated creation once', async () => {
    await createMany(QUOTA - 1);
    const repeated = { 'idempotency-key': 'last' };
    const body = { name: 'Shop', environment: 'live' };
    const answers = [1, 2].map(() => alice.post(`/kbs/${kbId}/api-keys`, body, repeated));
    expect(outcomes(await Promise.all(answers))).toEqual({ '201': 2 });
    expect(outcome(await create())).toBe('409 quota_reached');
    expect((await list()).total).toBe(QUOTA);
  });

  it('counts neither revoked nor deleted keys', async () => {
    await createMany(QUOTA);
    await alice.call('PATCH', `/api-keys/${await newest()}/revoke`);
    expect(outcomes(await createMany(5))).toEqual({ '201': 1, '409 quota_reached': 4 });
    await alice.call('DELETE', `/api-keys/${await newest()}`);
    expect(outcomes(await createMany(5))).toEqual({ '201': 1, '409 quota_reached': 4 });
    expect((await list()).total).toBe(QUOTA + 1);
    expect((await list('&active=true')).total).toBe(QUOTA);
  });

  it('counts no expired key, until it is made to work again', async () => {
    await createMany(QUOTA - 2);
    const ending = [await create(), await create()].map(({ body }) => body.id);
    for (const id of ending) {
      await endInASecond(id);
      await untilExpired(id);
    }
    expect(outcome(await create())).toBe('201');
    const revive = (id: string, client: Client) =>
      client.call('PATCH', `/api-keys/${id}`, { expires_at: null });
    const answers = await Promise.all(
      ending.map((id, n) => revive(id, n % 2 === 0 ? alice : aliceOnB)),
    );
    expect(outcomes(answers)).toEqual({ '200': 1, '409 quota_reached': 1 });
    expect((await list('&active=true')).total).toBe(QUOTA);
    // Another field of a key can be changed, and a working key be given more time.
    const id = await newest();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    for (const body of [{ name: 'Other' }, { expires_at: later }]) {
      expect(outcome(await alice.call('PATCH', `/api-keys/${id}`, body))).toBe('200');
    }
  });

  it('holds for rotations, too: refused, and the key stays as it was', async () => {
    await createMany(QUOTA - 1);
    const keys = (await list()).data.slice(0, 5);
    const rotate = (key: ApiKey) => alice.post(`/api-keys/${key.id}/rotate`, {});
    const answers: Answer<unknown>[] = await Promise.all(keys.map(rotate));
    expect(outcomes(answers)).toEqual({ '201': 1, '409 quota_reached': 4 });
    const left = keys.find((_, n) => answers[n]?.status === 409) as ApiKey;
    expect((await alice.get<ApiKey>(`/api-keys/${left.id}`)).body).toEqual(left);
    expect((await list()).total).toBe(QUOTA);
  });

  it('allows a rotation without a grace period', async () => {
    await createMany(QUOTA);
    const keys = (await list()).data.slice(0, 3);
    const answers = await Promise.all(
      keys.map(({ id }) => alice.post(`/api-keys/${id}/rotate`, { grace_period_seconds: 0 })),
    );
    expect(outcomes(answers)).toEqual({ '201': 3 });
    expect((await list('&active=true')).total).toBe(QUOTA);
  });
});

describe('the limits of an API key, shared by processes', () => {
  const places: [string, Requirement][] = [
    ['in PostgreSQL', onlyOn('postgres')],
    ['in Redis', tool('redis-server', hasRedis)],
  ];

  for (const [place, needed] of places)
    needed.describe(`the rate limit of an API key, counted ${place}`, () => {
      const inRedis = place === 'in Redis';
      let redis: Redis | undefined;
      let services: Service[];
      let alice: Client;
      let kbId: string;

      beforeAll(async () => {
        redis = inRedis ? await Redis.start() : undefined;
        const first = await Service.start(redis ? { REDIS_URL: redis.url } : {});
        services = [first, await first.beside()];
        alice = new Client(first, 'alice');
        kbId = (await alice.createKnowledgeBase()).id;
      });

      afterAll(async () => {
        await Promise.all(services.map((service) => service.stop()));
        await redis?.stop();
      });

      const partners = () => services.map((service) => new Client(service));
      const ask = (count: number, key: IssuedApiKey) =>
        atOnce(count, (n) => (partners()[n % 2] as Client).query(key.api_key, 'Anything?'));

      it('is one for all processes', async () => {
        const key = await alice.createApiKey(kbId, { rate_limit_per_minute: 25 });
        expect(outcomes(await ask(75, key))).toEqual({ '200': 25, '429 rate_limited': 50 });
        expect(outcomes(await ask(10, key))).toEqual({ '429 rate_limited': 10 });
      });

      if (!inRedis)
        it('is kept by processes whose clocks differ', async () => {
          const key = await alice.createApiKey(kbId, { rate_limit_per_minute: 4 });
          await ask(4, key);
          // As one counts whose clock is half a minute ahead.
          await sql(
            services[0]?.environment ?? {},
            'UPDATE rate_limits SET expire = expire + 30000',
          );
          expect(outcomes(await ask(10, key))).toEqual({ '429 rate_limited': 10 });
        });

      if (inRedis)
        it('waits for a silent Redis no longer than allowed', async () => {
          const hasty = await Service.start({
            REDIS_URL: redis?.url,
            REDIS_TIMEOUT_MS: DEFAULT_TIMEOUTS.REDIS_TIMEOUT_MS,
          });
          try {
            const owner = new Client(hasty, 'alice');
            const key = await owner.createApiKey((await owner.createKnowledgeBase()).id);
            const ask = () => new Client(hasty).query(key.api_key, 'Anything?');
            expect(outcome(await ask())).toBe('200');
            redis?.freeze();
            const began = performance.now();
            expect(outcome(await ask())).toBe('200');
            expect(performance.now() - began).toBeLessThan(STALLED_MS);
          } finally {
            redis?.unfreeze();
            await hasty.stop();
          }
        });

      if (inRedis)
        it('goes on without Redis, with a warning, and comes back to it', async () => {
          const key = await alice.createApiKey(kbId, { rate_limit_per_minute: 10 });
          expect(outcomes(await ask(20, key))).toEqual({ '200': 10, '429 rate_limited': 10 });
          await redis?.stop();
          // What counts next, the database or the one process on SQLite, begins at 0.
          expect(outcomes(await ask(60, key))).toEqual({ '200': 10, '429 rate_limited': 50 });
          await eventually(() => services.every(({ logs }) => logs.includes('Redis unavailable')));

          await redis?.start();
          const other = await alice.createApiKey(kbId, { rate_limit_per_minute: 1_000_000 });
          for (const partner of partners()) {
            await redis?.takeCounters();
            await eventually(async () => {
              await partner.query(other.api_key, 'Anything?');
              return (await redis?.takeCounters()) === 1;
            });
          }
        });
    });
});

describe('the usage of an API key', () => {
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

  const proxy = { TRUSTED_PROXY_CIDRS: '127.0.0.1/32' };
  let a: Service;
  let b: Service;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    a = await Service.start(proxy);
    b = await a.beside();
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

  it('shows the last address, in one spelling', async () => {
    const key = await alice.createApiKey(kbId);
    const addresses = ['192.0.2.1', '::ffff:192.0.2.1', '2001:DB8::1', '198.51.100.7'];
    for (const ip of addresses) await use(key, ip);
    await told(key, ({ requests_24h }) => requests_24h === 4);
    expect(await usage(key)).toMatchObject({ last_ip: '198.51.100.7', distinct_ips_24h: 3 });
    await use(key, '2001:DB8::1');
    await told(key, ({ requests_24h }) => requests_24h === 5);
    expect(await usage(key)).toMatchObject({ last_ip: '2001:db8::1', distinct_ips_24h: 3 });
  });

  it('counts no refused request, whatever refused it', async () => {
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

  it('shows how often a revoked key was still tried, and the last address', async () => {
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

  it('names the successor, and shows when nobody uses the old key any more', async () => {
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

  it('is updated within five seconds, and never decreases', async () => {
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

  it('never undoes a revoke, however late it is written', async () => {
    for (let round = 0; round < repetitions(1, 3); round++) {
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

  it('never brings back a deleted key or knowledge base, and does not fail on them', async () => {
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

  it('is written at the stop, to the last request', async () => {
    const key = await alice.createApiKey(kbId);
    const revoked = await alice.createApiKey(kbId);
    await revoke(revoked);
    const uses = await inTurns(150, 30, (n) =>
      useOn(a, n % 3 ? key.api_key : revoked.api_key, `192.0.2.${n}`),
    );
    expect(outcomes(uses)).toEqual({ '200': 100, '401 api_key_revoked': 50 });
    const began = new Date().toISOString();
    await useOn(a, key.api_key, '198.51.100.1');
    expect(await a.stop()).toBe(0);

    a = await Service.start(a.environment);
    const again = new Client(a, 'alice');
    expect(await usage(key, again)).toMatchObject({
      requests_24h: 101,
      requests_30d: 101,
      last_ip: '198.51.100.1',
      distinct_ips_24h: 101,
      last_used_at: await lastUsedAt(key, again),
    });
    expect(((await lastUsedAt(key, again)) ?? '') >= began).toBe(true);
    expect(await usage(revoked, again)).toMatchObject({ refused_uses_since_revoked: 50 });
  });
});
