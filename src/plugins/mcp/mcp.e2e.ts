import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type ApiKeyUsage,
  Client,
  type IssuedApiKey,
  type KnowledgeBase,
} from '../../../test/support/client.js';
import { openApiDocument, type Schema } from '../../../test/support/operations.js';
import { eventually } from '../../../test/support/service.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';

const QUESTION = 'How long may customers return an order?';
const ANSWER = 'Customers may return any order within 30 days of delivery.';

describe('MCP', () => {
  let service: SharedService;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('mcp'));
    kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, {
      title: 'Returns policy',
      text: ANSWER,
      metadata: { department: 'support' },
    });
    key = await alice.createApiKey(kb.id);
  });

  /** @param negotiate `auto` speaks the newest generation that both sides know */
  async function connect(
    secret: string,
    negotiate: 'auto' | 'legacy' = 'auto',
  ): Promise<McpClient> {
    const client = new McpClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: negotiate } },
    );
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    const url = new URL(`${service.url}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return client;
  }

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${key.api_key}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  describe.each(['auto', 'legacy'] as const)('with the official client (%s)', (negotiate) => {
    it('lists the tools, searches and answers as /query and /chat do', async () => {
      const client = await connect(key.api_key, negotiate);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(['ask', 'fetch', 'search']);
      for (const { inputSchema, outputSchema, annotations } of tools) {
        expect(inputSchema.type).toBe('object');
        expect(outputSchema?.type).toBe('object');
        expect(annotations?.readOnlyHint).toBe(true);
      }

      const found = await client.callTool({ name: 'search', arguments: { query: QUESTION } });
      const { body } = await alice.query(key.api_key, QUESTION);
      expect(found.structuredContent).toEqual({
        ...body,
        results: body.results.map((result) => ({
          ...{ id: result.chunk_id, title: 'Returns policy', url: '' },
          ...result,
        })),
        query_id: expect.any(String),
        latency_ms: expect.any(Number),
      });

      const asked = await client.callTool({ name: 'ask', arguments: { question: QUESTION } });
      expect(asked.structuredContent).toMatchObject({
        answered: true,
        answer: `30 days\n${ANSWER} [1]`,
      });
      await client.close();
    });

    it('says what is wrong with an argument, so that a model can mend it', async () => {
      const client = await connect(key.api_key, negotiate);
      const filter = { type: 'like', key: 'department', value: 'x' };
      const result = await client.callTool({
        name: 'search',
        arguments: { query: QUESTION, filter },
      });
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result.content)).toContain('filter.type must be one of eq');
      await client.close();
    });
  });

  it('reads a passage that was found, with the texts around it', async () => {
    const other = await alice.createKnowledgeBase();
    await alice.set(other.id, { chunk_size: 20, chunk_overlap: 9 });
    const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
    const text = `# Wheels\n\n${numbers.map((one) => `Bicycle number ${one} has two wheels.`).join(' ')}`;
    const source_url = 'https://shop.example.com/bicycles';
    const bicycles = { title: 'Bicycles', text, mime_type: 'text/markdown', source_url };
    await alice.addDocument(other.id, { ...bicycles, metadata: { kind: 'manual' } });
    const { api_key } = await alice.createApiKey(other.id);
    const client = await connect(api_key);
    const found = await client.callTool({ name: 'search', arguments: { query: 'number 6' } });
    const { results } = found.structuredContent as { results: { id: string; title: string }[] };
    const [best] = results;
    expect(best).toMatchObject({ title: 'Bicycles › Wheels', url: source_url });
    const { structuredContent } = await client.callTool({
      name: 'fetch',
      arguments: { id: best?.id },
    });
    expect(structuredContent).toMatchObject({
      ...{ id: best?.id, title: best?.title, url: source_url },
      metadata: { kind: 'manual', kb_id: other.id },
    });
    const { text: whole } = structuredContent as { text: string };
    const read = numbers.filter((one) => whole.includes(`number ${one} `));
    // Those before and after it, and none twice, though passages share sentences.
    expect(read.length).toBeGreaterThan(4);
    expect(whole.match(/number \d+ /g)).toEqual(read.map((one) => `number ${one} `));

    const filter = { type: 'eq', key: 'kind', value: 'policy' };
    const { api_key: filtered } = await alice.createApiKey(other.id, { filter });
    for (const [secret, id] of [
      [filtered, best?.id],
      [key.api_key, best?.id],
      [api_key, 'chunk_01kafdp6ygf4rs4s2cr5cvzwkc'],
      [api_key, 'nonsense'],
      [api_key, 'a\u0000b'],
    ]) {
      const reader = await connect(String(secret));
      const refused = await reader.callTool({ name: 'fetch', arguments: { id } });
      expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
        ...[true, expect.stringContaining('not_found')],
      ]);
      await reader.close();
    }
    await client.close();
  });

  it('reads no passage of a document that is not valid any more', async () => {
    const other = await alice.createKnowledgeBase();
    const document = await alice.addDocument(other.id, { title: 'Returns policy', text: ANSWER });
    const { api_key } = await alice.createApiKey(other.id);
    const client = await connect(api_key);
    const found = await client.callTool({ name: 'search', arguments: { query: QUESTION } });
    const { results } = found.structuredContent as { results: { id: string }[] };
    const read = () => client.callTool({ name: 'fetch', arguments: { id: results[0]?.id } });
    expect((await read()).isError).not.toBe(true);
    await alice.call('PATCH', `/documents/${document.id}`, { valid_until: '2020-01-01' });
    expect(JSON.stringify((await read()).content)).toContain('not_found');
    await client.close();
  });

  it('goes on with a conversation', async () => {
    const client = await connect(key.api_key);
    const ask = async (more: object) =>
      (await client.callTool({ name: 'ask', arguments: { question: QUESTION, ...more } }))
        .structuredContent as { conversation_id: string };
    const { conversation_id } = await ask({});
    expect(await ask({ conversation_id })).toMatchObject({ conversation_id });
    expect(await alice.messages(conversation_id)).toHaveLength(4);
    await client.close();
  });

  it('gives the rows of tables where they are asked for', async () => {
    const other = await alice.createKnowledgeBase();
    const { api_key } = await alice.createApiKey(other.id);
    const text = '| Plan | Price |\n| --- | --- |\n| Basic | 96.00 |';
    await alice.addDocument(other.id, { title: 'Plans', text, mime_type: 'text/markdown' });
    const client = await connect(api_key);
    const search = async (more: object) =>
      (await client.callTool({ name: 'search', arguments: { query: 'Basic', ...more } }))
        .structuredContent as { results: object[] };
    const table = { columns: ['Plan', 'Price'], rows: [['Basic', '96.00']] };
    expect((await search({ tables: true })).results).toMatchObject([{ table }]);
    expect((await search({})).results[0]).not.toHaveProperty('table');
    await client.close();
  });

  it('lists only the tools that the key may use', async () => {
    const { api_key } = await alice.createApiKey(kb.id, { scopes: ['query'] });
    const client = await connect(api_key);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'fetch']);
    await client.close();
    const feedback = await alice.createApiKey(kb.id, { scopes: ['feedback'] });
    await expect(connect(feedback.api_key)).rejects.toThrow();
  });

  it('does not call a tool that the key may not use', async () => {
    const { api_key } = await alice.createApiKey(kb.id, { scopes: ['query'] });
    const client = await connect(api_key);
    const asked = client.callTool({ name: 'ask', arguments: { question: QUESTION } });
    await expect(asked).rejects.toThrow('ask');
    await client.close();
  });

  it('refuses a batch, which would count as one request', async () => {
    const call = { method: 'tools/call', params: { name: 'search', arguments: { query: 'a' } } };
    const batch = [1, 2].map((number) => ({ jsonrpc: '2.0', id: number, ...call }));
    const response = await post(batch);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('validation_failed');
  });

  it('describes its answers as the OpenAPI document does', async () => {
    const { components } = await openApiDocument(service);
    const client = await connect(key.api_key);
    const { tools } = await client.listTools();
    const promised = (name: string) => {
      const schema = tools.find((tool) => tool.name === name)?.outputSchema as Schema;
      const rows = schema.properties?.['results'] ?? schema.properties?.['sources'];
      return [schema, rows?.items].map((part) => Object.keys(part?.properties ?? {}).sort());
    };
    const documented = (...names: string[]) =>
      names.map((name) => Object.keys(components.schemas[name]?.properties ?? {}).sort());
    const [found, results = []] = documented('QueryAnswerDto', 'QueryResultDto');
    expect(promised('search')).toEqual([found, [...results, 'id', 'title', 'url'].sort()]);
    expect(promised('ask')).toEqual(documented('ChatAnswerDto', 'SourceDto'));
    await client.close();
  });

  it('counts as /query and /chat do, for its knowledge base and for the key', async () => {
    const own = await alice.createKnowledgeBase();
    const { api_key, id } = await alice.createApiKey(own.id);
    const client = await connect(api_key);
    await client.callTool({ name: 'search', arguments: { query: QUESTION } });
    await client.callTool({ name: 'ask', arguments: { question: QUESTION } });
    await client.close();
    await eventually(async () => {
      const [counted] = await sql<{ queries: number; chats: number }>(
        service.environment,
        `SELECT SUM(queries) AS queries, SUM(chats) AS chats FROM usage_counts
         WHERE kb_id = '${own.id}' AND period = 'quarter'`,
      );
      return Number(counted?.queries) === 1 && Number(counted?.chats) === 1;
    });
    await eventually(async () => {
      const { body } = await alice.get<ApiKeyUsage>(`/api-keys/${id}/usage`);
      return body.requests_24h >= 2;
    });
  });

  it('is limited as /query and /chat are', async () => {
    const { api_key } = await alice.createApiKey(kb.id, { rate_limit_per_minute: 1 });
    const authorization = `Bearer ${api_key}`;
    expect((await post(LIST, { authorization })).status).toBe(200);
    const limited = await post(LIST, { authorization });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(await limited.json()).toMatchObject({ code: 'rate_limited' });
  });

  it('is refused between two calls when the key is revoked', async () => {
    const revoked = await alice.createApiKey(kb.id);
    const client = await connect(revoked.api_key);
    const search = () => client.callTool({ name: 'search', arguments: { query: QUESTION } });
    expect((await search()).isError).not.toBe(true);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await expect(search()).rejects.toThrow();
    await client.close();
  });

  it('asks for a credential in the header, and for nothing in the address', async () => {
    const response = await post(LIST, { authorization: '' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/\bBearer\b/);
    const inUrl = await fetch(`${service.url}/mcp?api_key=${key.api_key}`, { method: 'POST' });
    expect(inUrl.status).toBe(401);
  });

  it('refuses pages of other origins, and answers its own', async () => {
    expect((await post(LIST, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(LIST, { origin: 'null' })).status).toBe(403);
    expect((await post(LIST, { origin: service.url })).status).toBe(200);
  });

  it.each(['GET', 'DELETE', 'PUT'])('answers 405 to %s: there are no sessions', async (method) => {
    const headers = { authorization: `Bearer ${key.api_key}` };
    expect((await fetch(`${service.url}/mcp`, { method, headers })).status).toBe(405);
  });

  it('refuses a page of plain http, whose host name could be pointed at the service', async () => {
    // fetch sets the Host itself.
    const { port } = new URL(service.url);
    const headers = { host: `rebound.example:${port}`, origin: `http://rebound.example:${port}` };
    const refused = request(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${key.api_key}`,
        'content-type': 'application/json',
      },
    }).end(JSON.stringify(LIST));
    const [{ statusCode }] = (await once(refused, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(403);
    refused.destroy();
  });

  it('keeps no stream open', async () => {
    const prefix = 'io.modelcontextprotocol';
    const _meta = {
      [`${prefix}/protocolVersion`]: '2026-07-28',
      [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
      [`${prefix}/clientCapabilities`]: {},
    };
    const params = { _meta, notifications: { toolsListChanged: true } };
    const listening = await post(
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect(listening.status).toBe(404);
    expect(await listening.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32601, message: 'Method not found' },
    });
  });

  it.each([[null], [[]], [{}], [{ jsonrpc: '2.0' }], ['text'], [{ ...LIST, method: 'nothing' }]])(
    'answers %j without a failure of its own',
    async (body) => {
      expect((await post(body)).status).toBeLessThan(500);
    },
  );
});
