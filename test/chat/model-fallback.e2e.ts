import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client, outcome, type Problem } from '../support/client.js';
import {
  answers,
  begin,
  chunk,
  ending,
  ModelServer,
  says,
  saysAndHangs,
} from '../support/model-server.js';
import { freePort } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';

const QUESTION = 'How long may customers return an order?';
const QUOTED = '30 days\nCustomers may return any order within 30 days of delivery. [1]';

/** Is not silent, and says nothing for as long as anybody listens. */
const thinks: ModelServer['behave'] = (response) => {
  begin(response);
  const timer = setInterval(() => response.write(chunk('')), 100);
  response.once('close', () => {
    clearInterval(timer);
  });
};

describe('a knowledge base that falls back to quoting', () => {
  let model: ModelServer;
  let service: Service;
  /** Waits no longer than half a second for the model. */
  let hasty: Service;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let keyId: string;
  let secret: string;

  beforeAll(async () => {
    model = await ModelServer.start();
    service = await Service.start({
      ...model.environment,
      METRICS_PORT: String(await freePort()),
    });
    hasty = await Service.start({
      ...service.environment,
      LLM_TIMEOUT_MS: '500',
      METRICS_PORT: String(await freePort()),
    });
    alice = new Client(service, 'alice');
    partner = new Client(service);
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    ({ id: keyId, api_key: secret } = await alice.createApiKey(kbId));
    const text = 'Customers may return any order within 30 days of delivery.';
    await alice.addDocument(kbId, { title: 'Returns', text });
    await alice.set(kbId, { fallback_to_extractive: true });
    model.behave = answers(500, {});
  });
  afterAll(async () => {
    await Promise.all([service.stop(), hasty.stop()]);
    await model.stop();
  });

  const open = (message = QUESTION, of = service) =>
    ChatStream.open(of, { api_key: secret, message });
  const answerOf = async (conversationId: unknown) =>
    (await alice.messages(String(conversationId)))[1];
  async function fallbacks(of = service): Promise<number> {
    const url = `http://127.0.0.1:${of.environment['METRICS_PORT']}/metrics`;
    const text = await (await fetch(url)).text();
    return Number(/^latchkey_model_fallbacks_total (\d+)$/m.exec(text)?.[1]);
  }

  it.each<[string, ModelServer['behave'], (() => Service)?]>([
    ['fails', answers(500, {})],
    ['refuses the API key', answers(401, {})],
    [
      'drops the connection',
      (response) => {
        response.socket?.destroy();
      },
    ],
    ['is silent', () => undefined, () => hasty],
    ['says white space only', says(' ', '\n')],
    ['stops before it is clear what it says', saysAndHangs('NO'), () => hasty],
  ])('quotes if the model %s, also in a stream', async (_, behave, of = () => service) => {
    model.behave = behave;
    const before = await fallbacks(of());
    const { status, body } = await new Client(of()).chat(secret, QUESTION);
    const quoted = {
      ...{
        answer: QUOTED,
        answered: true,
        finish_reason: 'stop',
        model: 'extractive',
        usage: null,
      },
      sources: [{ index: 1 }],
    };
    expect([status, body]).toMatchObject([200, quoted]);
    const stream = await (await open(QUESTION, of())).done();
    expect(stream.names).toEqual(['message_start', 'sources', 'delta', 'message_end']);
    expect(stream.text).toBe(QUOTED);
    expect(stream.end).toMatchObject({ ...quoted, sources: stream.sources });
    for (const { conversation_id, message_id } of [body, stream.end ?? body]) {
      expect(await answerOf(conversation_id)).toMatchObject({
        ...{ id: message_id, status: 'complete', content: QUOTED, answered: true, usage: null },
      });
    }
    expect(await fallbacks(of())).toBe(before + 2);
    expect(of().logs).toContain('The model failed (model_');
  });

  it('quotes if the model fails midway, unless words were already streamed', async () => {
    model.behave = (response) => {
      begin(response);
      response.write(chunk('Within ') + chunk('30 '), () => response.socket?.destroy());
    };
    const { body } = await partner.chat(secret, QUESTION);
    expect(body).toMatchObject({ answer: QUOTED, model: 'extractive' });
    const stream = await (await open()).done();
    expect(stream.names.at(-1)).toBe('error');
    expect((stream.error as Problem).code).toBe('model_unavailable');
    expect(await answerOf(stream.start?.conversation_id)).toMatchObject({
      status: 'failed',
      content: stream.text,
    });
  });

  it('refuses where the model fails and the passages do not say what was asked', async () => {
    const before = await fallbacks();
    await alice.set(kbId, { refusal_text: 'Ask by mail.' });
    const question = 'Zeppelins airships balloons gliders kites delivery?';
    const { body } = await partner.chat(secret, question);
    expect(body).toMatchObject({ answer: 'Ask by mail.', answered: false, sources: [] });
    const stream = await (await open(question)).done();
    expect(stream.text).toBe('Ask by mail.');
    expect(stream.end).toMatchObject({ answered: false, sources: [], related: [{ index: 1 }] });
    expect(await fallbacks()).toBe(before + 2);
  });

  it('goes on in the words of the model once that is back', async () => {
    expect((await partner.chat(secret, QUESTION)).body.model).toBe('extractive');
    model.behave = says('Within 30 days. [1]');
    expect((await partner.chat(secret, QUESTION)).body).toMatchObject({
      ...{ answer: 'Within 30 days. [1]', model: 'test-model' },
    });
  });

  it('quotes nothing for a client that has disconnected', async () => {
    const before = await fallbacks();
    model.behave = thinks;
    const stream = await open();
    await eventually(() => stream.names.length === 2);
    stream.leave();
    const { conversation_id } = stream.start ?? {};
    await eventually(async () => (await answerOf(conversation_id))?.status === 'aborted');
    expect(await fallbacks()).toBe(before);
  });

  it('quotes nothing under a key that was revoked meanwhile', async () => {
    const before = await fallbacks();
    model.behave = thinks;
    const stream = await open();
    await eventually(() => stream.names.length === 2);
    await alice.call('PATCH', `/api-keys/${keyId}/revoke`);
    await stream.done();
    expect((stream.error as Problem).code).toBe('api_key_revoked');
    expect(stream.text).toBe('');
    expect(await fallbacks()).toBe(before);
  });

  it('must set it: by default the failure is returned', async () => {
    await alice.set(kbId, { fallback_to_extractive: null });
    expect(outcome(await partner.chat(secret, QUESTION))).toBe('502 model_unavailable');
    model.behave = (response) => {
      begin(response);
      response.end(ending());
    };
    expect(outcome(await partner.chat(secret, QUESTION))).toBe('502 model_unavailable');
  });
});
