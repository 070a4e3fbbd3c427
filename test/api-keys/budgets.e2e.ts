import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { atOnce, Client, type IssuedApiKey, outcome, outcomes } from '../support/client.js';
import {
  answers,
  begin,
  chunk,
  line,
  ModelServer,
  saysAndHangs,
  says,
  USAGE,
} from '../support/model-server.js';
import { onlyOn } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { hold, sql } from '../support/sql.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const QUESTION = 'How long may customers return an order?';
const TEXT = 'Customers may return any order within 30 days of delivery.';
const ANSWER = 'Within 30 days. [1]';
/** The tokens of one answer of the model. */
const TOKENS = USAGE.prompt_tokens + USAGE.completion_tokens;
const EVENT = 'api_key.budget_reached';

let receiver: WebhookReceiver;
let model: ModelServer;
let a: Service;
let b: Service;
let alice: Client;
let kbId: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  model = await ModelServer.start();
  a = await Service.start({
    ...model.environment,
    WEBHOOK_ALLOW_PRIVATE: 'yes',
    // An answer of the model costs 42 * 1 + 7 * 10 = 112 millionths.
    LLM_PRICES: JSON.stringify({ 'test-model': { input: 1, output: 10 } }),
  });
  b = await a.beside();
  alice = new Client(a, 'alice');
});
beforeEach(async () => {
  model.behave = says(ANSWER);
  receiver.received.length = 0;
  kbId = (await alice.createKnowledgeBase()).id;
  await alice.addDocument(kbId, { title: 'Returns', text: TEXT });
});
afterAll(async () => {
  await Promise.all([a.stop(), b.stop()]);
  await Promise.all([model.stop(), receiver.stop()]);
});

const createKey = (budget: object | null) => alice.createApiKey(kbId, { budget });
const shareKey = async (kbIds: readonly string[], budget: object) => {
  const kbs = kbIds.map((kb_id) => ({ kb_id }));
  const body = { name: 'Shared', environment: 'live', kbs, budget };
  return (await alice.post<IssuedApiKey>('/api-keys', body)).body;
};
const chat = ({ api_key: secret }: { api_key: string }, more: object = {}, of = a) =>
  new Client(of).chat(secret, QUESTION, more);
const change = (key: IssuedApiKey, budget: object | null) =>
  alice.call('PATCH', `/api-keys/${key.id}`, { budget });
const useExtractive = () => alice.set(kbId, { model: 'extractive' });
const counted = () =>
  sql<Record<'subject' | 'spent' | 'held', string | number>>(
    a.environment,
    `SELECT subject, spent, held FROM budget_counts WHERE kb_id = '${kbId}' ORDER BY subject`,
  );
const spent = async () => (await counted()).map((row) => [Number(row.spent), Number(row.held)]);

