import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  atOnce,
  type ChatAnswer,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const QUESTION = 'How long may customers return an order?';

describe('a conversation', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    key = await alice.createApiKey(kbId);
    await alice.addDocument(kbId, { title: 'Returns', text: 'Return an order within 30 days.' });
  });

  const begin = async (more: object = {}, { api_key }: IssuedApiKey = key): Promise<ChatAnswer> =>
    (await partner.chat(api_key, QUESTION, more)).body;
  const goOn = async (
    { api_key }: IssuedApiKey,
    { conversation_id }: ChatAnswer,
    more: object = {},
  ) => outcome(await partner.chat(api_key, 'And then?', { conversation_id, ...more }));
  const rate = async ({ api_key }: IssuedApiKey, { message_id }: ChatAnswer) =>
    outcome(await partner.post(`/messages/${message_id}/feedback`, { api_key, rating: 'up' }));
  const rotate = async ({ id }: IssuedApiKey) =>
    (await alice.post<IssuedApiKey>(`/api-keys/${id}/rotate`, {})).body;

  it.each(['live', 'test'])(
    'is neither continued nor rated by another key (%s)',
    async (environment) => {
      const other = await alice.createApiKey(kbId, { environment });
      const chat = await begin({ end_user_id: 'customer-1' });
      expect(await goOn(other, chat)).toBe('404 not_found');
      expect(await goOn(other, chat, { end_user_id: 'customer-1' })).toBe('404 not_found');
      expect(await rate(other, chat)).toBe('404 not_found');
      expect(await alice.messages(chat.conversation_id)).toHaveLength(2);
      expect([await goOn(key, chat), await rate(key, chat)]).toEqual(['200', '200']);
    },
  );

  it('is continued and rated by successors, and by predecessors in their grace period', async () => {
    const first = await alice.createApiKey(kbId);
    const chat = await begin({}, first);
    const second = await rotate(first);
    const third = await rotate(second);
    const later = await begin({}, third);
    for (const one of [first, second, third]) {
      for (const conversation of [chat, later]) {
        expect([await goOn(one, conversation), await rate(one, conversation)]).toEqual([
          '200',
          '200',
        ]);
      }
    }
    await alice.call('DELETE', `/api-keys/${first.id}`);
    expect([await goOn(third, chat), await rate(third, chat)]).toEqual(['200', '200']);
  });

  it('is not continued in another end user’s name, but by the key itself', async () => {
    const chat = await begin({ end_user_id: 'customer-1' });
    expect(await goOn(key, chat, { end_user_id: 'customer-2' })).toBe('404 not_found');
    expect(await goOn(key, chat, { end_user_id: 'customer-1' })).toBe('200');
    expect(await goOn(key, chat)).toBe('200');
    expect(await goOn(key, chat, { end_user_id: null })).toBe('200');
  });

  it('becomes that of the end user who is named first, also of several at once', async () => {
    const chat = await begin();
    const answers = await atOnce(8, (index) =>
      partner.chat(key.api_key, 'And then?', {
        conversation_id: chat.conversation_id,
        end_user_id: `customer-${index % 2}`,
      }),
    );
    const { 200: continued = 0, '404 not_found': refused = 0 } = outcomes(answers);
    expect([continued > 0, continued + refused]).toEqual([true, 8]);
    const { body } = await alice.get<{ end_user_id: string }>(
      `/conversations/${chat.conversation_id}`,
    );
    const owners = answers.flatMap(({ status }, index) => (status === 200 ? [index % 2] : []));
    expect(new Set(owners.map((owner) => `customer-${owner}`))).toEqual(
      new Set([body.end_user_id]),
    );
  });
});
