import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { atOnce, Client, type IssuedApiKey, outcomes, type Problem } from '../support/client.js';
import {
  begin,
  chunk,
  ending,
  type ModelCall,
  ModelServer,
  says,
  saysAndHangs,
} from '../support/model-server.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';
import { databaseTime, sql } from '../support/sql.js';
import { onlyOn } from '../support/requirement.js';

/** What goes on between the model and the client, without the database. */
const onSqlite = onlyOn('sqlite');

const QUESTION = 'How long may customers return an order?';

let model: ModelServer;
let service: Service;
let other: Service;
let alice: Client;
let kbId: string;
let key: IssuedApiKey;

beforeAll(async () => {
  model = await ModelServer.start();
  service = await Service.start({
    ...model.environment,
    // Few connections: none is held while a model thinks.
    DATABASE_POOL_SIZE: '2',
    LLM_TIMEOUT_MS: '300000',
  });
  other = await service.beside();
  alice = new Client(other, 'alice');
});
beforeEach(async () => {
  ({ kbId, key } = await furnish());
});
afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
  await model.stop();
});

async function furnish() {
  const { id } = await alice.createKnowledgeBase();
  await alice.addDocument(id, {
    title: 'Returns',
    text: 'Customers may return any order within 30 days.',
  });
  return { kbId: id, key: await alice.createApiKey(id) };
}

const open = (more: object = {}, of = service) =>
  ChatStream.open(of, { api_key: key.api_key, message: QUESTION, ...more });
/** With the model's call, once something of the answer has come. */
async function openHanging(of = service): Promise<{ stream: ChatStream; call: ModelCall }> {
  model.behave = saysAndHangs('Within 30 ', 'days');
  const stream = await open({}, of);
  await eventually(() => stream.text === 'Within 30 days');
  return { stream, call: model.last };
}
const answerOf = async ({ start }: ChatStream) =>
  (await alice.messages(String(start?.conversation_id)))[1];

describe('a stream', () => {
  it('tells an answer while it is written, and then all of it', async () => {
    let goOn: () => void = () => undefined;
    model.behave = async (response) => {
      begin(response);
      response.write(chunk('Within 30 '));
      await new Promise<void>((resolve) => (goOn = resolve));
      response.end(chunk('days. [1]') + ending());
    };
    const stream = await open();
    await eventually(() => stream.names.includes('delta'));
    expect(stream.names).toEqual(['message_start', 'sources', 'delta']);
    goOn();
    await stream.done();
    expect(stream.names.slice(-1)).toEqual(['message_end']);
    expect(stream.end).toMatchObject({ ...stream.start, answer: stream.text, answered: true });
    expect(stream.text).toBe('Within 30 days. [1]');
  });

  onSqlite.it('forbids caching and buffering, and carries the headers of any answer', async () => {
    model.behave = says('Yes. [1]');
    const { response } = await (await open()).done();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
      ratelimit: expect.stringContaining('r='),
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['a quoted answer', QUESTION, true],
    ['a refusal', 'Zeppelins over Zanzibar?', false],
  ])('has the same events for %s', async (_, message, answered) => {
    await alice.set(kbId, { model: 'extractive', refusal_text: 'Ask by mail.' });
    const stream = await (await open({ message })).done();
    const related = answered ? [] : ['related'];
    expect(stream.names).toEqual(['message_start', 'sources', 'delta', ...related, 'message_end']);
    expect(stream.related).toEqual(stream.end?.related);
    expect(stream.end).toMatchObject({ ...stream.start, answered, model: 'extractive' });
    expect(stream.end?.answer).toBe(stream.text);
    expect(stream.end?.sources).toEqual(stream.sources);
    expect(stream.sources).toHaveLength(answered ? 1 : 0);
    expect(await answerOf(stream)).toMatchObject({ status: 'complete', content: stream.text });
  });

  it.each([
    ['no key', { api_key: undefined }, '401 api_key_required'],
    ['no question', { message: '' }, '400 validation_failed'],
    ['a stream that is neither', { stream: 'yes' }, '400 validation_failed'],
    ['no conversation', { conversation_id: 'conv_nonsense' }, '404 not_found'],
  ])('does not begin with %s', async (_, more, expected) => {
    const response = await fetch(`${service.url}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: key.api_key, message: QUESTION, stream: true, ...more }),
    });
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(`${response.status} ${((await response.json()) as Problem).code}`).toBe(expected);
  });

  onSqlite.it('shows that it is alive while the model thinks', async () => {
    model.behave = saysAndHangs();
    const stream = await open();
    await eventually(() => stream.comments.includes('ping'));
    stream.leave();
  });

  it('holds no connection to the database', async () => {
    model.behave = saysAndHangs('Hm');
    const streams = await atOnce(12, () => open());
    await eventually(() => streams.every(({ text }) => text === 'Hm'));
    const partner = new Client(service);
    expect(outcomes(await atOnce(10, () => partner.query(key.api_key, QUESTION)))).toEqual({
      '200': 10,
    });
    for (const stream of streams) stream.leave();
  });

  onSqlite.it('stops reading from the model while its client does not read', async () => {
    // Fewer than a model may write, and more than the connections between hold.
    const pieces = 80_000;
    let written = 0;
    model.behave = async (response) => {
      begin(response);
      for (; written < pieces; written++) {
        if (!response.write(chunk('x'))) {
          await new Promise((resolve) => response.once('drain', resolve));
        }
      }
      response.end(ending());
    };
    const response = await fetch(`${service.url}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: key.api_key, message: QUESTION, stream: true }),
    });
    let before = -1;
    await eventually(() => {
      const still = written === before && written > 0;
      before = written;
      return still;
    });
    expect(written).toBeLessThan(pieces);
    expect((await response.text()).match(/^event: delta$/gm)).toHaveLength(pieces);
  });
});

