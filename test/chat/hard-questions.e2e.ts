import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { newUserId, sharedService } from '../support/shared-service.js';

const STORY =
  'Last summer my aunt moved to the coast, and we packed her lamps, her chairs and her cat. ';
const QUESTION = 'How long may customers return an order?';
const LONG = `${STORY.repeat(100).slice(0, 8000 - QUESTION.length - 1)} ${QUESTION}`;

describe('a question that is hard to read', () => {
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    const service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Customers may return any order within 30 days of delivery. 退货期限为三十天。',
    });
  });

  it('is read to the end of 8,000 characters of story, where it asks', async () => {
    const { body } = await partner.chat(secret, LONG);
    expect(body).toMatchObject({ answered: true, answer: expect.stringContaining('30 days') });
  });

  it.each([
    ['8,000 characters of story and a question', LONG],
    ['8,000 characters of story', STORY.repeat(100).slice(0, 8000)],
    ['one emoji', '🔑'],
    ['emoji alone', '🙃🙃🙃'],
    ['one sign', '?'],
    ['names alone', 'Grace Hopper, Ada Lovelace, Ray Tomlinson'],
    ['two scripts', 'Can I 退货 my order 三十天 later?'],
    ['both directions', 'What is טופס החזרה for my order?'],
    ['a question in quotes', `"${QUESTION}"`],
    ['questions alone', '? ? ? ? ?'],
    ['a language without spaces', '客户可以在多长时间内退货订单'],
  ])('gets an answer or a refusal, never nothing: %s', async (_, message) => {
    for (const { status, body } of [
      await partner.chat(secret, message),
      await alice.post<{ answer: string; answered: boolean }>(`/kbs/${kbId}/chat`, { message }),
    ]) {
      expect(status).toBe(200);
      expect(body.answer.trim()).not.toBe('');
      expect(typeof body.answered).toBe('boolean');
      if (!body.answered) expect(body).toMatchObject({ sources: [], related: expect.any(Array) });
    }
  });
});

describe('a question to a row of a table', () => {
  let partner: Client;
  let secret: string;

  beforeAll(async () => {
    const service = await sharedService();
    const alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    const { id } = await alice.createKnowledgeBase();
    secret = (await alice.createApiKey(id)).api_key;
    for (const [title, text] of [
      [
        '渡轮时刻表',
        '| 航线 | 码头 | 开船时间 |\n| --- | --- | --- |\n| 一号航线 | 北岸 | 8:10 |\n| 二号航线 | 东门 | 8:40 |\n| 三号航线 | 灯塔 | 9:20 |',
      ],
      [
        'الدورات',
        '| الدورة | الرسوم | الموعد |\n| --- | --- | --- |\n| السباحة | 30 دينارا | الأحد |\n| الرسم | 25 دينارا | الاثنين |',
      ],
    ] as const) {
      await alice.addDocument(id, { title, text });
    }
  });

  it.each([
    ['二号航线几点开船？', '8:40'],
    ['كم ندفع لدورة السباحة؟', '30 دينارا'],
  ])('is answered though the knowledge base is small: %s', async (question, answer) => {
    const { body } = await partner.chat(secret, question);
    expect(body).toMatchObject({ answered: true, answer: expect.stringContaining(answer) });
  });

  it('is refused where only other rows are there', async () => {
    const { body } = await partner.chat(secret, '六号航线几点开船？');
    expect(body.answered).toBe(false);
  });
});
