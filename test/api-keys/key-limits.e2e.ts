import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../support/api-key-secret.js';
import {
  type Answer,
  type ApiKey,
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, type SharedService, sharedServices } from '../support/shared-service.js';

const ALICE = newUserId('alice');

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

describe('the rate limit of an API key', () => {
  const use = (key: IssuedApiKey, headers = {}) =>
    partner.post('/query', { api_key: key.api_key, message: 'Anything?' }, headers);
  const limited = (rate_limit_per_minute: number) =>
    alice.createApiKey(kbId, { rate_limit_per_minute });
  const setLimit = (key: ApiKey, rate_limit_per_minute: number | null, client = alice) =>
    client.call('PATCH', `/api-keys/${key.id}`, { rate_limit_per_minute });

  it.each([1, 20])('%i lets exactly so many through of three times as many', async (limit) => {
    const key = await limited(limit);
    // A forged address is no fresh start.
    const answers = await atOnce(3 * limit, (n) =>
      use(key, { 'x-forwarded-for': `192.0.2.${n}`, 'x-real-ip': `192.0.2.${n}` }),
    );
    expect(outcomes(answers)).toEqual({ '200': limit, '429 rate_limited': 2 * limit });
  });

  it('is told with every answer: what is left, and when to come again', async () => {
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

  it('takes effect at once when changed, on every process, and forgets nothing', async () => {
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

  it('is not used up by who does not have the secret', async () => {
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
