import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client } from '../support/client.js';
import { figure } from '../support/figure.js';
import { type ModelCall, ModelServer, says, saysAndHangs } from '../support/model-server.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const QUESTION = 'How long may customers return an order?';

describe('a client that leaves', () => {
  let model: ModelServer;
  let service: Service;
  let alice: Client;
  let secret: string;

  beforeAll(async () => {
    model = await ModelServer.start();
    service = await Service.start(model.environment);
    alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    await alice.addDocument(id, { title: 'Returns', text: 'Customers may return any order.' });
    secret = (await alice.createApiKey(id)).api_key;
  });
  afterAll(async () => {
    await service.stop();
    await model.stop();
  });

  const open = () => ChatStream.open(service, { api_key: secret, message: QUESTION });
  const answerOf = async ({ start }: ChatStream) =>
    (await alice.messages(String(start?.conversation_id)))[1];
  const left = async (when: string, call: ModelCall, at: number) => {
    await eventually(() => call.abortedAt !== undefined);
    const elapsed = Number(call.abortedAt) - at;
    figure(`client leaves ${when}: the model's call is aborted after ${elapsed} ms`);
    expect(elapsed).toBeLessThan(STALLED_MS);
  };

  it('ends the call of the model, and leaves what was said', async () => {
    model.behave = saysAndHangs('Within 30 ', 'days');
    const stream = await open();
    await eventually(() => stream.text === 'Within 30 days');
    const call = model.last;
    const at = Date.now();
    stream.leave();
    await left('amid the answer', call, at);
    await eventually(async () => (await answerOf(stream))?.status === 'aborted');
    expect(await answerOf(stream)).toMatchObject({
      content: 'Within 30 days',
      answered: false,
      sources: stream.sources,
    });
  });

  it('before the first word does so, too', async () => {
    model.behave = () => undefined;
    const calls = model.calls.length;
    const stream = await open();
    await eventually(() => model.calls.length > calls && stream.names.length === 2);
    const at = Date.now();
    stream.leave();
    await left('before the first word', model.last, at);
    await eventually(async () => (await answerOf(stream))?.status === 'aborted');
  });

  it('does so without a stream, too', async () => {
    model.behave = says('Yes. [1]');
    const { conversation_id } = (await new Client(service).chat(secret, QUESTION)).body;
    model.behave = saysAndHangs('Within 30 ');
    const calls = model.calls.length;
    const controller = new AbortController();
    const asked = fetch(`${service.url}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: secret, message: QUESTION, conversation_id }),
      signal: controller.signal,
    }).catch(() => undefined);
    await eventually(() => model.calls.length > calls);
    const at = Date.now();
    controller.abort();
    await asked;
    await left('without a stream', model.last, at);
    await eventually(async () => (await alice.messages(conversation_id))[3]?.status === 'aborted');
  });
});
