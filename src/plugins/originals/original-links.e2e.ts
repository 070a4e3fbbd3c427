import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, askedUntilServed, Client, outcome } from '../../../test/support/client.js';
import { ChatStream } from '../../../test/support/chat-stream.js';
import { eventually, Service } from '../../../test/support/service.js';
import { newUserId } from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';
import { withPlugins } from '../../../test/support/requirement.js';

const QUESTION = 'How long may customers return an order?';
const TEXT = 'Customers may return any order within 30 days of delivery.';
const PUBLIC_URL = 'https://kb.example.com/latchkey';

interface Linked {
  readonly document_id: string;
  readonly original_url?: string;
  readonly expires_at?: string;
}

describe('original_url', () => {
  let service: Service;
  let userId: string;
  let alice: Client;
  let kbId: string;
  let documentId: string;
  let key: { id: string; api_key: string };

  beforeAll(async () => {
    service = await Service.start({ PUBLIC_URL: `${PUBLIC_URL}/` });
  });
  beforeEach(async () => {
    userId = newUserId('alice');
    alice = new Client(service, userId);
    kbId = (await alice.createKnowledgeBase()).id;
    const document = { title: 'Returns', text: TEXT, metadata: { team: 'support' } };
    documentId = (await alice.addDocument(kbId, document)).id;
    key = await alice.createApiKey(kbId);
    await alice.set(kbId, { originals: 'readers' });
  });
  afterAll(() => service.stop());

  const partner = () => new Client(service);
  /** The link by the address of this service, without any header. */
  const open = async (url: string | undefined): Promise<Answer<unknown>> =>
    partner().get(String(url).replace(`${PUBLIC_URL}/api/v1`, ''));
  const linkOf = async (credential: string = key.api_key): Promise<string> => {
    const { body } = await partner().query(credential, QUESTION);
    return String((body.results[0] as Linked | undefined)?.original_url);
  };
  const gone = async (url: string) => {
    expect(outcome(await open(url))).toBe('404 not_found');
  };

  it('opens the original alone, for ten minutes', async () => {
    const { body } = await partner().query(key.api_key, QUESTION);
    const [{ original_url: url, expires_at: end } = {} as Linked] = body.results as Linked[];
    expect(url).toMatch(`${PUBLIC_URL}/api/v1/documents/${documentId}/original?link=`);
    const left = Date.parse(String(end)) - Date.now();
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
    const answer = await open(url);
    expect([answer.status, answer.text]).toEqual([200, TEXT]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy': `sandbox; default-src 'none'`,
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(answer.headers.get('x-frame-options')).toBeNull();
    const { text: html, headers } = await askedUntilServed(() =>
      open(`${String(url)}&highlight=${String(body.results[0]?.chunk_id)}`),
    );
    expect(html).toContain(`<mark id="${String(body.results[0]?.chunk_id)}">`);
    expect(headers.get('content-security-policy')).toMatch(
      `sandbox; default-src 'none'; style-src `,
    );
    const foreign = await open(`${String(url)}&highlight=chunk_01kafdp6ygf4rs4s2cr5cvzwkc`);
    expect(outcome(foreign)).toBe('404 not_found');
  });

  it('opens nothing once the main knowledge base of its key is deleted', async () => {
    const { id: main } = await alice.createKnowledgeBase();
    const kbs = [{ kb_id: main }, { kb_id: kbId }];
    const body = { name: 'Shared', environment: 'live', kbs };
    const shared = await alice.post<{ api_key: string }>('/api-keys', body);
    const url = await linkOf(shared.body.api_key);
    expect((await open(url)).status).toBe(200);
    await alice.call('DELETE', `/kbs/${main}`);
    await gone(url);
  });

  it('is in no source where originals are for members', async () => {
    for (const originals of ['members', null]) {
      await alice.set(kbId, { originals });
      const { text } = await partner().query(key.api_key, QUESTION);
      expect(text).toContain(documentId);
      expect(text).not.toContain('original_url');
    }
    const bad = await alice.call('PATCH', `/kbs/${kbId}/settings`, { originals: 'everyone' });
    expect(outcome(bad)).toBe('400 validation_failed');
  });

  const expectLinked = async (answers: Record<string, unknown>) => {
    for (const [name, answer] of Object.entries(answers)) {
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      const [url] = /https:[^"\\]+original\?link=[^"\\]+/.exec(text) ?? [];
      expect([name, url === undefined ? text : (await open(url)).text]).toEqual([name, TEXT]);
      expect(text).toContain('expires_at');
    }
  };

  it('is in the sources of every kind of answer, and opens', async () => {
    const chat = await partner().chat(key.api_key, QUESTION);
    const stream = await (
      await ChatStream.open(service, { api_key: key.api_key, message: QUESTION })
    ).done();
    const refused = await partner().chat(key.api_key, 'Do penguins order returns on Mars?');
    await expectLinked({
      chat: chat.body,
      sources: stream.events.find(({ event }) => event === 'sources')?.data,
      message_end: stream.events.find(({ event }) => event === 'message_end')?.data,
      related: refused.body,
      history: await alice.messages(chat.body.conversation_id),
      'history of related': await alice.messages(refused.body.conversation_id),
      'tried query': (await alice.post(`/kbs/${kbId}/query`, { message: QUESTION })).body,
      'tried chat': (await alice.post(`/kbs/${kbId}/chat`, { message: QUESTION })).body,
    });
  });

  withPlugins('dify', 'mcp', 'openai-api').it('is in the sources of other protocols', async () => {
    const bearer = { authorization: `Bearer ${key.api_key}` };
    const root = (path: string, body: object, headers = bearer) =>
      partner().post<unknown>(`/../..${path}`, body, headers);
    const messages = { role: 'user', content: QUESTION };
    const mcp = (name: string, args: object) =>
      root(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        { ...bearer, accept: 'application/json, text/event-stream' } as typeof bearer,
      );
    await expectLinked({
      completion: (await root('/v1/chat/completions', { model: 'latchkey', messages: [messages] }))
        .body,
      'vector store': (await root(`/v1/vector_stores/${kbId}/search`, { query: QUESTION })).body,
      dify: (
        await root('/dify/retrieval', {
          knowledge_id: kbId,
          query: QUESTION,
          retrieval_setting: { top_k: 1 },
        })
      ).body,
      search: (await mcp('search', { query: QUESTION })).text,
      ask: (await mcp('ask', { question: QUESTION })).text,
    });
  });

  it('is neither stored nor logged', async () => {
    const { body } = await partner().chat(key.api_key, QUESTION);
    const url = String((body.sources[0] as Linked | undefined)?.original_url);
    expect(outcome(await open(url))).toBe('200');
    const refused = await open(`${url}&unknown=x`);
    expect(outcome(refused)).toBe('400 validation_failed');
    const requestId = String(refused.headers.get('x-request-id'));
    await eventually(() => service.logs.includes(requestId));
    const rows = await sql(service.environment, 'SELECT * FROM messages');
    expect(JSON.stringify(rows)).toContain(documentId);
    expect(JSON.stringify(rows)).not.toContain('original_url');
    const [, link = ''] = url.split('link=');
    const [payload = '', signature = ''] = link.split('.');
    for (const secret of [payload, signature]) expect(service.logs).not.toContain(secret);
  });

  it('is refused when it is altered, of another document, or past its end', async () => {
    const url = await linkOf();
    const other = await alice.addDocument(kbId, { title: 'Other', text: 'Another document.' });
    const forged = [
      url.replace(documentId, other.id),
      url.slice(0, -1),
      `${url}.`,
      `${url}A`,
      ...['A', 'B', 'C', 'D', 'Z', '8'].map((last) => url.slice(0, -1) + last),
      `${url}&link=x`,
      url.replace(/link=.*/, 'link='),
      url.replace(/link=.*/, 'link=e30.e30'),
      url.replace(/link=./, 'link=Z'),
    ].filter((each) => each !== url);
    for (const each of forged) {
      const answer = await open(each);
      expect([each, outcome(answer)]).toEqual([each, '401 invalid_link']);
      expect(answer.headers.get('www-authenticate')).not.toBeNull();
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the key is revoked', () => alice.call('PATCH', `/api-keys/${key.id}/revoke`)],
    ['the key is deleted', () => alice.call('DELETE', `/api-keys/${key.id}`)],
    [
      'the key expires',
      () =>
        sql(
          service.environment,
          `UPDATE api_keys SET expires_at = '2020-01-01 00:00:00' WHERE id = '${key.id}'`,
        ),
    ],
    [
      'the key is rotated without grace',
      () => alice.post(`/api-keys/${key.id}/rotate`, { grace_period_seconds: 0 }),
    ],
    [
      'the key loses its scopes',
      () => alice.call('PATCH', `/api-keys/${key.id}`, { scopes: ['feedback'] }),
    ],
    [
      'the key is kept from the document',
      () =>
        alice.call('PATCH', `/api-keys/${key.id}`, {
          filter: { type: 'ne', key: 'team', value: 'support' },
        }),
    ],
    ['the document is deleted', () => alice.call('DELETE', `/documents/${documentId}`)],
    ['the knowledge base is deleted', () => alice.call('DELETE', `/kbs/${kbId}`)],
    ['originals are for members again', () => alice.set(kbId, { originals: 'members' })],
  ])('ends when %s', async (_, happens) => {
    const url = await linkOf();
    expect(outcome(await open(url))).toBe('200');
    await happens();
    await gone(url);
  });

  it('ends when the filter of its key no longer lets the document through', async () => {
    const filter = { type: 'eq', key: 'team', value: 'support' };
    await alice.call('PATCH', `/api-keys/${key.id}`, { filter });
    const url = await linkOf();
    expect(outcome(await open(url))).toBe('200');
    await alice.call('PATCH', `/documents/${documentId}`, { metadata: { team: 'sales' } });
    await gone(url);
  });

  it('works only from the allowed addresses of its key', async () => {
    const url = await linkOf();
    await alice.call('PATCH', `/api-keys/${key.id}`, { allowed_ips: ['192.0.2.1'] });
    expect(outcome(await open(url))).toBe('403 ip_not_allowed');
  });

  withPlugins('client-tokens').it('ends with its client token, filter and key', async () => {
    const created = await partner().post<{ client_token: string; expires_at: string }>(
      '/client-tokens',
      {
        api_key: key.api_key,
        end_user_id: 'customer-1',
        expires_in_seconds: 60,
        filter: { type: 'eq', key: 'team', value: 'support' },
      },
    );
    const { body } = await partner().query(created.body.client_token, QUESTION);
    const [source = {} as Linked] = body.results as Linked[];
    expect(source.expires_at).toBe(created.body.expires_at);
    const url = String(source.original_url);
    expect(outcome(await open(url))).toBe('200');
    await alice.call('PATCH', `/documents/${documentId}`, { metadata: { team: 'sales' } });
    await gone(url);
    await alice.call('PATCH', `/documents/${documentId}`, { metadata: { team: 'support' } });
    expect(outcome(await open(url))).toBe('200');
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    await gone(url);
  });

  it('ends with the membership of the dashboard user it was made for', async () => {
    const vera = newUserId('vera');
    await alice.call('PUT', `/kbs/${kbId}/members/${vera}`, { role: 'viewer' });
    const { body } = await new Client(service, vera).post<{ results: Linked[] }>(
      `/kbs/${kbId}/query`,
      { message: QUESTION },
    );
    const url = String(body.results[0]?.original_url);
    expect((await open(url)).text).toBe(TEXT);
    await alice.call('DELETE', `/kbs/${kbId}/members/${vera}`);
    await gone(url);
  });
});
