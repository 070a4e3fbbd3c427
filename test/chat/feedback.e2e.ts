import { beforeAll, describe, expect, it } from '@jest/globals';
import { typeid } from 'typeid-js';
import {
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';

interface Message {
  id: string;
  role: string;
  feedback: { rating: string; comment: string | null } | null;
}

const QUESTION = 'How long may customers return an order?';

describe('feedback on an answer', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    const text = 'Customers may return any order within 30 days.';
    await alice.addDocument(kbId, { title: 'Returns', text });
  });

  const chat = async () => (await partner.chat(secret, QUESTION)).body;
  const give = (messageId: string, body: object, api_key: unknown = secret) =>
    partner.post(`/messages/${messageId}/feedback`, { api_key, ...body });
  const messagesOf = async (conversationId: string) =>
    (await alice.get<Page<Message>>(`/conversations/${conversationId}/messages`)).body.data;
  const counted = async () => {
    const { body } = await alice.get<{ totals: { up: number; down: number } }>(
      `/kbs/${kbId}/analytics`,
    );
    return [body.totals.up, body.totals.down];
  };

  it('is given, replaced and taken back, shown with the message and counted once', async () => {
    const { conversation_id: conversationId, message_id: id } = await chat();
    const shown = async () => (await messagesOf(conversationId)).map(({ feedback }) => feedback);
    const [up, down] = (await counted()) as [number, number];
    expect(await shown()).toEqual([null, null]);

    const given = await give(id, { rating: 'up', comment: 'Thanks! 🙏' });
    expect([given.status, given.body]).toEqual([
      200,
      { message_id: id, rating: 'up', comment: 'Thanks! 🙏' },
    ]);
    expect(await shown()).toEqual([null, { rating: 'up', comment: 'Thanks! 🙏' }]);
    expect(await counted()).toEqual([up + 1, down]);

    expect((await give(id, { rating: 'up' })).body).toEqual({
      ...{ message_id: id, rating: 'up', comment: null },
    });
    expect(await counted()).toEqual([up + 1, down]);
    await give(id, { rating: 'down', comment: 'On second thoughts' });
    expect(await shown()).toEqual([null, { rating: 'down', comment: 'On second thoughts' }]);
    expect(await counted()).toEqual([up, down + 1]);

    expect((await give(id, { rating: null, comment: 'never mind' })).body).toEqual({
      ...{ message_id: id, rating: null, comment: null },
    });
    expect(await shown()).toEqual([null, null]);
    expect(await counted()).toEqual([up, down]);
    expect((await give(id, { rating: null })).status).toBe(200);
  });

  it('is refused with too long a comment', async () => {
    const { message_id: id } = await chat();
    const rate = (length: number) => give(id, { rating: 'up', comment: '🙏'.repeat(length) });
    expect((await rate(2000)).status).toBe(200);
    expect(outcome(await rate(2001))).toBe('400 validation_failed');
  });

  it('is counted once, however many give it at once', async () => {
    const { message_id: id } = await chat();
    const [up, down] = (await counted()) as [number, number];
    const ratings = ['up', 'down', null, 'up'];
    const answers = await atOnce(40, (n) => give(id, { rating: ratings[n % 4] }));
    expect(outcomes(answers)).toEqual({ 200: 40 });
    await give(id, { rating: 'down' });
    expect(await counted()).toEqual([up, down + 1]);
    await give(id, { rating: null });
    expect(await counted()).toEqual([up, down]);
  });

  it('is refused while an answer is being given, and when it failed', async () => {
    const { message_id: id } = await chat();
    const become = (change: string) =>
      sql(service.environment, `UPDATE messages SET ${change} WHERE id = '${id}'`);
    const before = await counted();
    await become(`status = 'failed', latency_ms = NULL`);
    expect(outcome(await give(id, { rating: 'up' }))).toBe('404 not_found');
    await become(`status = 'failed', latency_ms = 7`);
    expect(outcome(await give(id, { rating: 'up' }))).toBe('404 not_found');
    expect(await counted()).toEqual(before);
    await become(`status = 'aborted'`);
    expect(outcome(await give(id, { rating: 'up' }))).toBe('200');
  });

  it('counts for the key that asked, not for the one that began or the one that rates', async () => {
    const { id: kb } = await alice.createKnowledgeBase();
    const first = await alice.createApiKey(kb);
    const { body: second } = await alice.post<IssuedApiKey>(`/api-keys/${first.id}/rotate`, {});
    const { conversation_id } = (await partner.chat(first.api_key, QUESTION)).body;
    const asked = await partner.chat(second.api_key, QUESTION, { conversation_id });
    await give(asked.body.message_id, { rating: 'up' }, first.api_key);
    const { body } = await alice.get<{ data: { api_key_id: string; totals: { up: number } }[] }>(
      `/kbs/${kb}/analytics?group_by=api_key`,
    );
    const up = new Map(body.data.map(({ api_key_id: id, totals }) => [id, totals.up]));
    expect([up.get(first.id), up.get(second.id)]).toEqual([0, 1]);
  });

  it('is refused for what is no answer of the key’s knowledge base', async () => {
    const { conversation_id: conversationId, message_id: id } = await chat();
    const question = (await messagesOf(conversationId)).find(({ role }) => role === 'user');
    const otherKb = await alice.createKnowledgeBase();
    const otherKey = await alice.createApiKey(otherKb.id);
    const before = await counted();
    const rating = { rating: 'up' };
    expect(outcome(await give(id, rating, otherKey.api_key))).toBe('404 not_found');
    expect(outcome(await give(question?.id ?? '', rating))).toBe('404 not_found');
    expect(outcome(await give(typeid('msg').toString(), rating))).toBe('404 not_found');
    expect(outcome(await give('msg_nonsense', rating))).toBe('404 not_found');
    expect(outcome(await give(id, rating, null))).toBe('401 api_key_required');
    expect(outcome(await give(id, rating, 'rag_live_nonsense'))).toBe('401 invalid_api_key');
    expect(outcome(await alice.post(`/messages/${id}/feedback`, rating))).toBe(
      '401 api_key_required',
    );
    expect(await counted()).toEqual(before);
  });

  it('is refused with what a rating may be', async () => {
    const { message_id: id } = await chat();
    const { body } = await give(id, { rating: 'sideways' });
    expect(body).toMatchObject({
      errors: [{ message: 'rating must be one of the following values: up, down, null' }],
    });
  });

  it.each([
    ['rating', {}],
    ['rating', { rating: 'sideways' }],
    ['rating', { rating: 1 }],
    ['rating', { rating: ['up'] }],
    ['comment', { rating: 'up', comment: 'a\0b' }],
    ['comment', { rating: 'up', comment: 7 }],
    ['note', { rating: 'up', note: 'unknown' }],
  ])('is refused with a bad %s: %j', async (field, body) => {
    const { message_id: id, conversation_id: conversationId } = await chat();
    const answer = await give(id, body);
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.body).toMatchObject({ errors: [{ field }] });
    expect((await messagesOf(conversationId)).every(({ feedback }) => !feedback)).toBe(true);
  });
});
