import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client } from '../support/client.js';
import { answers, ModelServer, says } from '../support/model-server.js';
import { Service } from '../support/service.js';

const TEXT = 'Customers may return any order within 30 days of delivery.';
const QUESTION = 'How long may customers return an order?';
const ELSEWHERE = 'Who delivers the orders of customers in Norway?';

describe('the confidence of an answer', () => {
  let model: ModelServer;
  let service: Service;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    model = await ModelServer.start();
    service = await Service.start(model.environment);
    alice = new Client(service, 'alice');
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    await alice.addDocument(kbId, { title: 'Returns', text: TEXT });
    await alice.set(kbId, { model: 'extractive' });
  });
  afterAll(async () => {
    await service.stop();
    await model.stop();
  });

  it('is high where the documents have it, and low where they do not', async () => {
    const { body: answered } = await partner.chat(secret, QUESTION);
    const { body: refused } = await partner.chat(secret, ELSEWHERE);
    const { body: nothing } = await partner.chat(secret, 'Wombats?');
    expect([answered.answered, refused.answered, nothing.answered]).toEqual([true, false, false]);
    expect(answered.confidence).toBeGreaterThan(0.7);
    expect(answered.confidence).toBeLessThanOrEqual(1);
    expect(refused.confidence).toBeLessThan(0.5);
    expect(nothing.confidence).toBe(0);
  });

  it('is the same in a stream, in the playground and in the stored answer', async () => {
    const { body } = await partner.chat(secret, QUESTION);
    const stream = await ChatStream.open(service, { api_key: secret, message: QUESTION });
    const { end } = await stream.done();
    const { body: tried } = await alice.post<{ confidence: number }>(`/kbs/${kbId}/chat`, {
      message: QUESTION,
    });
    const [, stored] = await alice.messages(body.conversation_id);
    expect([end?.confidence, tried.confidence, stored?.confidence]).toEqual(
      Array(3).fill(body.confidence),
    );
  });

  it('decides with answer_threshold, which is on the same scale', async () => {
    const { body } = await partner.chat(secret, QUESTION);
    const confidence = Number(body.confidence);
    const isAnsweredAt = async (threshold: number | null) => {
      await alice.set(kbId, { answer_threshold: threshold });
      return (await partner.chat(secret, QUESTION)).body.answered;
    };
    expect(await isAnsweredAt(confidence)).toBe(true);
    expect(await isAnsweredAt(confidence + 0.01)).toBe(false);
    await alice.set(kbId, { answer_threshold: 0 });
    expect((await partner.chat(secret, ELSEWHERE)).body.answered).toBe(true);
    await alice.set(kbId, { answer_threshold: null });
  });

  it('is that of the less certain one of two answers', async () => {
    const each = await Promise.all(
      [QUESTION, 'Which orders may customers return?'].map((one) => partner.chat(secret, one)),
    );
    const { body } = await partner.chat(secret, `${QUESTION} Which orders may customers return?`);
    expect(body.answered).toBe(true);
    expect(body.confidence).toBeLessThanOrEqual(
      Math.max(...each.map((one) => Number(one.body.confidence))),
    );
  });

  it('has only a quoted answer', async () => {
    expect((await partner.chat(secret, 'Hello!')).body).not.toHaveProperty('confidence');
    await alice.set(kbId, { model: null, fallback_to_extractive: true });
    model.behave = says('Within 30 days. [1]');
    expect((await partner.chat(secret, QUESTION)).body).not.toHaveProperty('confidence');
    model.behave = answers(500, {});
    const { body } = await partner.chat(secret, QUESTION);
    expect(body).toMatchObject({ model: 'extractive', answered: true });
    expect(body.confidence).toBeGreaterThan(0.7);
    await alice.set(kbId, { model: 'extractive' });
  });
});
