import { beforeAll, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client, type QueryAnswer } from '../support/client.js';
import { newUserId, type SharedService, sharedService } from '../support/shared-service.js';

const FILLER = 'Parcels leave the house every morning with the post of the town. '.repeat(12);
const SENTENCE = 'Customers may **return** any order within `30 days` of delivery.';
const QUESTION = 'How long may customers return an order?';

describe('an answer without a language model', () => {
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
    await alice.set(kbId, { model: 'extractive' });
    await alice.addDocument(kbId, { title: 'Returns', text: `${FILLER}${SENTENCE} ${FILLER}` });
    await alice.addDocument(kbId, { title: 'Orders', text: 'An order is placed by customers.' });
  });

  /** A key of a knowledge base with other documents. */
  const partnerOf = async (texts: readonly string[]) => {
    const { id } = await alice.createKnowledgeBase();
    await alice.set(id, { model: 'extractive' });
    for (const text of texts)
      await alice.addDocument(id, { title: 'Paper', text, mime_type: 'text/markdown' });
    return alice.createApiKey(id);
  };

  /** The whole text of a passage. */
  const textOf = async (passageId: string | undefined) => {
    const { body } = await partner.query(secret, QUESTION);
    const results: (QueryAnswer['results'][number] & { chunk_id: string })[] = body.results;
    return String(results.find(({ chunk_id }) => chunk_id === passageId)?.text);
  };

  it('says where it has quoted, and which sources it cites', async () => {
    const { body } = await partner.chat(secret, QUESTION);
    expect(body).toMatchObject({ answered: true, model: 'extractive' });
    expect(body).not.toHaveProperty('grounded');
    expect(body).not.toHaveProperty('kind');
    expect(body).not.toHaveProperty('related');
    const cited = body.sources.filter((source) => source.cited);
    expect(cited.length).toBeGreaterThan(0);
    expect(body.sources.length).toBeGreaterThan(cited.length);
    for (const { index, chunk_id, quote, snippet } of cited) {
      expect(body.answer).toContain(`[${index}]`);
      const text = await textOf(chunk_id);
      expect(text.slice(quote?.start, quote?.end)).toBe(quote?.text);
      expect(snippet).toContain(quote?.text);
      expect(text).toContain(snippet.replaceAll('…', ''));
    }
    const [message] = (await alice.messages(body.conversation_id)).slice(1);
    expect(message?.sources).toEqual(body.sources);
  });

  it('begins with the value that was asked for, for partners, members and in streams', async () => {
    const { body } = await partner.chat(secret, QUESTION);
    const value = '30 days';
    expect(body).toMatchObject({ answer_value: value });
    expect(body.answer).toMatch(/^30 days\nCustomers may return any order within 30 days of/);
    const cited = body.sources.find((source) => source.cited);
    expect(await textOf(cited?.chunk_id)).toContain(value);
    const tried = await alice.post<{ answer: string }>(`/kbs/${kbId}/chat`, { message: QUESTION });
    expect(tried.body).toMatchObject({ answer: body.answer, answer_value: value });
    const asked = { api_key: secret, message: QUESTION };
    const stream = await (await ChatStream.open(service, asked)).done();
    expect(stream.text).toBe(body.answer);
    expect(stream.end).toMatchObject({ answer: body.answer, answer_value: value });
    const [message] = (await alice.messages(body.conversation_id)).slice(1);
    expect(message?.content).toBe(body.answer);
  });

  it('has no value where none is asked for, or nothing is answered', async () => {
    for (const asked of ['May customers return an order?', 'Zeppelins airships balloons?']) {
      expect((await partner.chat(secret, asked)).body).not.toHaveProperty('answer_value');
    }
  });

  it('takes the cell of the column that is asked for, of a code in any spelling', async () => {
    const { api_key } = await partnerOf([
      '| Model | Load (kg) | Price (EUR) |\n|---|---|---|\n| KX-100 | 1200 | 21,900 |\n| KX-100S | 1250 | 23,500 |',
    ]);
    for (const asked of ['What does the KX-100 cost?', 'What does the kx100 cost?']) {
      const { body } = await partner.chat(api_key, asked);
      expect(body).toMatchObject({ answered: true, answer_value: '21,900' });
      expect(body.answer).toBe(
        '21,900\nModel | Load (kg) | Price (EUR)\nKX-100 | 1200 | 21,900 [1]',
      );
    }
  });

  it('goes on to what restricts it', async () => {
    const { api_key } = await partnerOf([
      'You may work from home two days a week. Workshop staff may not. The yard is large.',
    ]);
    const { body } = await partner.chat(api_key, 'How many days may I work from home?');
    expect(body.answer).toMatch(/^two days\nYou may work .* Workshop staff may not\./);
  });

  it('has a short snippet around what it quotes', async () => {
    const { body } = await partner.chat(secret, QUESTION);
    const [source] = body.sources.filter(({ document_title: title }) => title === 'Returns');
    expect(source?.snippet).toContain('30 days');
    expect(source?.snippet).toMatch(/^…[^…]+…$/);
    expect(source?.snippet.length).toBeLessThan(400);
  });

  it('has related passages instead where it is refused, with the place that may help', async () => {
    const asked = 'Zeppelins airships balloons gliders delivery?';
    const { body } = await partner.chat(secret, asked);
    expect(body).toMatchObject({ answered: false, sources: [] });
    expect(body.related?.map(({ index, document_title }) => [index, document_title])).toEqual([
      [1, 'Returns'],
    ]);
    expect(body.related?.[0]?.snippet).toContain('delivery');
    expect((await alice.messages(body.conversation_id))[1]).toMatchObject({
      ...{ answered: false, sources: [], related: body.related },
    });
  });

  it('has at most three related passages', async () => {
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      await alice.addDocument(kbId, { title, text: `${title} penguins of the south.` });
    }
    const asked = 'Zeppelins airships balloons gliders penguins?';
    const { body } = await partner.chat(secret, asked);
    expect(body).toMatchObject({ answered: false });
    expect(body.related).toHaveLength(3);
  });

  it('answers two questions each with its quotation', async () => {
    const { body } = await partner.chat(secret, `${QUESTION} And who places an order?`);
    expect(body.answer).toContain('within 30 days of delivery');
    expect(body.answer).toContain('An order is placed by customers.');
    const cited = body.sources.filter((source) => source.cited);
    expect(new Set(cited.map((source) => source.document_title))).toEqual(
      new Set(['Returns', 'Orders']),
    );
    expect(body).not.toHaveProperty('related');
  });

  it('answers a second question that asks the same of something else', async () => {
    const paragraphs = [
      'The notice period for a flex desk is 14 days.',
      'A flex desk has no cabinet, and each flex desk has a lamp.',
      'A studio has a notice of 60 days.',
    ];
    await alice.addDocument(kbId, { title: 'Rooms', text: paragraphs.join('\n\n') });
    const asked = 'Notice period for a flex desk? And for a studio?';
    const { body } = await partner.chat(secret, asked);
    const [first, , second] = paragraphs;
    expect(body.answer.replaceAll(/ \[\d+\]/g, '')).toBe(`${first}\n\n${second}`);
  });

  it('says of one of two questions that it has no answer, in its language', async () => {
    const unknown = 'Wie viel kosten Zeppelin und Heißluftballon?';
    const { body } = await partner.chat(secret, `${QUESTION} ${unknown}`);
    expect(body).toMatchObject({ answered: true });
    expect(body.answer).toContain('within 30 days of delivery');
    expect(body.answer).toContain(`${unknown}\nDazu habe ich`);
    expect(body.answer.match(/Dazu habe ich/g)).toHaveLength(1);
    expect((await alice.messages(body.conversation_id))[1]?.content).toBe(body.answer);
  });
});
