import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { typeid } from 'typeid-js';
import { type Answer, Client, outcome, type Page } from './support/client.js';
import { documentedOperations, type Operation } from './support/operations.js';
import { Service } from './support/service.js';

/** Ids by the name of their path parameter. An operation with another parameter needs a row here. */
type Ids = Record<
  'kb_id' | 'key_id' | 'document_id' | 'conversation_id' | 'message_id' | 'user_id',
  string
>;

const absentIds = (): Ids => ({
  kb_id: typeid('kb').toString(),
  key_id: typeid('key').toString(),
  document_id: typeid('doc').toString(),
  conversation_id: typeid('conv').toString(),
  message_id: typeid('msg').toString(),
  user_id: 'bob',
});

/** What nobody but the knowledge base's own people may tell from each other. */
const MALFORMED_IDS: Ids = {
  kb_id: 'kb_nonsense',
  key_id: 'key_01KAFDP6YGF4RS4S2CR5CVZWKC',
  document_id: 'kb_01kafdp6ygf4rs4s2cr5cvzwkc',
  conversation_id: '00000000-0000-0000-0000-000000000000',
  message_id: '%00',
  user_id: 'bob',
};

const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const QUESTION = 'How long may customers return an order?';

describe('knowledge bases of different users', () => {
  let service: Service;
  let operations: Operation[];
  let alice: Client;
  let bob: Client;
  let mallory: Client;
  let partner: Client;
  let foreignSecret: string;

  beforeAll(async () => {
    service = await Service.start();
    operations = (await documentedOperations(service)).filter(({ path }) => path.includes('{'));
    [alice, bob, mallory] = ['alice', 'bob', 'mallory'].map((id) => new Client(service, id)) as [
      Client,
      Client,
      Client,
    ];
    partner = new Client(service);
    const kb = await mallory.createKnowledgeBase();
    foreignSecret = (await mallory.createApiKey(kb.id)).api_key;
  });

  afterAll(() => service.stop());

  /** A knowledge base of Alice's with one of everything in it, and Bob as a member. */
  async function furnish(): Promise<{ ids: Ids; secret: string }> {
    const kb = await alice.createKnowledgeBase();
    await alice.call('PUT', `/kbs/${kb.id}/members/bob`, { role: 'member' });
    const document = await alice.addDocument(kb.id, DOCUMENT);
    const key = await alice.createApiKey(kb.id);
    const { body: chat } = await partner.chat(key.api_key, QUESTION);
    const ids = {
      kb_id: kb.id,
      key_id: key.id,
      document_id: document.id,
      conversation_id: chat.conversation_id,
      message_id: chat.message_id,
      user_id: 'bob',
    };
    return { ids, secret: key.api_key };
  }

  function perform(as: Client, operation: Operation, ids: Ids, secret: string) {
    const path = operation.path.replace('/api/v1', '').replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!(name in ids)) throw new Error(`${operation.name}: which id is {${name}}?`);
      return ids[name as keyof Ids];
    });
    const body =
      operation.body &&
      (operation.managed ? operation.body : { ...operation.body, api_key: secret });
    return as.call(operation.method, path + operation.search, body, { 'x-request-id': 'same' });
  }

  const told = ({ status, headers, text }: Answer<unknown>) => [
    status,
    [...headers].filter(([name]) => name !== 'date'),
    text,
  ];

  it('answer a stranger as if they did not exist, in every operation with an id', async () => {
    expect(operations.length).toBeGreaterThan(15);
    const { ids } = await furnish();
    for (const operation of operations) {
      const real = await perform(mallory, operation, ids, foreignSecret);
      const absent = await perform(mallory, operation, absentIds(), foreignSecret);
      const malformed = await perform(mallory, operation, MALFORMED_IDS, foreignSecret);
      expect([operation.name, outcome(real)]).toEqual([operation.name, '404 not_found']);
      expect(told(real)).toEqual(told(absent));
      expect(told(real)).toEqual(told(malformed));
    }
    const untouched = (await alice.get<object>(`/kbs/${ids.kb_id}`)).body;
    expect(untouched).toMatchObject({ name: 'Handbook', document_count: 1 });
    expect((await alice.get<object>(`/api-keys/${ids.key_id}`)).body).toMatchObject({
      state: 'active',
    });
  });

  it('serve their owner and their members, and let owners alone do what is theirs', async () => {
    for (const operation of operations) {
      const { ids, secret } = await furnish();
      const asMember = await perform(bob, operation, ids, secret);
      if (operation.ownersOnly) {
        expect([operation.name, outcome(asMember)]).toEqual([operation.name, '403 owner_required']);
      } else {
        expect([operation.name, asMember.status < 300]).toEqual([operation.name, true]);
      }
      const { ids: fresh, secret: freshSecret } = await furnish();
      const asOwner = await perform(alice, operation, fresh, freshSecret);
      expect([operation.name, asOwner.status < 300]).toEqual([operation.name, true]);
    }
  }, 60_000);

  it('are in nobody else’s list', async () => {
    const erin = new Client(service, 'erin');
    const trudy = new Client(service, 'trudy');
    const erins = await erin.createKnowledgeBase();
    const trudys = await trudy.createKnowledgeBase();
    const listed = async (as: Client) => {
      const { body } = await as.get<Page<{ id: string }>>('/kbs');
      return [body.total, body.data.map(({ id }) => id)];
    };
    expect(await listed(erin)).toEqual([1, [erins.id]]);
    expect(await listed(trudy)).toEqual([1, [trudys.id]]);
    expect(await listed(new Client(service, 'ERIN'))).toEqual([0, []]);
  });

  it('are out of reach for a former member, whose keys go on', async () => {
    const { ids } = await furnish();
    const { api_key: bobsKey } = await bob.createApiKey(ids.kb_id);
    await alice.call('DELETE', `/kbs/${ids.kb_id}/members/bob`);
    expect(outcome(await bob.get(`/kbs/${ids.kb_id}`))).toBe('404 not_found');
    expect(outcome(await bob.get(`/api-keys/${ids.key_id}`))).toBe('404 not_found');
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
    const { ids, secret } = await furnish();
    const ask = (key: string, conversationId: string) =>
      partner.chat(key, QUESTION, { conversation_id: conversationId });
    expect(outcome(await ask(foreignSecret, ids.conversation_id))).toBe('404 not_found');
    expect(outcome(await ask(foreignSecret, absentIds().conversation_id))).toBe('404 not_found');
    expect(outcome(await ask(foreignSecret, 'nonsense'))).toBe('404 not_found');

    const path = `/conversations/${ids.conversation_id}/messages`;
    expect((await alice.get<Page<object>>(path)).body.total).toBe(2);
    const own = await ask(secret, ids.conversation_id);
    expect(own.body.conversation_id).toBe(ids.conversation_id);
    expect((await alice.get<Page<object>>(path)).body.total).toBe(4);
  });
});
