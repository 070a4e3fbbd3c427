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

  it('of 8,000 characters of story is read to its end, where it asks', async () => {
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
    ['white space', ' \n\t '],
    ['a question in quotes', `"${QUESTION}"`],
    ['questions alone', '? ? ? ? ?'],
    ['a language without spaces', '客户可以在多长时间内退货订单'],
  ])('of %s has an answer or a refusal, never nothing', async (_, message) => {
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
