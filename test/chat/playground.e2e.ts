import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  atOnce,
  type ChatAnswer,
  Client,
  inTurns,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { ModelServer } from '../support/model-server.js';
import { eventually, Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';
import { sql } from '../support/sql.js';

const MINUTE_MS = 60_000;
const QUESTION = 'How long may customers return an order?';

let model: ModelServer;
let service: Service;
let alice: Client;
let vera: Client;
let aliceId: string;
let veraId: string;
let kbId: string;

beforeAll(async () => {
  model = await ModelServer.start();
  service = await Service.start({
    ...model.environment,
    LLM_MODELS: 'big, small',
  });
});
beforeEach(async () => {
  [aliceId, veraId] = [newUserId('alice'), newUserId('vera')];
  [alice, vera] = [new Client(service, aliceId), new Client(service, veraId)];
  kbId = (await alice.createKnowledgeBase()).id;
  await alice.call('PUT', `/kbs/${kbId}/members/${veraId}`, { role: 'viewer' });
  await alice.addDocument(kbId, {
    title: 'Returns',
    text: 'Customers may return any order within 30 days of delivery.',
  });
});
afterAll(async () => {
  await service.stop();
  await model.stop();
});

const tryOut = (as: Client, settings?: object, how = 'chat', more: object = {}) =>
  as.post<ChatAnswer>(`/kbs/${kbId}/${how}`, {
    message: QUESTION,
    ...(settings && { settings }),
    ...more,
  });
const refusal = ({ body }: Answer<unknown>) =>
  (body as { errors?: { field: string; message: string }[] }).errors?.[0];

describe('the playground', () => {
  it('takes 60 questions a minute from a user, over all knowledge bases', async () => {
    // Another user where a busy machine took longer than the minute.
    await eventually(async () => {
      const userId = newUserId('zoe');
      const zoe = new Client(service, userId);
      await alice.call('PUT', `/kbs/${kbId}/members/${userId}`, { role: 'viewer' });
      const other = (await zoe.createKnowledgeBase()).id;
      const began = performance.now();
      const first = await tryOut(zoe, { model: undefined, top_k: 1 }, 'query');
      expect(first.headers.get('ratelimit-policy')).toBe('"per-user";q=60;w=60');
      expect(first.headers.get('ratelimit')).toMatch(/^"per-user";r=59;t=\d+$/);

      const ask = (n: number) =>
        n % 3 === 0
          ? zoe.post(`/kbs/${other}/chat`, { message: 'Anything?' })
          : zoe.post(`/kbs/${kbId}/query`, { message: QUESTION });
      const answers = await inTurns(75, 15, ask);
      const refused = await tryOut(zoe);
      if (performance.now() - began > MINUTE_MS) return false;
      expect(outcomes(answers)).toEqual({ '200': 59, '429 rate_limited': 16 });
      expect(outcome(refused)).toBe('429 rate_limited');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      return true;
    }, 4 * MINUTE_MS);
    expect(outcome(await tryOut(alice))).toBe('200');
  });

  it('counts its calls of a model towards the daily limit, also those made at once', async () => {
    const before = model.calls.length;
    const { api_key: secret } = await alice.createApiKey(kbId);
    await new Client(service).chat(secret, QUESTION);
    await alice.set(kbId, { daily_message_limit: 5 });
    const answers = await atOnce(12, (n) => tryOut(n % 2 === 0 ? alice : vera));
    expect(outcomes(answers)).toEqual({ '200': 4, '429 daily_limit_reached': 8 });
    expect(model.calls.length - before).toBe(5);
    expect(outcome(await new Client(service).chat(secret, QUESTION))).toBe(
      '429 daily_limit_reached',
    );
    const stream = await tryOut(vera, undefined, 'chat', { stream: true });
    expect(outcome(stream)).toBe('429 daily_limit_reached');
    expect(Number(stream.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(model.calls.length - before).toBe(5);

    // What calls no model is not counted, and nothing is in reports.
    expect(outcome(await tryOut(alice, { model: 'extractive' }))).toBe('200');
    expect(outcome(await tryOut(vera, undefined, 'query'))).toBe('200');
    const { body } = await alice.get<{ totals: object }>(`/kbs/${kbId}/analytics`);
    expect(body.totals).toMatchObject({ queries: 0, chats: 1, conversations: 1 });
    expect((await alice.get<Page<object>>(`/kbs/${kbId}/conversations`)).body.total).toBe(1);
  });

  it('goes on from earlier turns, which it does not store, and shows what it searched for', async () => {
    await alice.addDocument(kbId, {
      title: 'Express',
      text: 'Customers may return express parcels within 90 days of delivery.',
    });
    const history = [{ question: QUESTION, answer: 'Within 30 days. [1]' }];
    const more = { message: 'And express parcels?', history };
    const settings = { model: 'extractive' };
    const alone = await tryOut(vera, undefined, 'chat', { message: more.message });
    expect(alone.body).toMatchObject({ searched_for: [more.message] });
    const { body } = await tryOut(alice, settings, 'chat', more);
    expect(body).toMatchObject({
      answered: true,
      answer: expect.stringContaining('90 days'),
      searched_for: [expect.stringContaining('customers return')],
      conversation_id: null,
    });
    await tryOut(alice, undefined, 'chat', more);
    expect(JSON.stringify(model.last.body.messages)).toContain('Within 30 days.');
    expect((await tryOut(alice, undefined, 'chat', { message: 'Thanks' })).body).not.toHaveProperty(
      'searched_for',
    );
    for (const bad of [
      [{ question: QUESTION }],
      [{ question: '', answer: 'a' }],
      [{ question: 'a', answer: 'b', sources: [] }],
      Array.from({ length: 21 }, () => history[0]),
      history[0],
      null,
    ]) {
      expect(outcome(await tryOut(alice, undefined, 'chat', { history: bad }))).toBe(
        '400 validation_failed',
      );
    }
    expect((await alice.get<Page<object>>(`/kbs/${kbId}/conversations`)).body.total).toBe(0);
  });

  it.each([
    { model: 'extractive' },
    { model: 'big' },
    { model: null },
    { system_prompt: 'Write a poem.' },
    { answer_threshold: 0 },
  ])('lets no viewer set %j', async (settings) => {
    const before = model.calls.length;
    for (const how of ['chat', 'query']) {
      const answer = await tryOut(vera, { top_k: 2, ...settings }, how);
      expect(outcome(answer)).toBe('403 insufficient_role');
    }
    expect(model.calls.length).toBe(before);
    expect(outcome(await tryOut(alice, settings))).toBe('200');
  });

  it('lets viewers set the rest', async () => {
    const settings = { top_k: 1, min_score: 0, temperature: 1, refusal_text: 'No.' };
    expect(outcome(await tryOut(vera, { ...settings, fallback_to_extractive: true }))).toBe('200');
  });
});

describe('the models that the operator lists', () => {
  it.each(['test-model', 'big', 'small', 'extractive'])('may be set: %s', async (name) => {
    expect((await tryOut(alice, { model: name })).body.model).toBe(name);
    await alice.set(kbId, { model: name });
    expect((await tryOut(vera)).body.model).toBe(name);
  });

  it('are the only ones that may be set', async () => {
    const questions = [{ question: QUESTION }];
    const settings = { model: 'dear' };
    const answers: [Answer<unknown>, field: string][] = [
      [await tryOut(alice, settings), 'settings.model'],
      [await tryOut(alice, settings, 'query'), 'settings.model'],
      [await alice.post(`/kbs/${kbId}/evaluations`, { settings, questions }), 'settings.model'],
      [await alice.call('PATCH', `/kbs/${kbId}/settings`, settings), 'model'],
    ];
    for (const [answer, field] of answers) {
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(refusal(answer)).toEqual({
        field,
        message: `${field} must be one of these, or one that the operator adds to LLM_MODELS: extractive, test-model, big, small`,
      });
    }
    const { body } = await alice.get<{ model: unknown }>(`/kbs/${kbId}/settings`);
    expect(body.model).toBeNull();
  });

  it('take the place of one that was set before it was taken off the list', async () => {
    await alice.set(kbId, { model: 'big', top_k: 3 });
    await sql(
      service.environment,
      `UPDATE knowledge_base_settings SET settings = '{"model":"former","top_k":3}' WHERE kb_id = '${kbId}'`,
    );
    const { body } = await alice.get<object>(`/kbs/${kbId}/settings`);
    expect(body).toMatchObject({ model: null, top_k: 3 });
    expect((await tryOut(alice)).body.model).toBe('test-model');
    expect(model.last.body.model).toBe('test-model');
  });
});
