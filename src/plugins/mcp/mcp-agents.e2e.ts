import { createHmac, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client as McpClient,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { JWK, JWTPayload } from 'jose';
import { AgentSignIn, asPerson } from '../../../test/support/agent-sign-in.js';
import { Client, created, outcome } from '../../../test/support/client.js';
import {
  inSeconds,
  KeyServer,
  newSigningKey,
  type SigningKey,
} from '../../../test/support/key-server.js';
import { freePort } from '../../../test/support/postgres.mjs';
import { Service } from '../../../test/support/service.js';
import { SignInProvider } from '../../../test/support/sign-in-provider.js';
import { exchangeToken } from '../../../test/support/token-exchange.js';
import { withPlugins } from '../../../test/support/requirement.js';

const QUESTION = 'May orders be returned?';

const newMcpClient = () =>
  new McpClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });

describe('an agent', () => {
  it('signs its person in by itself, and has what that person may read', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const provider = await SignInProvider.start(url);
    const service = await Service.start({
      ...provider.environment,
      ...{ PORT: String(port), PUBLIC_URL: url, MCP_OIDC_SCOPE: 'mcp' },
    });
    try {
      const signIn = new AgentSignIn(asPerson('alice'));
      const transport = () =>
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: signIn });
      const first = transport();
      await expect(newMcpClient().connect(first)).rejects.toThrow(UnauthorizedError);
      expect(signIn.asked?.searchParams.get('resource')).toBe(`${url}/mcp`);
      expect(signIn.asked?.searchParams.get('scope')).toBe('mcp');
      await first.finishAuth(signIn.answered);
      const client = newMcpClient();
      await client.connect(transport());
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        'list_knowledge_bases',
        'search',
        'fetch',
        'ask',
      ]);
      const listed = await client.callTool({ name: 'list_knowledge_bases', arguments: {} });
      expect(listed.structuredContent).toEqual({ knowledge_bases: [], next_cursor: null });
      await client.close();
    } finally {
      await Promise.all([service.stop(), provider.stop()]);
    }
  });
});

