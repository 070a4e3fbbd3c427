import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client, type Page } from '../support/client.js';
import { answers, ModelServer, says } from '../support/model-server.js';
import { Service } from '../support/service.js';

const QUESTION = 'How long may customers return an order?';
/** Shares a word with the passage, and asks for something else. */
const OFF_TOPIC = 'Zeppelins airships balloons gliders kites delivery?';

describe('an answer that is refused', () => {
  let model: ModelServer;
  let service: Service;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    model = await ModelServer.start();
    service = await Service.start(model.environment);
    alice = new Client(service, 'alice');
    partner = new Client(service);
  });
  afterAll(async () => {
    await service.stop();
    await model.stop();
  });

  const ways: [string, string, object, ModelServer['behave']][] = [
    ['nothing was found', 'Wombats?', {}, says('Unasked.')],
    ['quoting finds nothing to say', OFF_TOPIC, { model: 'extractive' }, says('Unasked.')],
    ['the model says so', QUESTION, {}, says('NO_ANSWER')],
    ['the model says so and more', QUESTION, {}, says('NO_', 'ANSWER. Nothing is said.')],
    ['the model says so in bold', QUESTION, {}, says('**NO_', 'ANSWER**')],
    ['the model says so in quotes', QUESTION, {}, says(' "NO_ANSWER"')],
    [
      'the model failed and quoting finds nothing to say',
      OFF_TOPIC,
      { fallback_to_extractive: true },
      answers(500, {}),
    ],
  ];

  it.each(ways)('has no sources and is counted if %s', async (_, question, settings, behave) => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(kbId);
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Customers may return any order within 30 days of delivery.',
    });
    await alice.set(kbId, { ...settings, refusal_text: 'Ask by mail.' });
    model.behave = behave;

    const related = question === 'Wombats?' ? [] : [{ index: 1, document_title: 'Returns' }];
    const refusal = { answer: 'Ask by mail.', answered: false, sources: [], related };
    const { body } = await partner.chat(secret, question);
    expect(body).toMatchObject(refusal);
    const stream = await (
      await ChatStream.open(service, { api_key: secret, message: question })
    ).done();
    expect(stream.text).toBe('Ask by mail.');
    expect(stream.end).toMatchObject(refusal);
    expect(stream.related).toMatchObject(related);
    for (const { conversation_id: id } of [body, stream.end as typeof body]) {
      expect((await alice.messages(id))[1]).toMatchObject({
        content: 'Ask by mail.',
        answered: false,
        sources: [],
        related,
      });
    }
    const top = await alice.get<Page<unknown>>(`/kbs/${kbId}/analytics/top-documents`);
    expect(top.body.data).toEqual([]);

    type Row = { question: string; count: number };
    const { data } = (await alice.get<Page<Row>>(`/kbs/${kbId}/analytics/unanswered`)).body;
    expect(data).toMatchObject([{ question, count: 2 }]);
    const report = await alice.get<{ totals: object }>(`/kbs/${kbId}/analytics`);
    expect(report.body.totals).toMatchObject({ chats: 2, answered: 0, unanswered: 2 });
    const refused = await alice.get<Page<unknown>>(`/kbs/${kbId}/conversations?answered=false`);
    expect(refused.body.total).toBe(2);
  });

  it('is in the language of the question, unless the knowledge base sets its own', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(kbId);
    const answerTo = async (message: string) => (await partner.chat(secret, message)).body.answer;
    expect(await answerTo('Wo wohnen die Wombats?')).toBe(
      'Dazu habe ich in der Wissensdatenbank nichts gefunden.',
    );
    expect(await answerTo('袋熊住在哪里？')).toBe('知识库中没有找到与此相关的内容。');
    expect(await answerTo('Where do wombats live?')).toMatch(/^I could not find/);
    await alice.set(kbId, {
      refusal_text: { de: 'Bitte schreiben Sie uns.', en: 'Please write.' },
    });
    expect(await answerTo('Wo wohnen die Wombats?')).toBe('Bitte schreiben Sie uns.');
    expect(await answerTo('4711')).toBe('Please write.');
    expect(await answerTo('Où habitent les wombats ?')).toMatch(/^Je n’ai rien trouvé/);
    await alice.set(kbId, { refusal_text: 'Ask by mail.' });
    expect(await answerTo('Wo wohnen die Wombats?')).toBe('Ask by mail.');
  });

  it('is no answer of another kind that holds the word', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(kbId);
    await alice.addDocument(kbId, { title: 'Returns', text: 'Customers may return any order.' });
    model.behave = says('**', 'NO_ONE** may. [1]');
    const { body } = await partner.chat(secret, QUESTION);
    expect(body).toMatchObject({ answer: '**NO_ONE** may. [1]', answered: true });
    expect(body.sources).toHaveLength(1);
  });
});
