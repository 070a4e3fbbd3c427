import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { atOnce, Client, type IssuedApiKey, outcomes } from '../support/client.js';
import { hasRedis, Redis } from '../support/redis.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';
import { onlyOn, type Requirement, tool } from '../support/requirement.js';

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
      services = [first, await Service.start(first.environment)];
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
        await sql(services[0]?.environment ?? {}, 'UPDATE rate_limits SET expire = expire + 30000');
        expect(outcomes(await ask(10, key))).toEqual({ '429 rate_limited': 10 });
      });

    if (inRedis)
      it('goes on without Redis, with a warning, and comes back to it', async () => {
        const key = await alice.createApiKey(kbId, { rate_limit_per_minute: 10 });
        expect(outcomes(await ask(20, key))).toEqual({ '200': 10, '429 rate_limited': 10 });
        await redis?.stop();
        // What counts next begins at 0: one count on PostgreSQL, one for each process on SQLite.
        const more = engine === 'postgres' ? 10 : 20;
        const without = outcomes(await ask(60, key));
        expect(without).toEqual({ '200': more, '429 rate_limited': 60 - more });
        await eventually(() => services.every(({ logs }) => logs.includes('Redis is away')));

        await redis?.start();
        const other = await alice.createApiKey(kbId, { rate_limit_per_minute: 1_000_000 });
        const remaining = async (client: Client) =>
          (await client.query(other.api_key, 'Anything?')).headers.get('ratelimit');
        // Both see what the other has counted: they count in Redis again.
        await eventually(async () => {
          const [a, b] = [
            await remaining(partners()[0] as Client),
            await remaining(partners()[1] as Client),
          ];
          const left = (told: string | null) => Number(/r=(\d+)/.exec(told ?? '')?.[1]);
          return engine === 'postgres' || left(b) === left(a) - 1;
        });
      });
  });
