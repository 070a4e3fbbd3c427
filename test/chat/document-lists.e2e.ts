import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('a question for documents', () => {
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
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    const add = (title: string, kind: string, text: string) =>
      alice.addDocument(kbId, { title, text, metadata: { kind } });
    await add('Pump P3', 'manual', 'The pump moves forty litres of water a minute.');
    await add('Boiler B7', 'manual', 'The boiler heats water to sixty degrees.');
    await add('Returns', 'policy', 'Customers may return any order within 30 days.');
  });

  it('is answered by their number and titles, if no passage answers it', async () => {
    const { body } = await partner.chat(secret, 'How many documents are there?');
    expect(body).toMatchObject({ answered: true, kind: 'list', total: 3, sources: [] });
    expect(body.answer).toBe('3\n\n- Pump P3\n- Boiler B7\n- Returns');
    const [, message] = await alice.messages(body.conversation_id);
    expect(message).toMatchObject({ content: body.answer, kind: 'list', answered: true });
  });

  it.each([
    ['Which documents are about the pump?', ['Pump P3']],
    ['Which manuals are there?', ['Pump P3', 'Boiler B7']],
    ['Welche Dokumente gibt es?', ['Pump P3', 'Boiler B7', 'Returns']],
  ])('lists what the titles and the metadata name: %s', async (question, titles) => {
    const { body } = await partner.chat(secret, question);
    expect(body).toMatchObject({ kind: 'list', total: titles.length });
    expect(body.answer).toBe(titles.map((title) => `- ${title}`).join('\n'));
  });

  it('is refused where no document fits', async () => {
    const { body } = await partner.chat(secret, 'Which documents are about parking?');
    expect(body.answered).toBe(false);
    expect(body).not.toHaveProperty('kind');
    expect(body).not.toHaveProperty('total');
  });

  it('is answered by a passage that can', async () => {
    await alice.addDocument(kbId, {
      title: 'Visa',
      text: 'Two documents are needed for a visa: a passport and a photo.',
    });
    const { body } = await partner.chat(secret, 'Which documents are needed for a visa?');
    expect(body).not.toHaveProperty('kind');
    expect(body.answer).toContain('passport');
  });

  it('is answered by the documents alone that the key and the request allow', async () => {
    const filter = { type: 'eq', key: 'kind', value: 'manual' };
    const { api_key: manuals } = await alice.createApiKey(kbId, { filter });
    const { body } = await partner.chat(manuals, 'How many documents are there?');
    expect(body).toMatchObject({ total: 2, answer: '2\n\n- Pump P3\n- Boiler B7' });
    const only = { filter: { type: 'eq', key: 'kind', value: 'policy' } };
    const asked = await partner.chat(secret, 'How many documents are there?', only);
    expect(asked.body).toMatchObject({ total: 1, answer: '1\n\n- Returns' });
    const none = await partner.chat(manuals, 'How many documents are there?', only);
    expect(none.body.answered).toBe(false);
  });

  it('names no document that the asker may not read, now or later', async () => {
    const { api_key: own } = await alice.createApiKey(kbId);
    const secretPaper = { title: 'Salaries', text: 'The salary of the director is high.' };
    const { id } = await alice.addDocument(kbId, secretPaper);
    const before = await partner.chat(own, 'How many documents are there?');
    expect(before.body).toMatchObject({ total: 4 });
    const { conversation_id } = before.body;
    expect((await alice.messages(conversation_id))[1]?.content).toContain('Salaries');
    await alice.call('PATCH', `/documents/${id}`, { access: { allow: ['group:hr'] } });
    expect((await partner.chat(own, 'How many documents are there?')).body).toMatchObject({
      ...{ total: 3, answer: '3\n\n- Pump P3\n- Boiler B7\n- Returns' },
    });
    const about = await partner.chat(own, 'Which documents are about salaries?');
    expect(about.body.answered).toBe(false);
    expect((await alice.messages(conversation_id))[1]?.content).not.toContain('Salaries');
  });

  it('says how many there are where there are too many to name', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: key } = await alice.createApiKey(id);
    for (let n = 0; n < 22; n++) {
      await alice.addDocument(id, { title: `Part ${n}`, text: `The part has ${n} screws.` });
    }
    const { body } = await partner.chat(key, 'Which documents do you have?');
    const lines = body.answer.split('\n');
    expect([lines[0], lines[2], lines.at(-2), lines.at(-1)]).toEqual([
      '22',
      '- Part 0',
      '- Part 19',
      '- …',
    ]);
    expect(body).toMatchObject({ kind: 'list', total: 22 });
  });
});
