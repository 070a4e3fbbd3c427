import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AuditEvent,
  Client,
  type IssuedApiKey,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { callTool, Connecting, register, sentBack } from '../../../test/support/connecting.js';
import { furnish } from '../../../test/support/furnish.js';
import { withPlugins } from '../../../test/support/requirement.js';
import { eventually } from '../../../test/support/service.js';
import type { SharedService } from '../../../test/support/shared-service.js';

interface Connection {
  id: string;
  client_name: string;
  client_host: string | null;
  scopes: string[];
  last_used_at: string | null;
  requests: number;
}

describe('an agent that is connected with a key', () => {
  let service: SharedService;
  let second: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let key: IssuedApiKey;
  let client: Connecting;

  beforeAll(async () => {
    ({ service, second, alice, partner, kbId } = await furnish());
    key = await alice.createApiKey(kbId);
    client = await Connecting.register(service.url, { client_name: 'Cursor' });
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Orders may be returned for 30 days.',
    });
  });

  /** One client for all, since registrations of an address are limited. */
  const begin = () => Promise.resolve(new Connecting(service.url, client.clientId));
  const call = (token: string, url = service.url) => callTool(url, token);
  const connectionsOf = async ({ id }: IssuedApiKey) =>
    (await alice.get<Page<Connection>>(`/api-keys/${id}/connections`)).body.data;

  it('finds the way by the metadata, and answers from the documents', async () => {
    const refused = await fetch(`${service.url}/mcp`, { method: 'POST' });
    const resource = `${service.url}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${resource}"`);
    const named = (await (await fetch(resource)).json()) as Record<string, unknown>;
    expect(named).toMatchObject({
      resource: `${service.url}/mcp`,
      authorization_servers: [service.url],
      scopes_supported: ['query', 'chat', 'feedback'],
    });
    const metadata = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({
      issuer: service.url,
      authorization_endpoint: `${service.url}/oauth/authorize`,
      token_endpoint: `${service.url}/oauth/token`,
      registration_endpoint: `${service.url}/oauth/register`,
      revocation_endpoint: `${service.url}/oauth/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: ['query', 'chat', 'feedback'],
    });
    const agent = await begin();
    const tokens = await agent.tokens(key.api_key);
    expect(tokens).toMatchObject({ expires_in: 900, token_type: 'Bearer', scope: 'query chat' });
    expect(tokens.access_token).toMatch(/^rag_agent_[\w-]{43}$/);
    const answer = await callTool(service.url, tokens.access_token, 'ask', {
      question: 'How long may orders be returned?',
    });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('30 days')]);
  });

  it('receives the issuer and its own state with the code', async () => {
    const agent = await begin();
    const page = await agent.open();
    const form = { api_key: ` ${key.api_key}\n`, decision: 'connect' };
    const back = sentBack(await agent.submit(page, form));
    expect([back?.get('iss'), back?.get('state')]).toEqual([service.url, 'the-state']);
  });

  it('is listed under its key with its use, until it is disconnected', async () => {
    const own = await alice.createApiKey(kbId);
    const agent = await begin();
    const { access_token: token, refresh_token: refreshToken } = await agent.tokens(own.api_key);
    expect((await call(token)).status).toBe(200);
    await eventually(async () => (await connectionsOf(own))[0]?.requests === 1);
    const [connection, ...others] = await connectionsOf(own);
    expect(others).toEqual([]);
    expect(connection).toMatchObject({
      ...{ client_name: 'Cursor', client_host: null, scopes: ['query', 'chat'] },
    });
    expect(connection?.last_used_at).not.toBeNull();
    const bearer = { authorization: `Bearer ${own.api_key}` };
    const { body: held } = await partner.call<{ connections: Partial<Connection>[] }>(
      ...(['GET', '/key', undefined, bearer] as const),
    );
    expect(held.connections).toMatchObject([{ id: connection?.id, client_name: 'Cursor' }]);
    const path = `/connections/${connection?.id ?? ''}`;
    expect(outcome(await new Client(service, 'mallory').call('DELETE', path))).toBe(
      '404 not_found',
    );
    expect(outcome(await alice.call('DELETE', path))).toBe('200');
    for (const { url } of [service, second]) {
      expect(await call(token, url)).toMatchObject({ status: 401, code: 'invalid_api_key' });
    }
    expect((await agent.refresh(refreshToken)).body.error).toBe('invalid_grant');
    expect(await connectionsOf(own)).toEqual([]);
    expect(outcome(await alice.call('DELETE', path))).toBe('404 not_found');
    expect(outcome(await partner.query(own.api_key, 'returns'))).toBe('200');
    const { body: audit } = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events?limit=20`);
    expect(audit.data.filter(({ target_id: id }) => id === connection?.id)).toMatchObject([
      { action: 'agent.disconnected', details: { key_id: own.id, client_name: 'Cursor' } },
      { action: 'agent.connected', details: { key_id: own.id, client_name: 'Cursor' } },
    ]);
  });

  it.each<[string, string, (key: IssuedApiKey) => Promise<unknown>]>([
    ['revoked', 'api_key_revoked', ({ id }) => alice.call('PATCH', `/api-keys/${id}/revoke`)],
    ['deleted', 'invalid_api_key', ({ id }) => alice.call('DELETE', `/api-keys/${id}`)],
    [
      'rotated without a time of grace',
      'api_key_expired',
      ({ id }) => alice.post(`/api-keys/${id}/rotate`, { grace_period_seconds: 0 }),
    ],
    [
      'no longer for this address',
      'ip_not_allowed',
      ({ id }) => alice.call('PATCH', `/api-keys/${id}`, { allowed_ips: ['192.0.2.1'] }),
    ],
  ])('ends with its key: %s', async (_, code, end) => {
    const own = await alice.createApiKey(kbId);
    const agent = await begin();
    const { access_token: token, refresh_token: refreshToken } = await agent.tokens(own.api_key);
    expect((await call(token)).status).toBe(200);
    await end(own);
    for (const { url } of [service, second]) expect(await call(token, url)).toMatchObject({ code });
    if (code === 'ip_not_allowed') return;
    expect((await agent.refresh(refreshToken)).body.error).toBe('invalid_grant');
  });

  it('never opens more than its key', async () => {
    const narrow = await alice.createApiKey(kbId, { scopes: ['query'], rate_limit_per_minute: 2 });
    const agent = await begin();
    const { access_token: token, scope } = await agent.tokens(narrow.api_key);
    expect(scope).toBe('query');
    const asked = await callTool(service.url, token, 'ask', { question: 'x' });
    expect(asked.text).toContain('not found');
    expect((await call(token)).status).toBe(200);
    expect((await call(token)).code).toBe('rate_limited');
  });

  it('gets a new token with the old one, and nothing with one that was used', async () => {
    const own = await alice.createApiKey(kbId);
    const agent = await begin();
    const first = await agent.tokens(own.api_key);
    const { body: next } = await agent.refresh(first.refresh_token);
    expect((await call(next.access_token)).status).toBe(200);
    expect(next.refresh_token).not.toBe(first.refresh_token);
    expect((await agent.refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    // The thief and the owner lose it both.
    expect((await agent.refresh(next.refresh_token)).body.error).toBe('invalid_grant');
    expect((await call(next.access_token)).status).toBe(401);
    expect((await call(first.access_token)).status).toBe(401);
  });

  it('gets tokens once of parallel requests with one refresh token', async () => {
    const own = await alice.createApiKey(kbId);
    const agent = await begin();
    const { refresh_token: token } = await agent.tokens(own.api_key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => agent.refresh(token)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of answers) {
      if (body.access_token) expect((await call(body.access_token)).status).toBe(401);
    }
  });

  it('may narrow its scope and not widen it', async () => {
    const agent = await begin();
    const { refresh_token: wide } = await agent.tokens(key.api_key);
    expect((await agent.refresh(wide, { scope: 'query' })).body.scope).toBe('query');
    const { refresh_token: token } = await agent.tokens(key.api_key, { scope: 'query' });
    expect((await agent.refresh(token, { scope: 'query chat' })).body.error).toBe('invalid_scope');
  });

  it('ends by itself', async () => {
    const own = await alice.createApiKey(kbId);
    const agent = await begin();
    const { access_token: token, refresh_token: refreshToken } = await agent.tokens(own.api_key);
    expect((await agent.revoke(refreshToken)).status).toBe(200);
    expect((await call(token)).status).toBe(401);
    expect(await connectionsOf(own)).toEqual([]);
  });

  it('uses a token only for what it is for', async () => {
    const query = { message: 'returns' };
    const at = async (token: string, path: string) =>
      (await partner.post(path, query, { authorization: `Bearer ${token}` })).status;
    const agent = await begin();
    const mcp = await agent.tokens(key.api_key);
    expect(await at(mcp.access_token, '/query')).toBe(401);
    const tokensFor = async (path: string) =>
      (await begin()).tokens(key.api_key, { resource: `${service.url}${path}` });
    const chat = await tokensFor('/api/v1/chat');
    expect(await at(chat.access_token, '/chat')).toBe(200);
    expect(await at(chat.access_token, '/query')).toBe(401);
    const api = await tokensFor('/api/v1/');
    expect(await at(api.access_token, '/query')).toBe(200);
    expect(await at(api.access_token, '/chat')).toBe(200);
    expect((await call(api.access_token)).status).toBe(401);
    expect(await at(api.access_token, '/client-tokens')).toBe(403);
  });

  withPlugins('openai-api').it('opens OpenAI’s door where its token is for it', async () => {
    const { access_token: token } = await (
      await begin()
    ).tokens(key.api_key, {
      resource: `${service.url}/v1`,
    });
    const headers = { authorization: `Bearer ${token}` };
    const models = await fetch(`${service.url}/v1/models`, { headers });
    expect(models.status).toBe(200);
    expect((await call(token)).status).toBe(401);
  });

  it('has a name that nobody can disguise', async () => {
    const { body } = await register(service.url, {
      client_name: ' Cla\u202eude\n<script>alert(1)</script> ',
      redirect_uris: ['http://127.0.0.1/callback'],
    });
    const agent = new Connecting(service.url, body.client_id, 'http://127.0.0.1:7/callback');
    const page = await agent.open();
    const html = await page.text();
    expect(html).toContain('Cla ude &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('Nobody has verified that this is what it says');
    expect(html).toContain('To an app on this computer');
    expect(html).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('is refused with clear words for a key that does not open anything', async () => {
    const revoked = await alice.createApiKey(kbId);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    const writing = await alice.createApiKey(kbId, { scopes: ['chat', 'documents:write'] });
    const elsewhere = await alice.createApiKey(kbId, { allowed_ips: ['192.0.2.1'] });
    const agent = await begin();
    const page = await agent.open();
    const cases: [string, number, string][] = [
      [revoked.api_key, 401, 'revoked'],
      [writing.api_key, 403, 'query'],
      [elsewhere.api_key, 403, 'address'],
      [`${key.api_key.slice(0, -1)}!`, 401, 'rag_live_'],
      ['', 401, 'rag_live_'],
      ['rag_client_abc', 401, 'no API key of a knowledge base'],
    ];
    for (const [pasted, status, word] of cases) {
      const answer = await agent.submit(page, { api_key: pasted, decision: 'connect' });
      const html = await answer.text();
      expect([answer.status, sentBack(answer)]).toEqual([status, undefined]);
      expect(/role="alert"[^>]*>([^<]*)/.exec(html)?.[1]).toContain(word);
      if (pasted !== '') expect(html).not.toContain(pasted);
    }
    expect(await connectionsOf(elsewhere)).toEqual([]);
    const cancelled = await agent.submit(page, { decision: 'cancel' });
    expect(sentBack(cancelled)?.get('error')).toBe('access_denied');
  });

  it('is nowhere in the log', async () => {
    const agent = await begin();
    const code = await agent.connect(key.api_key);
    const { body } = await agent.redeem(code);
    await call(body.access_token);
    for (const secret of [code, body.access_token, body.refresh_token, key.api_key]) {
      expect(service.logs).not.toContain(secret.slice(-30));
    }
  });
});
