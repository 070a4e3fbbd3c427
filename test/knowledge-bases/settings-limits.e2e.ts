import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { atOnce, Client, outcome, outcomes, type Page } from '../support/client.js';
import { answers, ModelServer } from '../support/model-server.js';
import { Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const QUESTION = 'How long may customers return an order?';

let model: ModelServer;
let a: Service;
let b: Service;
let alice: Client;
let kbId: string;
let secret: string;

beforeAll(async () => {
  model = await ModelServer.start();
  a = await Service.start();
  b = await Service.start({ ...a.environment, ...model.environment });
  alice = new Client(a, 'alice');
});
beforeEach(async () => {
  kbId = (await alice.createKnowledgeBase()).id;
  secret = (await alice.createApiKey(kbId)).api_key;
});
afterAll(async () => {
  await Promise.all([a.stop(), b.stop()]);
  await model.stop();
});

const chat = (of = a, apiKey = secret) => new Client(of).chat(apiKey, QUESTION);
const query = (apiKey = secret) => new Client(a).query(apiKey, QUESTION);
const conversations = async () =>
  (await alice.get<Page<unknown>>(`/kbs/${kbId}/conversations`)).body.total;

describe('the daily message limit of a knowledge base', () => {
  it('lets exactly that many through for all processes and keys together', async () => {
    await alice.set(kbId, { daily_message_limit: 10 });
    const { api_key: second } = await alice.createApiKey(kbId);
    const all = await atOnce(30, (n) => chat(n % 2 ? a : b, n % 3 ? secret : second));
    expect(outcomes(all)).toEqual({ '200': 10, '429 daily_limit_reached': 20 });
    expect(await conversations()).toBe(10);
  });

  it('says when the next day (UTC) begins, also for a stream', async () => {
    await alice.set(kbId, { daily_message_limit: 0 });
    const { status, headers } = await chat();
    const wait = Number(headers.get('retry-after'));
    const midnight = (Date.now() + wait * 1000) % 86_400_000;
    expect(status).toBe(429);
    expect(Math.min(midnight, 86_400_000 - midnight)).toBeLessThan(10_000);
    const { response } = await ChatStream.open(a, { api_key: secret, message: QUESTION });
    expect(response.status).toBe(429);
    expect(await conversations()).toBe(0);
  });

  it('counts /chat alone, from the first message of the day', async () => {
    expect(outcomes(await atOnce(3, () => chat()))).toEqual({ '200': 3 });
    await alice.set(kbId, { daily_message_limit: 4 });
    expect(outcomes(await atOnce(5, () => query()))).toEqual({ '200': 5 });
    expect(outcomes(await atOnce(3, () => chat()))).toEqual({
      '200': 1,
      '429 daily_limit_reached': 2,
    });
    await alice.set(kbId, { daily_message_limit: null });
    expect(outcome(await chat())).toBe('200');
  });

  it('counts what the model failed to answer', async () => {
    await alice.addDocument(kbId, { title: 'Returns', text: 'Customers may return any order.' });
    await alice.set(kbId, { daily_message_limit: 1 });
    model.behave = answers(400, {});
    expect(outcome(await chat(b))).toBe('502 model_unavailable');
    expect(outcome(await chat(b))).toBe('429 daily_limit_reached');
  });

  it('begins anew with the next day', async () => {
    await alice.set(kbId, { daily_message_limit: 1 });
    await chat();
    expect(outcome(await chat())).toBe('429 daily_limit_reached');
    await sql(
      a.environment,
      `UPDATE daily_message_counts SET day = '2026-01-01' WHERE kb_id = '${kbId}'`,
    );
    expect(outcome(await chat())).toBe('200');
    expect(outcome(await chat())).toBe('429 daily_limit_reached');
    const days = await sql(
      a.environment,
      `SELECT messages FROM daily_message_counts WHERE kb_id = '${kbId}' AND day > '2026-01-01'`,
    );
    expect(days).toEqual([{ messages: 1 }]);
  });

  it('is a knowledge base’s own', async () => {
    await alice.set(kbId, { daily_message_limit: 0 });
    const other = await alice.createKnowledgeBase();
    const { api_key: otherSecret } = await alice.createApiKey(other.id);
    expect(outcome(await chat(a, otherSecret))).toBe('200');
  });
});

describe('the rate limit of a knowledge base', () => {
  it('holds for each key without one of its own, from the next request on', async () => {
    const own = await alice.createApiKey(kbId, { rate_limit_per_minute: 5 });
    expect((await query()).headers.get('ratelimit-policy')).toContain('q=6000');
    await alice.set(kbId, { rate_limit_per_minute: 3 });
    expect(outcomes(await atOnce(6, () => query()))).toEqual({ '200': 2, '429 rate_limited': 4 });
    expect(outcomes(await atOnce(6, () => query(own.api_key)))).toEqual({
      '200': 5,
      '429 rate_limited': 1,
    });
    const another = await alice.createApiKey(kbId);
    expect((await query(another.api_key)).headers.get('ratelimit-policy')).toContain('q=3');
  });
});

describe('how a knowledge base is searched', () => {
  beforeEach(async () => {
    for (const how of ['by post', 'in the shop', 'within thirty days']) {
      await alice.addDocument(kbId, { title: how, text: `Customers return orders ${how}.` });
    }
  });
  // Scores are comparable within one question only.
  const question = 'Do customers return orders?';
  const scores = async (more: object = {}) =>
    (await new Client(a).query(secret, question, more)).body.results.map(({ score }) => score);
  const sources = async (more: object = {}) =>
    (await new Client(a).chat(secret, question, more)).body.sources.length;

  it('is as it sets, where a request does not say otherwise', async () => {
    const all = await scores();
    expect(all).toHaveLength(3);
    await alice.set(kbId, { top_k: 2 });
    expect([await scores(), await sources()]).toEqual([all.slice(0, 2), 2]);
    expect([await scores({ top_k: 3 }), await sources({ top_k: 1 })]).toEqual([all, 1]);
    await alice.set(kbId, { top_k: null, min_score: all[0] });
    const best = all.filter((score) => score === all[0]);
    expect([await scores(), await sources()]).toEqual([best, best.length]);
    expect(await scores({ min_score: 0 })).toEqual(all);
    await alice.set(kbId, { min_score: Number(all[0]) + 1, refusal_text: 'Ask by mail.' });
    expect((await chat()).body).toMatchObject({ answered: false, answer: 'Ask by mail.' });
  });
});
