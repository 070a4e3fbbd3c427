import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../../../test/support/client.js';
import { withPlugins } from '../../../test/support/requirement.js';
import { newUserId, sharedService } from '../../../test/support/shared-service.js';

const FAQ = `How long may I return an order?
You may return any order within 30 days of delivery.

Do you ship to Norway?
We ship to Norway twice a week, for 12 euros.`;

interface Suggested {
  question: string;
  document_id: string;
  document_title: string;
}

describe('suggested questions', () => {
  let alice: Client;
  let bob: Client;
  const bobId = newUserId('bob');

  beforeAll(async () => {
    const service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    bob = new Client(service, bobId);
  });

  const suggest = async (kbId: string, client = alice) => {
    const answer = await client.get<{ data: Suggested[] }>(`/kbs/${kbId}/suggested-questions`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.data;
  };

  it('are answered by the document that they name', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const faq = await alice.addDocument(kbId, { title: 'Orders', text: FAQ });
    await alice.addDocument(kbId, { title: 'Menu', text: 'Soup and bread.' });
    const suggested = await suggest(kbId);
    expect(suggested.map(({ question }) => question).sort()).toEqual([
      'Do you ship to Norway?',
      'How long may I return an order?',
    ]);
    for (const { question, document_id, document_title } of suggested) {
      expect([document_id, document_title]).toEqual([faq.id, 'Orders']);
      const { body } = await alice.post<{ answered: boolean; sources: { document_id: string }[] }>(
        `/kbs/${kbId}/chat`,
        { message: question },
      );
      expect([body.answered, body.sources[0]?.document_id]).toEqual([true, faq.id]);
    }
  });

  it('are none without documents, and none that the documents do not answer', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    expect(await suggest(kbId)).toEqual([]);
    const text = 'Who is the king of France?\nWhat is the price of a hundred helicopters?';
    await alice.addDocument(kbId, { title: 'Riddles', text });
    expect(await suggest(kbId)).toEqual([]);
  });

  it('tell nobody of documents that they may not read', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.addDocument(kbId, {
      title: 'Orders',
      text: FAQ,
      access: { allow: ['user:carol'] },
    });
    await alice.call('PUT', `/kbs/${kbId}/members/${bobId}`, { role: 'viewer' });
    expect(await suggest(kbId, bob)).toEqual([]);
    // Alice keeps the document, and may not read it either.
    expect(await suggest(kbId)).toEqual([]);
  });
});

withPlugins('analytics').describe('suggested questions in reports', () => {
  it('are not counted', async () => {
    const alice = new Client(await sharedService(), newUserId('alice'));
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.addDocument(kbId, { title: 'Orders', text: FAQ });
    await alice.get(`/kbs/${kbId}/suggested-questions`);
    const { body } = await alice.get<{ totals: { queries: number; chats: number } }>(
      `/kbs/${kbId}/analytics`,
    );
    expect([body.totals.queries, body.totals.chats]).toEqual([0, 0]);
  });
});
