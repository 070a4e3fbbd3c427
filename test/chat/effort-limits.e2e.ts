import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client, type Document, type IssuedApiKey, outcome } from '../support/client.js';
import {
  begin,
  chunk,
  ending,
  line,
  ModelServer,
  saysAndHangs,
  USAGE,
} from '../support/model-server.js';
import { isPlan, plans, told } from '../support/planning-model.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const QUESTION = 'Who leads the office where the harbour crane stands?';
const TOKENS = USAGE.prompt_tokens + USAGE.completion_tokens;
/** A whole answer may take ten times as long. */
const TIMEOUT_MS = 1000;

let model: ModelServer;
let service: Service;
let hasty: Service;
let alice: Client;
let kbId: string;
let key: IssuedApiKey;
let leader: Document;

beforeAll(async () => {
  model = await ModelServer.start();
  service = await Service.start({
    ...model.environment,
    // A call costs 42 * 1 + 7 * 10 = 112 millionths.
    LLM_PRICES: JSON.stringify({ 'test-model': { input: 1, output: 10 } }),
  });
  hasty = await Service.start({ ...service.environment, LLM_TIMEOUT_MS: String(TIMEOUT_MS) });
  alice = new Client(service, 'alice');
});
beforeEach(async () => {
  kbId = (await alice.createKnowledgeBase()).id;
  key = await alice.createApiKey(kbId, { budget: { tokens: 1_000_000, period: 'day' } });
  const text = 'The harbour crane stands on the quay of the Oslo office.';
  await alice.addDocument(kbId, { title: 'Quays', text });
  leader = await alice.addDocument(kbId, {
    ...{ title: 'People', text: 'Oslo: Ingrid Berg is its manager.' },
  });
  model.calls.length = 0;
});
afterAll(async () => {
  await Promise.all([service.stop(), hasty.stop()]);
  await model.stop();
});

const body = () => ({ api_key: key.api_key, message: QUESTION, effort: 'high', top_k: 1 });
const open = (of = service) => ChatStream.open(of, body());
const chat = (of = service) => new Client(of).chat(key.api_key, QUESTION, body());
const counted = async () => {
  const [row] = await sql<Record<'spent' | 'held', string | number>>(
    service.environment,
    `SELECT spent, held FROM budget_counts WHERE kb_id = '${kbId}'`,
  );
  return { spent: Number(row?.spent), held: Number(row?.held) };
};
const answerOf = async ({ start }: ChatStream) =>
  (await alice.messages(String(start?.conversation_id)))[1];

/** Is not silent for this long, and then says it. */
const saysAfter =
  (ms: number, text: string): ModelServer['behave'] =>
  (response) => {
    begin(response);
    const until = Date.now() + ms;
    const timer = setInterval(() => {
      if (Date.now() < until) response.write(chunk(''));
      else {
        clearInterval(timer);
        response.end(chunk(text) + ending());
      }
    }, 50);
    response.once('close', () => {
      clearInterval(timer);
    });
  };

