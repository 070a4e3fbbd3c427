import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from '../support/client.js';
import { newUserId, type SharedService, sharedServices } from '../support/shared-service.js';

describe('the limit of each end user of a key', () => {
  let service: SharedService;
  let other: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    [service, other] = await sharedServices();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const tokenOf = async (key: IssuedApiKey, endUserId: string) =>
    (await partner.createClientToken(key.api_key, endUserId)).client_token;
  const ask = (credential: string, n = 0): Promise<Answer<unknown>> =>
    n % 2 === 0 ? partner.query(credential, 'Anything?') : partner.chat(credential, 'Anything?');
  const askFor = (key: IssuedApiKey, end_user_id: string) =>
    partner.chat(key.api_key, 'Anything?', { end_user_id });
  const completeFor = (key: IssuedApiKey, user: string) =>
    fetch(`${service.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'latchkey',
        messages: [{ role: 'user', content: 'Anything?' }],
        user,
      }),
    });

  it('leaves the others of the key what one visitor would use up', async () => {
    const key = await alice.createApiKey(kbId, {
      rate_limit_per_minute: 8,
      rate_limit_per_end_user: 3,
    });
    // Each token that is made is a request of the key.
    const greedy = await tokenOf(key, 'greedy');
    const modest = await tokenOf(key, 'modest');
    const answers = await atOnce(20, (n) => ask(greedy, n));
    expect(outcomes(answers)).toEqual({ '200': 3, '429 rate_limited': 17 });

    const first = await ask(modest);
    expect(outcome(first)).toBe('200');
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"per-key";q=8;w=60, "per-end-user";q=3;w=60',
    );
    expect(first.headers.get('ratelimit')).toMatch(
      /^"per-key";r=2;t=\d+, "per-end-user";r=2;t=\d+$/,
    );
    const refused = await ask(greedy);
    expect(refused.headers.get('ratelimit-policy')).toBe('"per-end-user";q=3;w=60');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(outcomes(await atOnce(2, (n) => ask(modest, n)))).toEqual({ '200': 2 });
  });

  it('holds for whom a body names, in /chat and /v1, together with their tokens', async () => {
    const key = await alice.createApiKey(kbId, {
      rate_limit_per_minute: 30,
      rate_limit_per_end_user: 3,
    });
    expect(outcome(await ask(await tokenOf(key, 'ann')))).toBe('200');
    expect((await completeFor(key, 'ann')).status).toBe(200);
    const answers = await atOnce(12, () => askFor(key, 'ann'));
    expect(outcomes(answers)).toEqual({ '200': 1, '429 rate_limited': 11 });
    const completion = await completeFor(key, 'ann');
    expect(completion.status).toBe(429);
    expect(await completion.json()).toMatchObject({ error: { code: 'rate_limited' } });
    // The refused ones have used up nothing: 4 of 30 are counted, and this is the fifth.
    const { headers } = await askFor(key, 'bob');
    expect(headers.get('ratelimit')).toMatch(/^"per-key";r=25;/);
    expect(outcome(await ask(key.api_key))).toBe('200');
  });

  it('counts apart those whose ids are long, or look alike', async () => {
    const key = await alice.createApiKey(kbId, { rate_limit_per_end_user: 1 });
    const ids = ['x'.repeat(255), `${'x'.repeat(254)}y`, 'ann', 'ann ', '知识库'];
    const answers = [];
    for (const id of ids) answers.push(await askFor(key, id), await askFor(key, id));
    expect(answers.map(outcome)).toEqual(ids.flatMap(() => ['200', '429 rate_limited']));
    // Names are compared without case.
    expect(outcome(await askFor(key, 'Ann'))).toBe('429 rate_limited');
  });

  it('is that of the knowledge base for keys without one, and none by default', async () => {
    const key = await alice.createApiKey(kbId);
    const own = await alice.createApiKey(kbId, { rate_limit_per_end_user: 3 });
    expect(key).toMatchObject({ rate_limit_per_end_user: null });
    const { body } = await alice.get(`/kbs/${kbId}/settings`);
    expect(body).toMatchObject({ rate_limit_per_end_user: null });
    expect(outcomes(await atOnce(4, () => askFor(key, 'ann')))).toEqual({ '200': 4 });

    await alice.set(kbId, { rate_limit_per_end_user: 2 });
    expect(outcomes(await atOnce(5, () => askFor(key, 'ann')))).toEqual({
      '200': 2,
      '429 rate_limited': 3,
    });
    expect(outcomes(await atOnce(5, () => askFor(own, 'ann')))).toEqual({
      '200': 3,
      '429 rate_limited': 2,
    });
    await alice.call('PATCH', `/api-keys/${own.id}`, { rate_limit_per_end_user: null });
    expect(outcome(await askFor(own, 'ann'))).toBe('429 rate_limited');
    await alice.set(kbId, { rate_limit_per_end_user: null });
    expect(outcome(await askFor(own, 'ann'))).toBe('200');
  });

  it('stays with a rotated key, which counts on with its successor', async () => {
    const key = await alice.createApiKey(kbId, { rate_limit_per_end_user: 2 });
    expect(outcome(await askFor(key, 'ann'))).toBe('200');
    const rotated = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
    expect(rotated.body).toMatchObject({ rate_limit_per_end_user: 2 });
    expect(outcome(await askFor(rotated.body, 'ann'))).toBe('200');
    expect(outcome(await askFor(key, 'ann'))).toBe('429 rate_limited');
    const onOther = new Client(other);
    const { id } = key;
    await alice.call('PATCH', `/api-keys/${id}`, { rate_limit_per_end_user: 1_000_000 });
    expect(outcome(await onOther.chat(key.api_key, 'Anything?', { end_user_id: 'ann' }))).toBe(
      '200',
    );
  });

  it.each([0, -1, 1.5, 1_000_001, '5', [5], {}])('is never %j', async (limit) => {
    const body = { name: 'Shop', environment: 'live', rate_limit_per_end_user: limit };
    const settings = { rate_limit_per_end_user: limit };
    const key = await alice.createApiKey(kbId);
    const answers = [
      await alice.post(`/kbs/${kbId}/api-keys`, body),
      await alice.call('PATCH', `/api-keys/${key.id}`, settings),
      await alice.call('PATCH', `/kbs/${kbId}/settings`, settings),
    ];
    expect(answers.map(outcome)).toEqual(answers.map(() => '400 validation_failed'));
  });
});
