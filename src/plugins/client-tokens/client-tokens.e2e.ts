import { beforeAll, describe, expect, it } from '@jest/globals';
import { altered } from '../../../test/support/api-key-secret.js';
import {
  type Answer,
  type ChatAnswer,
  Client,
  type ClientToken,
  type IssuedApiKey,
  outcome,
} from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { type SharedService } from '../../../test/support/shared-service.js';
import { withPlugins } from '../../../test/support/requirement.js';

const QUESTION = 'How long may customers return an order?';
const GERMAN = { type: 'eq', key: 'language', value: 'de' };

describe('a client token', () => {
  let service: SharedService;
  let second: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    ({ service, second, alice, partner, kbId } = await furnish());
    key = await alice.createApiKey(kbId);
    for (const language of ['de', 'en']) {
      await alice.addDocument(kbId, {
        title: `Returns (${language})`,
        text: `Customers may return an order within 30 days. This is the ${language} version.`,
        metadata: { language },
      });
    }
  });

  const make = (more: object = {}, { api_key }: IssuedApiKey = key) =>
    partner.post<ClientToken>('/client-tokens', { api_key, end_user_id: 'customer-1', ...more });
  const tokenFor = async (more: object = {}, of: IssuedApiKey = key) =>
    (await make(more, of)).body.client_token;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const chat = (token: string, more: object = {}): Promise<Answer<ChatAnswer>> =>
    partner.post<ChatAnswer>('/chat', { message: QUESTION, ...more }, bearer(token));

  it('is created with a key, in the body or as Bearer, and returned once', async () => {
    const before = Date.now();
    const { status, body, headers } = await make();
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      client_token: expect.stringMatching(/^rag_client_/) as unknown,
      expires_at: expect.any(String) as unknown,
      end_user_id: 'customer-1',
      scopes: ['query', 'chat', 'feedback'],
    });
    const seconds = (Date.parse(body.expires_at) - before) / 1000;
    expect(seconds).toBeGreaterThan(895);
    expect(seconds).toBeLessThan(910);
    const by = await partner.post('/client-tokens', { end_user_id: 'x' }, bearer(key.api_key));
    expect(outcome(by)).toBe('201');
  });

  it('takes 500 groups, and must be sent in the body if too long for a header', async () => {
    const groups = Array.from({ length: 500 }, (_, index) => `Vertrieb, Süd ${index} 法務`);
    const token = await tokenFor({ groups });
    expect(token.length).toBeGreaterThan(16_384);
    expect(outcome(await partner.query(token, QUESTION))).toBe('200');
    const inHeader = await partner.post('/query', { message: QUESTION }, bearer(token));
    expect(inHeader.status).toBe(431);
  });

  it('refuses groups that are too long for a body, naming the field', async () => {
    const { status, body } = await make({
      groups: Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(100)),
    });
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'groups' }] }]);
  });

  it('is accepted wherever a key is, by every process', async () => {
    const token = await tokenFor();
    for (const client of [partner, new Client(second)]) {
      expect(outcome(await client.query(token, QUESTION))).toBe('200');
      const { body } = await client.post<ChatAnswer>('/chat', { message: QUESTION }, bearer(token));
      const path = `/messages/${body.message_id}/feedback`;
      expect(outcome(await client.post(path, { rating: 'up' }, bearer(token)))).toBe('200');
    }
  });

  it.each([
    ['an unknown field', { name: 'x' }],
    ['groups that are no list', { groups: 'support' }],
    ['a group without a name', { groups: ['support', ''] }],
    ['a group that is no text', { groups: [['support']] }],
    ['a group that cannot be stored', { groups: ['\ud800'] }],
    ['501 groups', { groups: Array.from({ length: 501 }, (_, index) => `${index}`) }],
    ['10,000 groups', { groups: Array.from({ length: 10_000 }, () => 'x') }],
    ['a field that every object has', { constructor: 1 }],
    ['a longer life', { expires_in_seconds: 3601 }],
    ['a shorter life', { expires_in_seconds: 59 }],
    ['half a second', { expires_in_seconds: 60.5 }],
    ['no end user', { end_user_id: undefined }],
    ['an empty end user', { end_user_id: '' }],
    ['a long end user', { end_user_id: 'x'.repeat(256) }],
    ['null for an end user', { end_user_id: null }],
    ['no scopes', { scopes: [] }],
    ['an unknown scope', { scopes: ['admin'] }],
    ['an ill-formed filter', { filter: { type: 'eq' } }],
    ['an ill-formed origin', { allowed_origins: ['shop.example.com'] }],
    ['a filter that is too long', { filter: { ...GERMAN, value: 'x'.repeat(40_000) } }],
  ])('is refused with %s', async (_, more) => {
    expect(outcome(await make(more))).toBe('400 validation_failed');
  });

  it('cannot create tokens', async () => {
    const token = await tokenFor();
    const body = { api_key: token, end_user_id: 'customer-1' };
    expect(outcome(await partner.post('/client-tokens', body))).toBe('403 insufficient_scope');
    const byHeader = await partner.post('/client-tokens', { unknown: 1 }, bearer(token));
    expect(outcome(byHeader)).toBe('403 insufficient_scope');
  });

  it('is refused beside another credential in the body, and for documents', async () => {
    const token = await tokenFor();
    const both = { api_key: key.api_key, message: QUESTION };
    expect(outcome(await partner.post('/query', both, bearer(token)))).toBe(
      '400 validation_failed',
    );
    const all = await alice.createApiKey(kbId, { scopes: ['query', 'documents:read'] });
    const headers = bearer(await tokenFor({}, all));
    expect(outcome(await partner.call('GET', '/ingest/documents', undefined, headers))).toBe(
      '403 insufficient_scope',
    );
  });

  it('is refused if any one character is altered', async () => {
    const token = await tokenFor();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = [...alphabet].map((character) => token.slice(0, -1) + character);
    const forged = [
      ...Array.from(token, (_, index) => altered(token, index)),
      ...last.filter((one) => one !== token),
      ...[`${token}A`, `${token}=`, token.slice(0, -1), token.toUpperCase(), `${token}.`],
    ];
    for (const one of forged) {
      const answer = await partner.query(one, QUESTION);
      expect([one, outcome(answer)]).toEqual([one, '401 invalid_api_key']);
    }
    expect(outcome(await partner.query(token, QUESTION))).toBe('200');
  });

  describe('never opens more than its key', () => {
    it('in scopes, now and later', async () => {
      const narrow = await alice.createApiKey(kbId, {
        scopes: ['query', 'chat', 'documents:read'],
      });
      expect((await make({}, narrow)).body.scopes).toEqual(['query', 'chat']);
      for (const scopes of [['feedback'], ['query', 'feedback'], ['documents:read']]) {
        expect(outcome(await make({ scopes }, narrow))).toBe('403 insufficient_scope');
      }
      const token = await tokenFor({ scopes: ['query'] }, narrow);
      expect(outcome(await chat(token))).toBe('403 insufficient_scope');
      expect(outcome(await partner.query(token, QUESTION))).toBe('200');
      await alice.call('PATCH', `/api-keys/${narrow.id}`, { scopes: ['chat'] });
      expect(outcome(await partner.query(token, QUESTION))).toBe('403 insufficient_scope');
      const reading = await alice.createApiKey(kbId, { scopes: ['documents:read'] });
      expect(outcome(await make({}, reading))).toBe('403 insufficient_scope');
    });

    it('in documents', async () => {
      const titles = async (token: string) =>
        (await partner.query(token, QUESTION)).body.results.map((one) => one.document_title);
      const german = await tokenFor({ filter: GERMAN });
      expect(await titles(german)).toEqual(['Returns (de)']);
      const restricted = await alice.createApiKey(kbId, { filter: GERMAN });
      const english = { ...GERMAN, value: 'en' };
      expect(await titles(await tokenFor({ filter: english }, restricted))).toEqual([]);
      expect(await titles(await tokenFor({}, restricted))).toEqual(['Returns (de)']);
    });

    it('in addresses, origins and requests', async () => {
      const limited = await alice.createApiKey(kbId, { rate_limit_per_minute: 2 });
      const token = await tokenFor({}, limited);
      expect(outcome(await partner.query(token, QUESTION))).toBe('200');
      expect(outcome(await partner.query(token, QUESTION))).toBe('429 rate_limited');
      const here = await alice.createApiKey(kbId);
      const elsewhere = await tokenFor({}, here);
      await alice.call('PATCH', `/api-keys/${here.id}`, { allowed_ips: ['192.0.2.1'] });
      expect(outcome(await partner.query(elsewhere, QUESTION))).toBe('403 ip_not_allowed');
    });
  });

  it('is held to its own origins', async () => {
    const token = await tokenFor({ allowed_origins: ['https://shop.example.com'] });
    const ask = (origin: string) =>
      partner.post('/query', { message: QUESTION }, { ...bearer(token), origin });
    expect(outcome(await ask('https://shop.example.com'))).toBe('200');
    const refused = await ask('https://evil.example.com');
    expect(outcome(refused)).toBe('403 origin_not_allowed');
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    expect(outcome(await partner.query(token, QUESTION))).toBe('200');
  });

  it('acts for its end user alone', async () => {
    const [one, two] = [await tokenFor(), await tokenFor({ end_user_id: 'customer-2' })];
    const { body: begun } = await chat(one);
    const { body: stored } = await alice.get(`/conversations/${begun.conversation_id}`);
    expect(stored).toMatchObject({ end_user_id: 'customer-1' });
    const again = { conversation_id: begun.conversation_id };
    expect(outcome(await chat(one, { ...again, end_user_id: 'customer-1' }))).toBe('200');
    expect(outcome(await chat(one, { end_user_id: 'customer-2' }))).toBe('403 end_user_mismatch');
    expect(outcome(await chat(two, again))).toBe('404 not_found');
    const path = `/messages/${begun.message_id}/feedback`;
    expect(outcome(await partner.post(path, { rating: 'up' }, bearer(two)))).toBe('404 not_found');
    expect(outcome(await partner.post(path, { rating: 'up' }, bearer(one)))).toBe('200');
    const { body: nobodys } = await partner.chat(key.api_key, QUESTION);
    const theirs = { conversation_id: nobodys.conversation_id };
    expect(outcome(await chat(one, theirs))).toBe('404 not_found');
  });

  withPlugins('openai-api').it('acts for its end user alone at OpenAI’s door', async () => {
    const messages = [{ role: 'user', content: QUESTION }];
    const door = { model: 'latchkey', messages, user: 'customer-2' };
    // Outside /api/v1, where the client calls.
    const named = await partner.post('/../../v1/chat/completions', door, bearer(await tokenFor()));
    expect(named.body).toMatchObject({ error: { code: 'end_user_mismatch' } });
  });

  it('ends with its key, with the same problem code', async () => {
    const cases: [string, (key: IssuedApiKey) => Promise<unknown>][] = [
      ['401 api_key_revoked', ({ id }) => alice.call('PATCH', `/api-keys/${id}/revoke`)],
      ['401 invalid_api_key', ({ id }) => alice.call('DELETE', `/api-keys/${id}`)],
      [
        '401 api_key_expired',
        ({ id }) => alice.post(`/api-keys/${id}/rotate`, { grace_period_seconds: 0 }),
      ],
    ];
    for (const [expected, end] of cases) {
      const own = await alice.createApiKey(kbId);
      const token = await tokenFor({}, own);
      expect(outcome(await partner.query(token, QUESTION))).toBe('200');
      await end(own);
      for (const client of [partner, new Client(second)]) {
        expect(outcome(await client.query(token, QUESTION))).toBe(expected);
      }
    }
  });

  it('is nowhere in the log', async () => {
    const token = await tokenFor();
    await chat(token);
    await chat(token, { message: 1 });
    expect(service.logs).not.toContain(token.slice(-43));
  });
});