describe('a budget of messages', () => {
  it.each(['extractive', null])(
    'allows exactly that many answers of all processes together (model: %s)',
    async (chosen) => {
      await alice.set(kbId, { model: chosen });
      const key = await createKey({ messages: 7, period: 'day' });
      const all = await atOnce(20, (n) => chat(key, {}, n % 2 ? a : b));
      expect(outcomes(all)).toEqual({ '200': 7, '429 budget_reached': 13 });
      expect(await spent()).toEqual([[7, 0]]);
    },
  );

  it('says when the UTC day or month ends, also to streams', async () => {
    await useExtractive();

    for (const period of ['day', 'month'] as const) {
      const key = await createKey({ messages: 0, period });
      const { headers, body } = await chat(key);
      expect(body).toMatchObject({ code: 'budget_reached', unit: 'messages', period });
      const end = new Date(Date.now() + Number(headers.get('retry-after')) * 1000 + 5000);
      expect([end.getUTCHours(), end.getUTCMinutes()]).toEqual([0, 0]);
      if (period === 'month') expect(end.getUTCDate()).toBe(1);
      const { response } = await ChatStream.open(a, { api_key: key.api_key, message: QUESTION });
      expect(response.status).toBe(429);
    }
  });

  it('applies to other protocols', async () => {
    await useExtractive();
    const { api_key: secret } = await createKey({ messages: 1, period: 'day' });
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const post = async (path: string, body: object) => {
      const response = await fetch(`${a.url}${path}`, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json, text/event-stream' },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    const completion = () =>
      post('/v1/chat/completions', {
        model: 'latchkey',
        messages: [{ role: 'user', content: QUESTION }],
      });
    expect((await completion()).status).toBe(200);
    const refused = await completion();
    expect([refused.status, refused.text]).toEqual([
      429,
      expect.stringContaining('budget_reached'),
    ]);
    const asked = await post('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask', arguments: { question: QUESTION } },
    });
    expect(asked.text).toContain('budget_reached');
  });

  it('is not used by small talk, searches and answers that fail', async () => {
    const key = await createKey({ messages: 1, period: 'day' });
    expect(outcome(await new Client(a).chat(key.api_key, 'Hello!'))).toBe('200');
    expect(outcome(await new Client(a).query(key.api_key, QUESTION))).toBe('200');
    model.behave = answers(400, {});
    expect(outcome(await chat(key))).toBe('502 model_unavailable');
    expect(await spent()).toEqual([[0, 0]]);
    model.behave = says(ANSWER);
    expect(outcome(await chat(key))).toBe('200');
    expect(outcome(await chat(key))).toBe('429 budget_reached');
    expect(outcome(await new Client(a).chat(key.api_key, 'Hello!'))).toBe('200');
  });

  it('belongs to a key and its successors together', async () => {
    await useExtractive();
    const key = await createKey({ messages: 2, period: 'month' });
    expect(outcome(await chat(key))).toBe('200');
    const { body: successor } = await alice.call<IssuedApiKey>(
      'POST',
      `/api-keys/${key.id}/rotate`,
      {},
    );
    expect(successor).toMatchObject({ budget: { messages: 2, period: 'month' } });
    expect(outcome(await chat(successor))).toBe('200');
    expect(outcome(await chat(key))).toBe('429 budget_reached');
    expect(outcome(await chat(successor))).toBe('429 budget_reached');
  });

  it('is changed for a key and its successors together', async () => {
    await useExtractive();
    const key = await createKey({ messages: 1, period: 'month' });
    const rotated = await alice.call<IssuedApiKey>('POST', `/api-keys/${key.id}/rotate`, {});
    const successor = rotated.body;
    for (const [one, other] of [
      [successor, key],
      [key, successor],
    ] as const) {
      const budget = { messages: one === key ? 3 : 2, period: 'month' };
      await change(one, budget);
      expect((await alice.get(`/api-keys/${other.id}`)).body).toMatchObject({ budget });
    }
    expect(outcomes(await atOnce(5, (n) => chat(n % 2 ? key : successor)))).toEqual({
      '200': 3,
      '429 budget_reached': 2,
    });
    await change(key, null);
    expect(outcome(await chat(successor))).toBe('200');
  });

  it('stays used up when the key gets another main knowledge base', async () => {
    await useExtractive();
    const other = await alice.createKnowledgeBase();
    const key = await shareKey([kbId, other.id], { messages: 2, period: 'month' });
    // The other one has counted none of them.
    const ofMain = () => chat(key, { kb_ids: [kbId] });
    expect(outcomes(await atOnce(3, ofMain))).toEqual({ '200': 2, '429 budget_reached': 1 });
    await alice.call('DELETE', `/kbs/${kbId}/api-keys/${key.id}`);
    expect(outcome(await chat(key))).toBe('429 budget_reached');
    await change(key, { messages: 3, period: 'month' });
    expect(outcome(await chat(key))).toBe('200');
    expect(outcome(await chat(key))).toBe('429 budget_reached');
  });

  it('is summed up once when it is set, not by each question that it refuses', async () => {
    await useExtractive();
    const key = await createKey(null);
    expect(outcomes(await atOnce(2, () => chat(key)))).toEqual({ '200': 2 });
    await change(key, { messages: 1, period: 'month' });
    expect(await spent()).toEqual([[2, 0]]);
    expect(outcome(await chat(key))).toBe('429 budget_reached');
    expect(await spent()).toEqual([[2, 0]]);
  });

  it('includes what was used before it was set, and follows changes', async () => {
    await useExtractive();
    const key = await createKey(null);
    expect(outcomes(await atOnce(3, () => chat(key)))).toEqual({ '200': 3 });
    await change(key, { messages: 4, period: 'day' });
    expect(outcomes(await atOnce(3, () => chat(key)))).toEqual({
      '200': 1,
      '429 budget_reached': 2,
    });
    await change(key, { messages: 5, period: 'day' });
    expect(outcomes(await atOnce(3, () => chat(key)))).toEqual({
      '200': 1,
      '429 budget_reached': 2,
    });
    await change(key, null);
    expect(outcome(await chat(key))).toBe('200');
    await change(key, { messages: 7, period: 'month' });
    expect(outcome(await chat(key))).toBe('200');
    expect(outcome(await chat(key))).toBe('429 budget_reached');
  });

  it('begins anew with the next period of the database’s clock', async () => {
    await useExtractive();
    const key = await createKey({ messages: 1, period: 'month' });
    expect(outcome(await chat(key))).toBe('200');
    expect(outcome(await chat(key))).toBe('429 budget_reached');
    for (const table of ['budget_counts', 'usage_members']) {
      const past = table === 'budget_counts' ? `start = '2026-01-01'` : 'quarter = quarter - 3000';
      await sql(a.environment, `UPDATE ${table} SET ${past} WHERE kb_id = '${kbId}'`);
    }
    expect(outcome(await chat(key))).toBe('200');
    expect(outcome(await chat(key))).toBe('429 budget_reached');
  });

  it('is released after the process that was answering has died', async () => {
    // What is held is counted by windows of ten times this and a minute: by one that does not end soon.
    const timeoutMs =
      [600_000, 450_000].find((ms) => {
        const windowMs = 10 * ms + 60_000;
        return Date.now() % windowMs < windowMs - 300_000;
      }) ?? 330_000;
    const doomed = await Service.start({ ...model.environment, LLM_TIMEOUT_MS: String(timeoutMs) });
    const bob = new Client(doomed, 'bob');
    const { id } = await bob.createKnowledgeBase();
    await bob.addDocument(id, { title: 'Returns', text: TEXT });
    const key = await bob.createApiKey(id, { budget: { messages: 1, period: 'day' } });
    model.behave = saysAndHangs('Within');
    const stream = await ChatStream.open(doomed, { api_key: key.api_key, message: QUESTION });
    await eventually(() => stream.text !== '');
    const refused = await chat(key, {}, doomed);
    // It is held, not used up.
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual([
      '429 budget_reached',
      '1',
    ]);
    await doomed.kill();
    const next = await Service.start(doomed.environment);
    try {
      model.behave = says(ANSWER);
      expect(outcome(await chat(key, {}, next))).toBe('429 budget_reached');
      const earlier = (windows: number) =>
        sql(next.environment, `UPDATE budget_counts SET held_window = held_window - ${windows}`);
      await earlier(1);
      expect(outcome(await chat(key, {}, next))).toBe('429 budget_reached');
      await earlier(1);
      expect(outcome(await chat(key, {}, next))).toBe('200');
      expect(outcome(await chat(key, {}, next))).toBe('429 budget_reached');
    } finally {
      await next.stop();
    }
  });
});

