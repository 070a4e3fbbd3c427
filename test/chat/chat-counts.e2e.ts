import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client, type IssuedApiKey, outcome, type Page } from '../support/client.js';
import { answers, ModelServer, says, saysAndHangs } from '../support/model-server.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const QUESTION = 'How long may customers return an order?';

let model: ModelServer;
let service: Service;
let alice: Client;
let partner: Client;
let kbId: string;
let key: IssuedApiKey;

beforeAll(async () => {
  model = await ModelServer.start();
  service = await Service.start(model.environment);
  alice = new Client(service, 'alice');
  partner = new Client(service);
});
beforeEach(async () => {
  kbId = (await alice.createKnowledgeBase()).id;
  await alice.addDocument(kbId, { title: 'Returns', text: 'Customers may return any order.' });
  key = await alice.createApiKey(kbId);
  model.behave = says('Within 30 days. [1]');
});
afterAll(async () => {
  await service.stop();
  await model.stop();
});

const figures = async (search = '') =>
  (await alice.get<{ totals: Record<string, number> }>(`/kbs/${kbId}/analytics?${search}`)).body
    .totals;
const chat = (more: object = {}) => partner.chat(key.api_key, QUESTION, more);
const records = () =>
  sql<{ id: string; chats: number }>(
    service.environment,
    `SELECT id, chats FROM usage_counts
     WHERE kb_id = '${kbId}' AND period = 'request' AND chats = 1`,
  );
async function openHanging(more: object = {}): Promise<ChatStream> {
  model.behave = saysAndHangs('Within 30 days [1]');
  const stream = await ChatStream.open(service, {
    ...{ api_key: key.api_key, message: QUESTION, ...more },
  });
  await eventually(() => stream.text !== '');
  return stream;
}
const isOver = ({ start }: ChatStream) =>
  eventually(
    async () => (await alice.messages(String(start?.conversation_id)))[1]?.status === 'aborted',
  );
const list = async (search: string) =>
  (await alice.get<Page<{ id: string }>>(`/kbs/${kbId}/conversations?${search}`)).body.data.map(
    ({ id }) => id,
  );

describe('a chat', () => {
  it('counts as neither answered nor unanswered if its client disconnects', async () => {
    const { conversation_id: answered } = (await chat()).body;
    const stream = await openHanging({ end_user_id: 'ann' });
    stream.leave();
    await isOver(stream);
    expect(await figures()).toMatchObject({
      ...{ chats: 2, conversations: 2, answered: 1, unanswered: 0, end_users: 1 },
    });
    expect((await records()).map(({ id }) => id)).toContain(stream.start?.message_id);
    const { body } = await alice.get<Page<{ count: number }>>(
      `/kbs/${kbId}/analytics/top-documents`,
    );
    expect(body.data.map(({ count }) => count)).toEqual([1]);
    expect((await alice.get<Page<object>>(`/kbs/${kbId}/analytics/unanswered`)).body.total).toBe(0);
    expect(await list('answered=false')).toEqual([]);
    expect(await list('answered=true')).toEqual([answered]);
  });

  it('is not counted if it ends because its key is revoked', async () => {
    const stream = await openHanging();
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    await stream.done();
    await isOver(stream);
    expect(await figures()).toMatchObject({ chats: 0, conversations: 1, answered: 0 });
    expect(await records()).toEqual([]);
  });

  it('is not counted if it fails, but its conversation is, without an answer', async () => {
    model.behave = answers(401, {});
    expect(outcome(await chat())).toBe('502 model_unavailable');
    const [id = ''] = await list('');
    expect(await figures()).toMatchObject({ chats: 0, conversations: 1 });
    const { body } = await alice.get<{ created_at: string }>(`/conversations/${id}`);
    const from = body.created_at;
    // Counted in the millisecond in which it was begun.
    expect(await figures(`from=${from}`)).toMatchObject({ conversations: 1, latency_p50_ms: null });
    expect(await figures(`from=2026-01-01&to=${from}`)).toMatchObject({ conversations: 0 });
    expect(await list('answered=true')).toEqual([]);
    model.behave = says('Within 30 days. [1]');
    await chat({ conversation_id: id });
    expect(await figures()).toMatchObject({ chats: 1, conversations: 1, answered: 1 });
    expect(await list('answered=true')).toEqual([id]);
  });

  it('is counted at the time of its message, as its rating is', async () => {
    const stream = await openHanging();
    const id = String(stream.start?.conversation_id);
    const at = (await alice.messages(id))[1] as unknown as { created_at: string };
    stream.leave();
    await isOver(stream);
    await partner.post(`/messages/${String(stream.start?.message_id)}/feedback`, {
      ...{ api_key: key.api_key, rating: 'up' },
    });
    const after = new Date(Date.parse(at.created_at) + 1).toISOString();
    expect(await figures(`from=${at.created_at}&to=${after}`)).toMatchObject({ chats: 1, up: 1 });
  });

  it('is counted without an end user if its conversation is erased meanwhile', async () => {
    model.behave = saysAndHangs('Within 30 days [1]');
    const stream = await openHanging({ end_user_id: 'ann' });
    await alice.call('DELETE', `/kbs/${kbId}/conversations?end_user_id=ann`);
    stream.leave();
    await eventually(async () => (await records()).length === 1);
    expect(await figures()).toMatchObject({ chats: 1, conversations: 1, end_users: 0 });
    expect(await list('')).toEqual([]);
  });
});

describe('an end user', () => {
  it('owns the conversation even if named later, and is erased with it', async () => {
    const { conversation_id } = (await chat()).body;
    await chat({ conversation_id, end_user_id: 'ann' });
    expect(await list('end_user_id=ann')).toEqual([conversation_id]);
    // Not named again, yet the same.
    await chat({ conversation_id });
    expect(await figures()).toMatchObject({ conversations: 1, end_users: 1 });
    await alice.call('DELETE', `/kbs/${kbId}/conversations?end_user_id=ann`);
    expect(await list('')).toEqual([]);
  });

  it('does not take over the conversation of another', async () => {
    const { conversation_id } = (await chat({ end_user_id: 'ann' })).body;
    expect((await chat({ conversation_id, end_user_id: 'ben' })).status).toBe(404);
    expect(await list('end_user_id=ben')).toEqual([]);
    expect(await list('end_user_id=ann')).toEqual([conversation_id]);
    expect(await figures()).toMatchObject({ chats: 1, end_users: 1 });
  });
});
