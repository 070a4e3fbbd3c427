import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { atOnce, Client, type IssuedApiKey, outcome, outcomes } from '../support/client.js';
import { furnish } from '../support/furnish.js';

const QUESTION = 'How long may customers return an order?';
const RETURNS = 'Customers may return an order within 30 days of delivery.';
const GIFTS = 'Gifts may be returned too. Ask for a label first, and send them back to the shop.';

describe('a key for several knowledge bases', () => {
  let alice: Client;
  let partner: Client;
  let elsewhere: Client;
  let main: string;
  let other: string;

  beforeAll(async () => {
    const furnished = await furnish();
    ({ alice, partner } = furnished);
    elsewhere = new Client(furnished.second);
  });
  beforeEach(async () => {
    [main, other] = [
      (await alice.createKnowledgeBase()).id,
      (await alice.createKnowledgeBase()).id,
    ];
  });

  const issue = async (kbIds: readonly string[], more: object = {}) => {
    const kbs = kbIds.map((kb_id) => ({ kb_id }));
    const body = { name: 'Shared', environment: 'live', kbs, ...more };
    const answer = await alice.post<IssuedApiKey>('/api-keys', body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const ask = ({ api_key: key }: { api_key: string }, more: object = {}) =>
    partner.query(key, QUESTION, more);
  const chat = ({ api_key: key }: { api_key: string }, more: object = {}, of = partner) =>
    of.chat(key, QUESTION, more);

  it('keeps to the rate limit of each that is asked, and to its own instead', async () => {
    await alice.set(other, { rate_limit_per_minute: 2 });
    const key = await issue([main, other]);
    const answers = [await ask(key), await ask(key), await ask(key), await chat(key)];
    expect(answers.map(outcome)).toEqual([
      ...['200', '200'],
      ...['429 rate_limited', '429 rate_limited'],
    ]);
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(outcome(await ask(key, { kb_ids: [other] }))).toBe('429 rate_limited');
    // The refused ones have used up nothing of the key's limit, which is the main one's.
    const { headers, status } = await ask(key, { kb_ids: [main] });
    expect([status, headers.get('ratelimit')]).toEqual([
      200,
      expect.stringMatching(/^"per-key";r=5997;/),
    ]);
    // Successors count with their predecessors.
    const { body: successor } = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
    expect(outcome(await ask(successor))).toBe('429 rate_limited');
    await alice.call('PATCH', `/api-keys/${successor.id}`, { rate_limit_per_minute: 100 });
    expect(outcome(await ask(successor))).toBe('200');
  });

  it('keeps to the limit of end users of each, also for client tokens', async () => {
    await alice.set(other, { rate_limit_per_end_user: 2 });
    const key = await issue([main, other]);
    const ann = { end_user_id: 'ann' };
    expect(outcomes(await atOnce(5, () => chat(key, ann)))).toEqual({
      '200': 2,
      '429 rate_limited': 3,
    });
    const { client_token: token } = await partner.createClientToken(key.api_key, 'ann');
    expect(outcome(await ask({ api_key: token }))).toBe('429 rate_limited');
    expect(outcome(await ask({ api_key: token }, { kb_ids: [main] }))).toBe('200');
    expect(outcome(await chat(key, { end_user_id: 'bob' }))).toBe('200');
    expect(outcome(await chat(key, { ...ann, kb_ids: [main] }))).toBe('200');
  });

  it('keeps to the rate limit of the one whose documents it manages', async () => {
    await alice.set(other, { rate_limit_per_minute: 2 });
    const scopes = ['documents:read'];
    const kbs = [main, other].map((kb_id) => ({ kb_id, scopes }));
    const body = { name: 'Pipeline', environment: 'live', kbs };
    const { api_key: key } = (await alice.post<IssuedApiKey>('/api-keys', body)).body;
    const list = (kbId: string) =>
      partner.call('GET', `/ingest/documents?kb_id=${kbId}`, undefined, {
        authorization: `Bearer ${key}`,
      });
    const answers = [await list(other), await list(other), await list(other), await list(main)];
    expect(answers.map(outcome)).toEqual(['200', '200', '429 rate_limited', '200']);
  });

  it('keeps to the budget of end users of each, in all processes together', async () => {
    await alice.set(other, { budget_per_end_user: { messages: 3, period: 'day' } });
    // Each is the main one of a key, so that their messages count in different orders.
    const [one, two] = [await issue([main, other]), await issue([other, main])];
    const ann = { end_user_id: 'ann' };
    const all = await atOnce(12, (n) => chat(n % 3 ? one : two, ann, n % 2 ? partner : elsewhere));
    expect(outcomes(all)).toEqual({ '200': 3, '429 budget_reached': 9 });
    const { client_token: token } = await partner.createClientToken(one.api_key, 'ann');
    expect(outcome(await chat({ api_key: token }))).toBe('429 budget_reached');
    expect(outcome(await chat(one, { ...ann, kb_ids: [main] }))).toBe('200');
    // A message belongs to the main one, whichever is asked.
    expect(outcome(await chat(two, { ...ann, kb_ids: [main] }))).toBe('429 budget_reached');
    expect(outcome(await chat(one, { end_user_id: 'bob' }))).toBe('200');
  });

  it('compares min_score with the same scores as one knowledge base alone', async () => {
    await alice.addDocument(main, { title: 'Returns', text: RETURNS });
    await alice.addDocument(other, { title: 'Gifts', text: GIFTS });
    const key = await issue([main, other]);
    const found = async (more: object) => {
      const { body } = await ask(key, more);
      return body.results.map(({ kb_id, score }) => ({ kb_id, score }));
    };
    const alone = [await found({ kb_ids: [main] }), await found({ kb_ids: [other] })].flat();
    const scores = alone.map(({ score }) => score).sort((a, b) => b - a);
    expect((await found({})).map(({ score }) => score)).toEqual(scores);
    for (const min_score of [...scores.map((score) => score + 0.001), ...scores, 0]) {
      const kept = alone.filter(({ score }) => score >= min_score);
      const merged = await found({ min_score });
      expect(merged.map(({ kb_id }) => kb_id).sort()).toEqual(kept.map((one) => one.kb_id).sort());
      expect(merged.every(({ score }) => score >= min_score)).toBe(true);
    }
  });
});
