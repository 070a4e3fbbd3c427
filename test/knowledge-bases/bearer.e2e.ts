import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatAnswer, Client, type IssuedApiKey, outcome } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const MESSAGE = 'How long may customers return an order?';

describe('Authorization: Bearer', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let key: IssuedApiKey;
  let other: IssuedApiKey;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    const { id } = await alice.createKnowledgeBase();
    key = await alice.createApiKey(id);
    other = await alice.createApiKey(id);
  });

  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

  it.each(['/query', '/chat'])('opens %s without a field in the body', async (path) => {
    const answer = await partner.post(path, { message: MESSAGE }, bearer(key.api_key));
    expect(outcome(answer)).toBe('200');
    const scheme = { authorization: `bearer  ${key.api_key} ` };
    expect(outcome(await partner.post(path, { message: MESSAGE }, scheme))).toBe('200');
  });

  it('rates an answer', async () => {
    const { body } = await partner.post<ChatAnswer>(
      '/chat',
      { message: MESSAGE },
      bearer(key.api_key),
    );
    const path = `/messages/${body.message_id}/feedback`;
    expect(outcome(await partner.post(path, { rating: 'up' }, bearer(key.api_key)))).toBe('200');
    expect(outcome(await partner.post(path, { rating: 'up' }))).toBe('401 api_key_required');
  });

  it('may repeat the key of the body, but not contradict it', async () => {
    const post = (inBody: unknown) =>
      partner.post('/query', { api_key: inBody, message: MESSAGE }, bearer(key.api_key));
    expect(outcome(await post(key.api_key))).toBe('200');
    for (const inBody of [other.api_key, '', null, 1, {}, [key.api_key]]) {
      expect(outcome(await post(inBody))).toBe('400 validation_failed');
    }
  });

  describe('as it was pasted', () => {
    const pasted = (secret: string) => [
      ` ${secret}`,
      `${secret}\r\n`,
      `\uFEFF${secret}`,
      `\t\u00A0${secret}\u2028`,
      `Bearer ${secret}`,
      `\nBearer  ${secret} `,
    ];

    it('is accepted wherever a credential in the body is', async () => {
      for (const path of ['/query', '/chat', '/client-tokens']) {
        const asked = path === '/client-tokens' ? { end_user_id: 'c' } : { message: MESSAGE };
        for (const secret of pasted(key.api_key)) {
          const answer = await partner.post(path, { api_key: secret, ...asked });
          expect(outcome(answer)).toMatch(/^20[01]$/);
        }
      }
      const token = await partner.createClientToken(key.api_key);
      for (const secret of pasted(token.client_token)) {
        expect(outcome(await partner.query(secret, MESSAGE))).toBe('200');
      }
    });

    it('is accepted wherever it is taken in the header', async () => {
      const { id } = await alice.createKnowledgeBase();
      const scopes = ['query', 'chat', 'documents:read', 'documents:write'];
      const { api_key: secret } = await alice.createApiKey(id, { scopes });
      const account = await alice.createServiceAccount(id);
      const management = await alice.createManagementKey(account.id, ['keys:read']);
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const model = { model: 'latchkey', messages: [{ role: 'user', content: MESSAGE }] };
      const retrieval = { top_k: 1, score_threshold: 0 };
      const doors: [method: string, path: string, secret: string, body?: object][] = [
        ['POST', '/api/v1/query', secret, { message: MESSAGE }],
        ['POST', '/api/v1/client-tokens', secret, { end_user_id: 'c' }],
        ['GET', '/api/v1/key', secret],
        ['GET', '/api/v1/key', management.api_key],
        ['GET', `/api/v1/kbs/${id}/api-keys`, management.api_key],
        ['PUT', '/api/v1/ingest/documents/a', secret, { title: 'A', text: 'A text.' }],
        ['GET', '/v1/models', secret],
        ['POST', '/v1/chat/completions', secret, model],
        ['POST', '/mcp', secret, call],
        [
          'POST',
          '/dify/retrieval',
          secret,
          { knowledge_id: id, query: 'a', ...{ retrieval_setting: retrieval } },
        ],
      ];
      for (const [method, path, used, body] of doors) {
        // In UTF-8, as curl sends it; line ends cannot be sent.
        for (const value of [`\uFEFF${used}`, `Bearer ${used}`, `\u00A0${used}\u3000 `]) {
          const headers = {
            authorization: Buffer.from(`Bearer ${value}`).toString('latin1'),
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
          };
          const { status } = await fetch(`${service.url}${path}`, {
            ...{ method, headers },
            ...(body && { body: JSON.stringify(body) }),
          });
          expect([method, path, status < 300]).toEqual([method, path, true]);
        }
      }
    });

    it('is refused as before where it is no key then', async () => {
      for (const secret of [
        '"' + key.api_key + '"',
        `${key.api_key}.`,
        'Bearer',
        'Bearer nonsense',
      ]) {
        expect(outcome(await partner.query(secret, MESSAGE))).toBe('401 invalid_api_key');
      }
      for (const secret of ['', ' ', '\n\uFEFF']) {
        expect(outcome(await partner.query(secret, MESSAGE))).toBe('401 api_key_required');
      }
    });

    it('is the same as that of the header', async () => {
      const answer = await partner.post(
        '/query',
        { api_key: `${key.api_key}\n`, message: MESSAGE },
        bearer(key.api_key),
      );
      expect(outcome(answer)).toBe('200');
    });
  });

  it.each([
    ['Basic YWxpY2U6c2VjcmV0', '401 api_key_required'],
    ['Bearer', '401 api_key_required'],
    ['Bearer two words', '401 api_key_required'],
    ['Bearer nonsense', '401 invalid_api_key'],
    ['Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln', '401 invalid_api_key'],
  ])('%s: %s', async (authorization, expected) => {
    const answer = await partner.post('/query', { message: MESSAGE }, { authorization });
    expect(outcome(answer)).toBe(expected);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer realm="api"');
    const inBody = { api_key: key.api_key, message: MESSAGE };
    const both = await partner.post('/query', inBody, { authorization });
    expect(outcome(both)).toBe(expected.includes('required') ? '200' : '400 validation_failed');
  });

  it('is no dashboard user’s credential, and a dashboard user’s is none here', async () => {
    expect(outcome(await partner.call('GET', '/kbs', undefined, bearer(key.api_key)))).toBe(
      '401 dashboard_authentication_required',
    );
    expect(outcome(await alice.post('/query', { message: MESSAGE }))).toBe('401 api_key_required');
  });

  it('is nowhere in the log', async () => {
    await partner.post('/query', { message: MESSAGE }, bearer(key.api_key));
    await partner.post('/query', { message: 1 }, bearer(other.api_key));
    expect(service.logs).not.toContain(key.api_key.slice(9));
    expect(service.logs).not.toContain(other.api_key.slice(9));
  });

  it('passes a preflight of any page', async () => {
    const response = await fetch(`${service.url}/api/v1/chat`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
  });
});
