import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client, type Page } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('a message that asks nothing', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase('Gartenhaus')).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    await alice.addDocument(kbId, {
      title: 'Returns policy',
      text: 'Customers may return any order within 30 days of delivery.',
    });
  });

  it('is answered by what the knowledge base is about', async () => {
    const { body } = await partner.chat(secret, 'Hello there!');
    expect(body).toMatchObject({ answered: true, kind: 'smalltalk', sources: [], usage: null });
    expect(body).not.toHaveProperty('related');
    expect(body.answer).toContain('Gartenhaus');
    expect(body.answer).toContain('Returns policy');
    const [, message] = await alice.messages(body.conversation_id);
    expect(message).toMatchObject({ content: body.answer, kind: 'smalltalk', answered: true });
  });

  it.each([
    ['Hallo!', 'Hallo!'],
    ['¿Quién eres?', 'Respondo preguntas'],
    ['Merci beaucoup !', 'Je vous en prie !'],
    ['再见', '再见！'],
    ['شكرًا جزيلًا', 'على الرحب والسعة!'],
  ])('is answered in its language: %s', async (message, words) => {
    const { body } = await partner.chat(secret, message);
    expect(body).toMatchObject({ answered: true, kind: 'smalltalk' });
    expect(body.answer).toContain(words);
  });

  it('is answered in the language of the conversation where it has none of its own', async () => {
    const { body: first } = await partner.chat(secret, 'lol ok');
    expect(first.answer).toBe('You are welcome!');
    const { body: question } = await partner.chat(secret, 'Wie lange darf ich zurückgeben?');
    const more = { conversation_id: question.conversation_id };
    expect((await partner.chat(secret, 'ok', more)).body.answer).toBe('Gern geschehen!');
  });

  it('is answered by what the knowledge base sets, in the language where it sets several', async () => {
    const answerTo = async (message: string) => (await partner.chat(secret, message)).body.answer;
    await alice.set(kbId, { greeting: 'Welcome!' });
    expect(await answerTo('Hallo!')).toBe('Welcome!');
    await alice.set(kbId, { greeting: { de: 'Willkommen!', en: 'Welcome!' } });
    expect(await answerTo('Guten Tag')).toBe('Willkommen!');
    expect(await answerTo('hello')).toBe('Welcome!');
    expect(await answerTo('👋')).toBe('Welcome!');
    expect(await answerTo('Merci beaucoup !')).toBe('Je vous en prie !');
  });

  it('is a stream like any other answer', async () => {
    const stream = await (
      await ChatStream.open(service, { api_key: secret, message: 'hi' })
    ).done();
    expect(stream.names).toEqual(['message_start', 'sources', 'delta', 'message_end']);
    expect(stream.end).toMatchObject({ answer: stream.text, kind: 'smalltalk', sources: [] });
  });

  it('is counted apart from questions, uses up no message of the day, and is no part of a question', async () => {
    await alice.set(kbId, { daily_message_limit: 1 });
    const { body: first } = await partner.chat(secret, 'Hi!');
    const more = { conversation_id: first.conversation_id };
    const { body: second } = await partner.chat(secret, 'May customers return an order?', more);
    expect(second).toMatchObject({ answered: true, conversation_id: first.conversation_id });
    expect(second).not.toHaveProperty('kind');
    expect((await partner.chat(secret, 'Thank you!', more)).body).toMatchObject({
      answered: true,
      kind: 'smalltalk',
    });
    expect((await partner.chat(secret, 'How many days?', more)).status).toBe(429);
    const report = await alice.get<{ totals: object }>(`/kbs/${kbId}/analytics`);
    expect(report.body.totals).toMatchObject({
      ...{ chats: 1, answered: 1, unanswered: 0, small_talk: 2, conversations: 1 },
    });
    const { data } = (await alice.get<Page<unknown>>(`/kbs/${kbId}/analytics/unanswered`)).body;
    expect(data).toEqual([]);
  });

  it('is only one that says nothing else', async () => {
    const { body } = await partner.chat(secret, 'Hello! How long may customers return an order?');
    expect(body).not.toHaveProperty('kind');
    expect(body.sources).toHaveLength(1);
  });

  it('names a document without a title by its file, without the ending', async () => {
    await alice.addDocument(kbId, { title: 'Prices 2.0.html', text: 'All prices.' });
    const { body } = await partner.chat(secret, 'Who are you?');
    expect(body.answer).toMatch(/Prices 2\.0(?!\.html)/);
  });

  it('names only the documents that the key may see', async () => {
    await alice.addDocument(kbId, {
      title: 'Secret prices',
      text: 'Prices are secret.',
      metadata: { level: 'internal' },
    });
    const filter = { type: 'ne', key: 'level', value: 'internal' };
    const { api_key } = await alice.createApiKey(kbId, { filter });
    const { body } = await partner.chat(api_key, 'Who are you?');
    expect(body.answer).toContain('Returns policy');
    expect(body.answer).not.toContain('Secret');
    expect((await partner.chat(secret, 'Who are you?')).body.answer).toContain('Secret prices');
  });

  it('continues no conversation of somebody else', async () => {
    const { body } = await partner.chat(secret, 'Hi!');
    const other = await alice.createKnowledgeBase();
    const { api_key } = await alice.createApiKey(other.id);
    const answer = await partner.chat(api_key, 'Hi!', { conversation_id: body.conversation_id });
    expect(answer.status).toBe(404);
  });

  it('is answered in the playground too', async () => {
    const { body } = await alice.post(`/kbs/${kbId}/chat`, { message: 'Guten Tag' });
    expect(body).toMatchObject({ answered: true, kind: 'smalltalk', conversation_id: null });
  });
});