describe('the rounds of an answer', () => {
  it('count towards budgets and reports, each call of the model', async () => {
    await alice.call('PATCH', `/api-keys/${key.id}`, { budget: { cost: 1, period: 'day' } });
    model.behave = plans([['manager of Oslo']]);
    expect(outcome(await chat())).toBe('200');
    expect(await counted()).toEqual({ spent: 3 * 112_000, held: 0 });
    const { body: report } = await alice.get<{ totals: object }>(`/kbs/${kbId}/analytics`);
    expect(report.totals).toMatchObject({
      ...{ chats: 1, prompt_tokens: 3 * USAGE.prompt_tokens },
    });
  });

  it('count as the calls that were made, if the model reports no tokens', async () => {
    model.behave = (response, call) => {
      begin(response);
      response.write(chunk(isPlan(call) ? '{"searches": []}' : 'As the passages say. [1]'));
      response.end(line({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    };
    expect(outcome(await chat())).toBe('200');
    expect(model.calls.map(isPlan)).toEqual([true, false]);
    // A token is estimated from four bytes of each prompt, and of the little that the model wrote.
    const prompts = model.calls.map(({ body }) => JSON.stringify(body.messages).length / 4);
    const two = prompts.reduce((sum, tokens) => sum + tokens, 0);
    const { spent } = await counted();
    expect(spent).toBeGreaterThan(two);
    expect(spent).toBeLessThan(two + 50);
  });

  it('are held before the model is asked, and not begun where a budget is used up', async () => {
    let held = 0;
    model.behave = async (response, call) => {
      held ||= (await counted()).held;
      return plans([])(response, call);
    };
    expect(outcome(await chat())).toBe('200');
    // The model may write 4096 tokens in each of seven calls.
    expect(held).toBeGreaterThan(7 * 4096);
    await alice.call('PATCH', `/api-keys/${key.id}`, {
      budget: { tokens: 2 * TOKENS, period: 'day' },
    });
    const calls = model.calls.length;
    expect(outcome(await chat())).toBe('429 budget_reached');
    expect(model.calls).toHaveLength(calls);
  });

  it('end with the client, in a plan too, and what they used until then counts', async () => {
    model.behave = plans([['manager of Oslo'], saysAndHangs('{"searches": [')]);
    const stream = await open();
    await eventually(() => model.calls.length === 2);
    stream.leave();
    await eventually(() => model.last.abortedAt !== undefined);
    await eventually(async () => (await answerOf(stream))?.status === 'aborted');
    expect(model.calls.map(isPlan)).toEqual([true, true]);
    await eventually(async () => (await counted()).held === 0);
    // The first call as reported, the second one estimated: its instructions alone are 1,000 characters.
    const { spent } = await counted();
    expect(spent).toBeGreaterThan(TOKENS + 250);
    expect(spent).toBeLessThan(TOKENS + 2000);
  });

  it('end with the key', async () => {
    model.behave = plans([saysAndHangs('{')]);
    const stream = await open();
    await eventually(() => model.calls.length === 1);
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    await stream.done();
    expect(stream.error).toMatchObject({ code: 'api_key_revoked' });
    expect(model.calls).toHaveLength(1);
  });

  it('end with a document that an earlier round found', async () => {
    model.behave = plans([['manager of Oslo'], saysAndHangs('{')]);
    const stream = await open();
    await eventually(() => model.calls.length === 2);
    expect(told(model.last)).toContain('Ingrid Berg');
    await alice.call('DELETE', `/documents/${leader.id}`);
    await stream.done();
    expect(stream.error).toMatchObject({ code: 'access_changed' });
    expect(stream.text).toBe('');
  });

  it('take no more time together than an answer', async () => {
    const never = saysAfter(Infinity, '');
    const first = saysAfter(TIMEOUT_MS / 2, JSON.stringify({ searches: ['manager of Oslo'] }));
    const planned = plans([first, never]);
    model.behave = (response, call) => (isPlan(call) ? planned : never)(response, call);
    expect(outcome(await chat(hasty))).toBe('504 model_timeout');
    expect(model.calls.map(isPlan)).toEqual([true, true, false]);
    const left = [...hasty.logs.matchAll(/gave no whole answer within (\d+) ms/g)].map(([, ms]) =>
      Number(ms),
    );
    // Half of the time is for the answer.
    expect([left[0] ?? 0, left[1] ?? 0].map((ms) => ms / TIMEOUT_MS <= 5)).toEqual([true, true]);
  });

  it('are ended by the silence of the model', async () => {
    model.behave = plans([saysAndHangs('{"searches": [')]);
    const answer = await chat(hasty);
    expect([outcome(answer), answer.body]).toMatchObject(['200', { partial: true }]);
    expect(model.calls.map(isPlan)).toEqual([true, false]);
  });
});