describe('a budget of tokens or money', () => {
  it('counts what the model reports', async () => {
    const tokens = await createKey({ tokens: TOKENS + 1, period: 'day' });
    const cost = await createKey({ cost: 0.000113, period: 'day' });
    for (const key of [tokens, cost]) {
      expect(outcome(await chat(key))).toBe('200');
      expect(outcome(await chat(key))).toBe('200');
      expect(outcome(await chat(key))).toBe('429 budget_reached');
    }
    expect(new Set(await spent())).toEqual(
      new Set([
        [2 * TOKENS, 0],
        [2 * 112_000, 0],
      ]),
    );
  });

  it('is held by running answers, so that together they do not exceed it', async () => {
    const key = await createKey({ tokens: TOKENS + 1, period: 'day' });
    const all = await atOnce(6, (n) => chat(key, {}, n % 2 ? a : b));
    // The first has the budget for itself until it is written.
    expect(outcomes(all)['200']).toBeGreaterThan(0);
    expect((await spent())[0]?.[0]).toBeLessThanOrEqual(2 * TOKENS);
  });

  it('estimates what a model does not report, also of a stream that its reader leaves', async () => {
    model.behave = (response) => {
      begin(response);
      response.write(chunk(ANSWER));
      response.end(
        line({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + 'data: [DONE]\n\n',
      );
    };
    const key = await createKey({ tokens: 1_000_000, period: 'day' });
    expect(outcome(await chat(key))).toBe('200');
    const [[first = 0] = []] = await spent();
    // The instructions alone are 1,000 characters.
    expect(first).toBeGreaterThan(250 + ANSWER.length / 4);
    model.behave = saysAndHangs(ANSWER);
    const stream = await ChatStream.open(a, { api_key: key.api_key, message: QUESTION });
    await eventually(() => stream.text !== '');
    stream.leave();
    await eventually(async () => (await spent())[0]?.[1] === 0);
    const [[second = 0] = []] = await spent();
    expect(second - first).toBeGreaterThan(250);
  });

  it('counts nothing for a model without a price, or an answer without a model', async () => {
    await useExtractive();
    const key = await createKey({ cost: 0.01, period: 'day' });
    expect(outcomes(await atOnce(3, () => chat(key)))).toEqual({ '200': 3 });
    expect(await spent()).toEqual([[0, 0]]);
  });
});

describe('budget_per_end_user', () => {
  it('holds for each end user, of all keys and processes together', async () => {
    await alice.set(kbId, {
      model: 'extractive',
      budget_per_end_user: { messages: 3, period: 'day' },
    });
    const [one, two] = await Promise.all([createKey(null), createKey(null)]);
    const ask = (endUser: string, n: number) =>
      chat(n % 3 ? one : two, { end_user_id: endUser }, n % 2 ? a : b);
    const all = await atOnce(10, (n) => ask('ann', n));
    expect(outcomes(all)).toEqual({ '200': 3, '429 budget_reached': 7 });
    expect(outcome(await ask('bob', 0))).toBe('200');
    expect(outcome(await chat(one))).toBe('200');
    const token = await new Client(a).createClientToken(one.api_key, 'ann');
    expect(outcome(await chat({ api_key: token.client_token }))).toBe('429 budget_reached');
    await alice.set(kbId, { budget_per_end_user: { messages: 4, period: 'month' } });
    expect(outcomes([await ask('ann', 0), await ask('ann', 1)])).toEqual({
      '200': 1,
      '429 budget_reached': 1,
    });
  });

  it('is summed up by the first question that it refuses, not by each', async () => {
    await useExtractive();
    const key = await createKey(null);
    const ask = () => chat(key, { end_user_id: 'ann' });
    expect(outcomes([await ask(), await ask()])).toEqual({ '200': 2 });
    await alice.set(kbId, { budget_per_end_user: { messages: 1, period: 'month' } });
    expect(outcome(await ask())).toBe('429 budget_reached');
    expect(await spent()).toEqual([[2, 0]]);
    expect(outcome(await ask())).toBe('429 budget_reached');
    expect(await spent()).toEqual([[2, 0]]);
  });

  // SQLite has one writer at a time.
  onlyOn('postgres').it('is erased before usage, the order in which answers count', async () => {
    await alice.set(kbId, {
      model: 'extractive',
      budget_per_end_user: { messages: 9, period: 'month' },
    });
    await chat(await createKey(null), { end_user_id: 'ann' });
    const rows = (table: string) => `SELECT * FROM ${table} WHERE kb_id = '${kbId}' FOR UPDATE`;
    const release = await hold(a.environment, rows('budget_counts'));
    const erasing = alice.call('DELETE', `/kbs/${kbId}/conversations?end_user_id=ann`);
    await eventually(async () => {
      const waiting = await sql(
        a.environment,
        `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'
         AND datname = current_database() AND query LIKE '%budget_counts%'`,
      );
      return waiting.length === 1;
    });
    const usage = await sql(a.environment, `${rows('usage_members')} NOWAIT`);
    expect(usage).not.toEqual([]);
    await release();
    expect(outcome(await erasing)).toBe('200');
    expect(await counted()).toEqual([]);
  });

  it('starts again for an end user who was erased', async () => {
    await alice.set(kbId, {
      model: 'extractive',
      budget_per_end_user: { messages: 1, period: 'month' },
    });
    const key = await createKey(null);
    expect(outcome(await chat(key, { end_user_id: 'ann' }))).toBe('200');
    await alice.call('DELETE', `/kbs/${kbId}/conversations?end_user_id=ann`);
    expect(await counted()).toEqual([]);
    expect(outcome(await chat(key, { end_user_id: 'ann' }))).toBe('200');
  });
});

describe(EVENT, () => {
  it('is sent once for the soft limit, and once for the whole', async () => {
    await useExtractive();
    await alice.createWebhook(kbId, receiver.url, EVENT);
    const key = await createKey({ messages: 10, period: 'day', soft: 0.5 });
    const all = await atOnce(4, (n) => chat(key, {}, n % 2 ? a : b));
    expect(outcomes(all)).toEqual({ '200': 4 });
    expect(receiver.of(EVENT)).toEqual([]);
    await atOnce(12, (n) => chat(key, {}, n % 2 ? a : b));
    await eventually(() => receiver.of(EVENT).length === 2);
    await chat(key);
    const data = receiver.of(EVENT).map(({ body }) => body.data);
    const common = {
      ...{ kb_id: kbId, api_key_id: key.id, environment: 'live' },
      ...{ unit: 'messages', period: 'day', limit: 10 },
      resets_at: expect.stringMatching(/T00:00:00.000Z$/) as unknown,
    };
    expect(data).toContainEqual({ ...common, share: 0.5, used: 5 });
    expect(data).toContainEqual({ ...common, share: 1, used: 10 });
    const deliveries = await sql(
      a.environment,
      `SELECT id FROM webhook_deliveries WHERE event = '${EVENT}' AND body LIKE '%${kbId}%'`,
    );
    expect(deliveries).toHaveLength(2);
  });

  it('is sent when a budget is set below what is used, and again after it was raised', async () => {
    await useExtractive();
    await alice.createWebhook(kbId, receiver.url, EVENT);
    const key = await createKey(null);
    await atOnce(2, () => chat(key));
    const sent = async (count: number) => {
      await eventually(() => receiver.of(EVENT).length >= count);
      const of = receiver.of(EVENT).map(({ body: { data } }) => data);
      return of.map(
        ({ share, used, limit }) => `${String(share)}: ${String(used)}/${String(limit)}`,
      );
    };
    await change(key, { messages: 2, period: 'month' });
    expect(await sent(1)).toEqual(['1: 2/2']);
    // What is known already is not sent again.
    await change(key, { messages: 1, period: 'month' });
    await change(key, { messages: 4, period: 'month', soft: 0.75 });
    await chat(key);
    expect(await sent(2)).toEqual(['1: 2/2', '0.75: 3/4']);
    await chat(key);
    expect((await sent(3)).at(-1)).toBe('1: 4/4');
    await change(key, { messages: 5, period: 'month' });
    await chat(key);
    expect((await sent(4)).at(-1)).toBe('1: 5/5');
    await change(key, { tokens: 0, period: 'month' });
    expect((await sent(5)).at(-1)).toBe('1: 0/0');
  });

  it('names money in the currency of the prices', async () => {
    await alice.createWebhook(kbId, receiver.url, EVENT);
    const key = await createKey({ cost: 0.0001, period: 'month', soft: 0.2 });
    await chat(key);
    await eventually(() => receiver.of(EVENT).length === 1);
    expect(receiver.of(EVENT)[0]?.body.data).toMatchObject({
      ...{ unit: 'cost', period: 'month', share: 1, limit: 0.0001, used: 0.000112 },
    });
  });
});

describe('a budget that makes no sense', () => {
  it.each([
    {},
    { period: 'day' },
    { messages: 1 },
    { messages: 1, period: 'week' },
    { messages: 1, tokens: 1, period: 'day' },
    { messages: -1, period: 'day' },
    { messages: 1.5, period: 'day' },
    { messages: null, tokens: 5, period: 'day' },
    { cost: '5', period: 'day' },
    { cost: 1e300, period: 'day' },
    { tokens: 5, period: 'day', soft: 1.1 },
    { tokens: 5, period: 'day', since: 'ever' },
    [{ tokens: 5, period: 'day' }],
    5,
  ])('is refused in keys and settings: %j', async (budget) => {
    const body = { name: 'Shop', environment: 'live', budget };
    expect(outcome(await alice.call('POST', `/kbs/${kbId}/api-keys`, body))).toBe(
      '400 validation_failed',
    );
    const settings = { budget_per_end_user: budget };
    expect(outcome(await alice.call('PATCH', `/kbs/${kbId}/settings`, settings))).toBe(
      '400 validation_failed',
    );
  });

  it('is shown as it was set', async () => {
    const budget = { cost: 12.5, period: 'month', soft: 0.8 };
    const key = await createKey(budget);
    expect(key).toMatchObject({ budget });
    await alice.set(kbId, { budget_per_end_user: { tokens: 5, period: 'day' } });
    expect((await alice.get(`/kbs/${kbId}/settings`)).body).toMatchObject({
      budget_per_end_user: { tokens: 5, period: 'day' },
    });
    await change(key, null);
    expect((await alice.get(`/api-keys/${key.id}`)).body).toMatchObject({ budget: null });
  });
});