describe('the end of a key', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['is revoked', 'api_key_revoked', () => alice.call('PATCH', `/api-keys/${key.id}/revoke`)],
    ['is deleted', 'invalid_api_key', () => alice.call('DELETE', `/api-keys/${key.id}`)],
    [
      'is rotated without a pause',
      'api_key_expired',
      () => alice.post(`/api-keys/${key.id}/rotate`, { grace_period_seconds: 0 }),
    ],
    [
      'expires',
      'api_key_expired',
      () =>
        sql(
          service.environment,
          `UPDATE api_keys SET expires_at = ${databaseTime(-1)} WHERE id = '${key.id}'`,
        ),
    ],
    ['loses its knowledge base', 'invalid_api_key', () => alice.call('DELETE', `/kbs/${kbId}`)],
  ])('ends its streams at once, and no others: the key %s', async (_, code, change) => {
    const mine = key;
    const { stream, call } = await openHanging();
    ({ key } = await furnish());
    const { stream: bystander } = await openHanging();
    key = mine;

    await change();
    const at = Date.now();
    await stream.done();
    expect(Date.now() - at).toBeLessThan(STALLED_MS);
    expect(stream.error).toMatchObject({ status: 401, code });
    expect(stream.names.slice(-1)).toEqual(['error']);
    await eventually(() => call.abortedAt !== undefined);
    if (code !== 'invalid_api_key' || _ === 'is deleted') {
      expect(await answerOf(stream)).toMatchObject({ status: 'aborted' });
    }
    expect(bystander.names).not.toContain('error');
    bystander.leave();
  });
});

describe('a process with open streams', () => {
  it('lets them finish when it is stopped', async () => {
    const stopping = await Service.start({
      ...service.environment,
      SHUTDOWN_GRACE_SECONDS: '30',
    });
    let goOn: () => void = () => undefined;
    model.behave = async (response) => {
      begin(response);
      response.write(chunk('Within 30 '));
      await new Promise<void>((resolve) => (goOn = resolve));
      response.end(chunk('days. [1]') + ending());
    };
    const stream = await open({}, stopping);
    await eventually(() => stream.names.includes('delta'));
    const stopped = stopping.stop();
    await eventually(() =>
      fetch(`${stopping.url}/health/live`).then(
        () => false,
        () => true,
      ),
    );
    goOn();
    await stream.done();
    expect(stream.end?.answer).toBe('Within 30 days. [1]');
    expect(await stopped).toBe(0);
    expect(await answerOf(stream)).toMatchObject({ status: 'complete' });
  });

  it('stores the partial answer when the time for stopping is over', async () => {
    const stopping = await Service.start({
      ...service.environment,
      SHUTDOWN_GRACE_SECONDS: '1',
    });
    const { stream, call } = await openHanging(stopping);
    expect(await stopping.stop()).toBe(0);
    await eventually(() => call.abortedAt !== undefined);
    expect(await answerOf(stream)).toMatchObject({
      status: 'aborted',
      content: 'Within 30 days',
    });
  });

  it('leaves one failed answer when it is killed', async () => {
    const dying = await Service.start(service.environment);
    const { stream } = await openHanging(dying);
    await dying.kill();
    const messages = await alice.messages(String(stream.start?.conversation_id));
    expect(messages.map(({ role, status }) => [role, status])).toEqual([
      ['user', 'complete'],
      ['assistant', 'failed'],
    ]);
  });
});
