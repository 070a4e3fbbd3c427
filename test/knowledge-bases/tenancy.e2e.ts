import { beforeAll, describe, expect, it } from '@jest/globals';
import { typeid } from 'typeid-js';
import { Client, outcome, type Page } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');
const BOB = newUserId('bob');
const MALLORY = newUserId('mallory');

const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const QUESTION = 'How long may customers return an order?';

describe('knowledge bases of different users', () => {
  let service: SharedService;
  let alice: Client;
  let bob: Client;
  let mallory: Client;
  let partner: Client;
  let foreignSecret: string;

  beforeAll(async () => {
    service = await sharedService();
    [alice, bob, mallory] = [ALICE, BOB, MALLORY].map((id) => new Client(service, id)) as [
      Client,
      Client,
      Client,
    ];
    partner = new Client(service);
    const kb = await mallory.createKnowledgeBase();
    foreignSecret = (await mallory.createApiKey(kb.id)).api_key;
  });

  /** A knowledge base of Alice's, with Bob as a member, a key and a conversation. */
  async function furnish() {
    const kb = await alice.createKnowledgeBase();
    await alice.call('PUT', `/kbs/${kb.id}/members/${BOB}`, { role: 'member' });
    await alice.addDocument(kb.id, DOCUMENT);
    const key = await alice.createApiKey(kb.id);
    const { body: chat } = await partner.chat(key.api_key, QUESTION);
    return {
      kbId: kb.id,
      keyId: key.id,
      conversationId: chat.conversation_id,
      secret: key.api_key,
    };
  }

  it('are in nobody else’s list', async () => {
    const erinsId = newUserId('erin');
    const erin = new Client(service, erinsId);
    const trudy = new Client(service, newUserId('trudy'));
    const erins = await erin.createKnowledgeBase();
    const trudys = await trudy.createKnowledgeBase();
    const listed = async (as: Client) => {
      const { body } = await as.get<Page<{ id: string }>>('/kbs');
      return [body.total, body.data.map(({ id }) => id)];
    };
    expect(await listed(erin)).toEqual([1, [erins.id]]);
    expect(await listed(trudy)).toEqual([1, [trudys.id]]);
    // Names are compared without case.
    expect(await listed(new Client(service, erinsId.toUpperCase()))).toEqual([1, [erins.id]]);
  });

  it('are out of reach for a former member, whose keys go on', async () => {
    const { kbId, keyId } = await furnish();
    const { api_key: bobsKey } = await bob.createApiKey(kbId);
    await alice.call('DELETE', `/kbs/${kbId}/members/${BOB}`);
    expect(outcome(await bob.get(`/kbs/${kbId}`))).toBe('404 not_found');
    expect(outcome(await bob.get(`/api-keys/${keyId}`))).toBe('404 not_found');
    expect(outcome(await partner.query(bobsKey, QUESTION))).toBe('200');
  });

  it('answer each key from their own documents alone', async () => {
    const secretOf = async (user: Client, text: string) => {
      const kb = await user.createKnowledgeBase();
      const { id } = await user.addDocument(kb.id, { ...DOCUMENT, text });
      return { documentId: id, secret: (await user.createApiKey(kb.id)).api_key };
    };
    const a = await secretOf(alice, 'Customers may return an order within 30 days.');
    const b = await secretOf(mallory, 'Customers may return an order within 99 days.');
    for (const [own, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { results } = (await partner.query(own.secret, QUESTION, { top_k: 50 })).body;
      expect(results.map(({ document_id }) => document_id)).toEqual([own.documentId]);
      const chat = await partner.chat(own.secret, QUESTION, { top_k: 50 });
      expect(chat.body.sources.map(({ document_id }) => document_id)).toEqual([own.documentId]);
      expect(chat.text).not.toContain(other.documentId);
    }
    expect((await partner.chat(a.secret, 'What about 99 days?')).text).not.toContain('99 days.');
  });

  it('do not let a key go on with another’s conversation', async () => {
    const { conversationId, secret } = await furnish();
    const ask = (key: string, conversation_id: string) =>
      partner.chat(key, QUESTION, { conversation_id });
    expect(outcome(await ask(foreignSecret, conversationId))).toBe('404 not_found');
    expect(outcome(await ask(foreignSecret, typeid('conv').toString()))).toBe('404 not_found');
    expect(outcome(await ask(foreignSecret, 'nonsense'))).toBe('404 not_found');

    const path = `/conversations/${conversationId}/messages`;
    expect((await alice.get<Page<object>>(path)).body.total).toBe(2);
    const own = await ask(secret, conversationId);
    expect(own.body.conversation_id).toBe(conversationId);
    expect((await alice.get<Page<object>>(path)).body.total).toBe(4);
  });
});