describe('the token of an agent', () => {
  let url: string;
  let service: Service;
  let issuer: KeyServer;
  let key: SigningKey;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    key = await newSigningKey('k1');
    issuer = await KeyServer.start(key);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = await Service.start({
      DASHBOARD_AUTH_MODE: 'oidc',
      OIDC_ISSUER: issuer.issuer,
      OIDC_AUDIENCE: 'latchkey',
      OIDC_GROUPS_CLAIM: 'groups',
      MCP_OIDC_SCOPE: 'mcp',
      ...{ PORT: String(port), PUBLIC_URL: url },
    });
    alice = await dashboard('alice');
    ({ id: kbId } = await alice.createKnowledgeBase('Shop'));
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Orders may be returned for 30 days.',
    });
    await alice.addDocument(kbId, {
      title: 'Salaries',
      text: 'Orders of bonuses may be returned to HR.',
      access: { allow: ['group:hr'] },
    });
  });
  afterAll(() => Promise.all([service.stop(), issuer.stop()]));

  /** A client of the dashboard that sends a token with its user. */
  async function dashboard(user: string): Promise<Client> {
    const token = await issuer.token(key, { sub: user });
    return new (class extends Client {
      override call<T>(
        method: string,
        path: string,
        body?: unknown,
        headers: Record<string, string> = {},
      ) {
        return super.call<T>(method, path, body, { authorization: `Bearer ${token}`, ...headers });
      }
    })(service, user);
  }

  const agentToken = (claims: JWTPayload = {}) =>
    issuer.token(key, { aud: `${url}/mcp`, azp: 'an-agent', scope: 'openid mcp', ...claims });

  const post = (authorization?: string) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(authorization !== undefined && { authorization }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  async function connect(token: string): Promise<McpClient> {
    const client = newMcpClient();
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    return client;
  }

  const call = async (claims: JWTPayload, name: string, args: object) => {
    const client = await connect(await agentToken(claims));
    const result = await client.callTool({ name, arguments: { ...args } });
    await client.close();
    return result;
  };

  it('is announced where agents look', async () => {
    const resource = {
      resource: `${url}/mcp`,
      // Agents go to the first; the plugin `agents` adds the service itself.
      authorization_servers: expect.arrayContaining([issuer.issuer]) as unknown,
      bearer_methods_supported: ['header'],
      resource_name: 'Latchkey',
      scopes_supported: ['mcp'],
    };
    for (const path of ['/mcp', '']) {
      const response = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
      expect([response.status, await response.json()]).toEqual([200, resource]);
    }
    const challenge = `scope="mcp", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`;
    const without = await post();
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([
      ...[401, `Bearer ${challenge}`],
    ]);
    const wrong = await post('Bearer rag_live_x');
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      ...[401, `Bearer error="invalid_token", ${challenge}`],
    ]);
    const lacking = await post(`Bearer ${await agentToken({ scope: 'openid' })}`);
    expect([lacking.status, lacking.headers.get('www-authenticate')]).toEqual([
      ...[403, `Bearer error="insufficient_scope", ${challenge}`],
    ]);
  });

  it('reads as its person, with their groups', async () => {
    const titles = async (claims: JWTPayload) => {
      const found = await call(claims, 'search', { query: QUESTION });
      const { results } = found.structuredContent as { results: { document_title: string }[] };
      return results.map(({ document_title }) => document_title).sort();
    };
    expect(await titles({ sub: 'alice' })).toEqual(['Returns']);
    expect(await titles({ sub: 'alice', groups: ['hr'] })).toEqual(['Returns', 'Salaries']);
    const { structuredContent } = await call({ sub: 'alice', groups: ['hr'] }, 'search', {
      query: 'bonuses',
    });
    const [salaries] = (structuredContent as { results: { id: string }[] }).results;
    const read = (claims: JWTPayload) => call(claims, 'fetch', { id: salaries?.id });
    expect((await read({ sub: 'alice', groups: ['hr'] })).structuredContent).toMatchObject({
      title: 'Salaries',
    });
    for (const claims of [{ sub: 'alice' }, { sub: 'mallory', groups: ['hr'] }]) {
      expect(JSON.stringify((await read(claims)).content)).toContain('not_found');
    }
    const answer = await call({ sub: 'alice' }, 'ask', { question: QUESTION });
    expect(answer.structuredContent).toMatchObject({ answered: true, conversation_id: null });
  });

  it('opens what its person is a member of, which is named where there are several', async () => {
    const other = created(await alice.post<{ id: string }>('/kbs', { name: 'Other' }), 201);
    const listed = await call({ sub: 'alice' }, 'list_knowledge_bases', {});
    const { knowledge_bases } = listed.structuredContent as { knowledge_bases: { id: string }[] };
    expect(knowledge_bases.map(({ id }) => id)).toEqual([other.id, kbId]);
    const unnamed = await call({ sub: 'alice' }, 'search', { query: QUESTION });
    expect([unnamed.isError, JSON.stringify(unnamed.content)]).toEqual([
      ...[true, expect.stringContaining('validation_failed')],
    ]);
    const named = await call({ sub: 'alice' }, 'search', { query: QUESTION, kb_id: kbId });
    expect(named.isError).toBeFalsy();
    for (const kb_id of [kbId, 'kb_01kafdp6ygf4rs4s2cr5cvzwkc', 'nonsense', '']) {
      const foreign = await call({ sub: 'mallory' }, 'ask', { question: QUESTION, kb_id });
      expect(JSON.stringify(foreign.content)).toContain('not_found');
    }
    await alice.call('DELETE', `/kbs/${other.id}`);
  });

  it('has 60 calls a minute, those that list among them', async () => {
    const client = await connect(await agentToken({ sub: 'dora' }));
    const list = async () => {
      const { content } = await client.callTool({ name: 'list_knowledge_bases', arguments: {} });
      return JSON.stringify(content);
    };
    for (let n = 0; n < 60; n++) expect(await list()).not.toContain('rate_limited');
    expect(await list()).toContain('rate_limited');
    await client.close();
  });

  it('leaves keys as they are', async () => {
    const { api_key: secret } = await alice.createApiKey(kbId);
    const client = await connect(secret);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'ask']);
    await client.close();
  });

  it.each<[string, JWTPayload]>([
    ['for the dashboard', { aud: 'latchkey' }],
    ['for the dashboard too', { aud: ['latchkey', 'placeholder'] }],
    ['for the host', { aud: 'host' }],
    ['for nothing', { aud: undefined }],
    ['past its end', { exp: inSeconds(-60) }],
    ['without an end', { exp: undefined }],
    ['that begins later', { nbf: inSeconds(600) }],
    ['of another issuer', { iss: 'https://idp.example.com' }],
    ['of nobody', { sub: undefined }],
    ['of a group', { sub: 'group:hr' }],
    ['of a service account', { sub: 'sa_01kafdp6ygf4rs4s2cr5cvzwkc' }],
    ['of a name that no header has', { sub: 'a b' }],
    ['of a logout', { events: {} }],
  ])('is refused %s', async (_, claims) => {
    const { aud } = claims;
    const replaced =
      aud === 'host' ? url : Array.isArray(aud) ? ['latchkey', `${url}/mcp`] : undefined;
    const token = await agentToken({ ...claims, ...(replaced && { aud: replaced }) });
    const response = await post(`Bearer ${token}`);
    expect([response.status, await response.json()]).toEqual([
      ...[401, expect.objectContaining({ code: 'invalid_api_key' })],
    ]);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('is refused when another has signed it, and at the doors of the core', async () => {
    const foreign = await newSigningKey('k1');
    const claims = { aud: `${url}/mcp`, scope: 'mcp' };
    expect((await post(`Bearer ${await issuer.token(foreign, claims)}`)).status).toBe(401);
    const token = await agentToken();
    const headers = { authorization: `Bearer ${token}` };
    const nobody = new Client(service);
    const doors = [
      () => new Client(service, 'alice').call('GET', '/kbs', undefined, headers),
      () => nobody.call('GET', '/key', undefined, headers),
      () => nobody.post('/query', { message: QUESTION }, headers),
      () => nobody.post('/query', { message: QUESTION, api_key: token }),
      () => nobody.call('GET', '/ingest/documents', undefined, headers),
    ];
    for (const [door, open] of doors.entries()) {
      expect([door, (await open()).status]).toEqual([door, 401]);
    }
  });

  withPlugins('client-tokens', 'openai-api', 'scim').it(
    'is refused at the doors of other plugins',
    async () => {
      const token = await agentToken();
      const headers = { authorization: `Bearer ${token}` };
      const nobody = new Client(service);
      const doors = [
        () => nobody.post('/client-tokens', { end_user_id: 'alice' }, headers),
        () => fetch(`${url}/v1/models`, { headers }),
        () => fetch(`${url}/scim/v2/Users`, { headers }),
      ];
      for (const [door, open] of doors.entries()) {
        expect([door, (await open()).status]).toEqual([door, 401]);
      }
      const exchanged = await exchangeToken(nobody, token);
      expect(outcome(exchanged)).toBe('400 invalid_subject_token');
    },
  );

  it('is refused without a signature, and with one by the public key or a key that it brings', async () => {
    const token = await agentToken();
    expect((await post(`Bearer ${token}`)).status).toBe(200);
    const foreign = await newSigningKey('k1');
    const claims = { aud: `${url}/mcp`, azp: 'an-agent', scope: 'openid mcp' };
    const [, payload = '', signature = ''] = token.split('.');
    const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url');
    const pem = createPublicKey({ key: key.publicJwk as JWK & { kty: string }, format: 'jwk' })
      .export({ type: 'spki', format: 'pem' })
      .toString();
    const hs256 = `${encode({ alg: 'HS256', kid: 'k1' })}.${payload}`;
    const forged = [
      await issuer.token(foreign, claims, { jwk: foreign.publicJwk }),
      await issuer.token(foreign, claims, { jku: `${issuer.issuer}/keys` }),
      await issuer.token({ ...key, kid: 'unknown' }, claims),
      ...['', 'AA', signature].map(
        (end) => `${encode({ alg: 'none', kid: 'k1' })}.${payload}.${end}`,
      ),
      `${hs256}.${createHmac('sha256', pem).update(hs256).digest('base64url')}`,
    ];
    for (const [n, one] of forged.entries()) {
      expect([n, (await post(`Bearer ${one}`)).status]).toEqual([n, 401]);
    }
  });
});

describe('without an authorization server', () => {
  it('there is no resource, and the challenge names none', async () => {
    const service = await Service.start({ PLUGINS: 'mcp' });
    for (const path of ['', '/mcp']) {
      const response = await fetch(`${service.url}/.well-known/oauth-protected-resource${path}`);
      expect(response.status).toBe(404);
    }
    const response = await fetch(`${service.url}/mcp`, { method: 'POST' });
    expect(response.headers.get('www-authenticate')).not.toContain('resource_metadata');
    await service.stop();
  });
});
