import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey } from '../../../test/support/client.js';
import { callTool, Connecting, register, sentBack } from '../../../test/support/connecting.js';
import { Service } from '../../../test/support/service.js';
import { databaseTime, sql } from '../../../test/support/sql.js';

describe('the authorization server under attack', () => {
  let service: Service;
  let key: IssuedApiKey;
  let addresses = 0;

  beforeAll(async () => {
    service = await Service.start({ TRUSTED_PROXY_CIDRS: '127.0.0.1' });
    const alice = new Client(service, 'alice');
    const { id: kbId } = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kbId);
  });
  afterAll(() => service.stop());

  /** From an address of its own, since registrations of one are limited. */
  const fresh = () => ({ 'x-forwarded-for': `10.2.0.${++addresses}` });
  const post = (metadata: object) => register(service.url, metadata, fresh());
  async function begin(metadata: object = {}): Promise<Connecting> {
    const headers = fresh();
    const agent = await Connecting.register(service.url, metadata, headers);
    agent.headers = headers;
    return agent;
  }

  describe('redirects', () => {
    it.each([
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'about:blank',
      'view-source:https://a.example.com',
      'ws://127.0.0.1/cb',
      'http://evil.example.com/cb',
      'https://a.example.com/cb#fragment',
      '//evil.example.com',
      'not an address',
      '',
      'https://a.example.com/\u0000',
    ])('cannot be registered to %j', async (uri) => {
      const { status, body } = await post({ redirect_uris: [uri] });
      expect(status).toBe(400);
      expect(body.error).toMatch(/invalid_(?:redirect_uri|client_metadata)/);
    });

    it.each(['cursor://anysphere.cursor-mcp/oauth/callback', 'https://a.example.com/cb?x=1'])(
      'lead to %s',
      async (uri) => {
        const agent = await begin({ redirect_uris: [uri] });
        const form = { api_key: key.api_key, decision: 'connect' };
        const answer = await agent.submit(await agent.open(), form);
        expect(answer.headers.get('location')?.startsWith(uri)).toBe(true);
      },
    );

    it.each([
      'http://127.0.0.1:1/callback/../other',
      'http://127.0.0.1:1/callback?x=1',
      'http://127.0.0.1.evil.example.com/callback',
      'http://localhost:1/callback',
      'http://user@127.0.0.1:1/callback',
      'https://127.0.0.1:1/callback',
    ])('never lead to %s, which is not registered', async (uri) => {
      const agent = await begin();
      const answer = await agent.open({ redirect_uri: uri });
      expect([answer.status, sentBack(answer)]).toEqual([400, undefined]);
      expect(await answer.text()).toContain('The app was not connected');
    });

    it('lead to any port of a computer, as its apps need', async () => {
      const agent = await begin();
      const answer = await agent.open({ redirect_uri: 'http://127.0.0.1:65000/callback' });
      expect(answer.status).toBe(200);
    });
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge that is no hash', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no resource', { resource: undefined }, 'invalid_target'],
    ['a resource of others', { resource: 'https://a.example.com/mcp' }, 'invalid_target'],
    ['a resource that is no address', { resource: 'mcp' }, 'invalid_target'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
  ])('is refused with %s', async (_, more, error) => {
    const location = (await (await begin()).open(more)).headers.get('location') ?? '';
    const back = new URL(location.replace('#', '?')).searchParams;
    expect([back.get('error'), back.get('iss')]).toEqual([error, service.url]);
  });

  it.each([
    ['an unknown client', { client_id: 'unknown' }],
    ['an unreadable client', { client_id: 'a\0b' }],
    ['an unreadable state', { state: 'a\0b' }],
    ['no client', { client_id: undefined }],
  ])('shows a page or a problem for %s', async (_, more) => {
    const answer = await (await begin()).open(more);
    expect([answer.status, sentBack(answer)]).toEqual([400, undefined]);
  });

  it('takes no other spelling of its path', async () => {
    const agent = await begin();
    const url = agent.authorizeUrl({ prompt: 'none', state: 'a\0b' });
    url.pathname += '/';
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(404);
  });

  it('stores no code and no token', async () => {
    const agent = await begin();
    const code = await agent.connect(key.api_key);
    const { body } = await agent.redeem(code);
    const rows = await sql(service.environment, 'SELECT * FROM oauth_records');
    const stored = JSON.stringify(rows);
    expect(stored).toContain(agent.clientId);
    for (const secret of [code, body.access_token, body.refresh_token]) {
      expect(stored).not.toContain(secret);
    }
  });

  it('asks a person each time, whatever the client says', async () => {
    const agent = await begin();
    await agent.tokens(key.api_key);
    for (const more of [{ prompt: 'none' }, { prompt: 'login' }, {}]) {
      expect((await agent.open(more)).status).toBe(200);
    }
  });

  it('redeems a code once, for its client, with its verifier', async () => {
    const agent = await begin();
    const other = await begin();
    const code = await agent.connect(key.api_key);
    const stolen = await other.redeem(code, { code_verifier: agent.verifier });
    expect(stolen.body.error).toBe('invalid_grant');
    const guessed = await agent.redeem(code, { code_verifier: other.verifier });
    expect(guessed.body.error).toBe('invalid_grant');
    const { body } = await agent.redeem(code);
    expect((await callTool(service.url, body.access_token)).status).toBe(200);
    expect((await agent.redeem(code)).body.error).toBe('invalid_grant');
    expect((await callTool(service.url, body.access_token)).status).toBe(401);
  });

  it('redeems a code once of parallel requests', async () => {
    const agent = await begin();
    const code = await agent.connect(key.api_key);
    const answers = await Promise.all(Array.from({ length: 8 }, () => agent.redeem(code)));
    const given = answers
      .filter(({ status }) => status === 200)
      .map(({ body }) => body.access_token);
    expect(given.length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(
      answers.length - given.length,
    );
    for (const token of given) expect((await callTool(service.url, token)).status).toBe(401);
  });

  describe('the page', () => {
    it('is one browser’s', async () => {
      const agent = await begin();
      const page = await agent.open();
      const form = new URLSearchParams({ api_key: key.api_key, decision: 'connect' });
      for (const init of [{}, { method: 'POST', body: form }]) {
        const answer = await fetch(page.url, { redirect: 'manual', ...init });
        expect([answer.status, sentBack(answer)]).toEqual([400, undefined]);
        expect(await answer.text()).toContain('opened in another browser');
      }
    });

    it.each<[string, Record<string, string>]>([
      ['another origin', { origin: 'https://evil.example.com' }],
      ['a frame without an origin', { origin: 'null' }],
      ['another site', { 'sec-fetch-site': 'cross-site' }],
    ])('takes no form of %s', async (_, headers) => {
      const agent = await begin();
      const page = await agent.open();
      const form = { api_key: key.api_key, decision: 'connect' };
      expect((await agent.submit(page, form, headers)).status).toBe(403);
      const own = await agent.submit(page, form, { origin: service.url });
      expect(sentBack(own)?.has('code')).toBe(true);
    });

    it('is used once', async () => {
      const agent = await begin();
      const page = await agent.open();
      const form = { api_key: key.api_key, decision: 'connect' };
      const answers = await Promise.all([1, 2, 3].map(() => agent.submit(page, form)));
      expect(answers.filter((answer) => sentBack(answer)?.has('code'))).toHaveLength(1);
    });

    it('is of no use when it was left open for too long', async () => {
      const agent = await begin();
      const page = await agent.open();
      await sql(
        service.environment,
        `UPDATE oauth_records SET expires_at = ${databaseTime(-1000)} WHERE model = 'Interaction'`,
      );
      const answer = await agent.submit(page, { api_key: key.api_key, decision: 'connect' });
      expect([answer.status, sentBack(answer)]).toEqual([400, undefined]);
      expect(await answer.text()).toContain('This page is too old');
    });

    it('takes few guesses', async () => {
      const agent = await begin();
      const page = await agent.open();
      let status = 0;
      for (let guess = 0; guess < 25 && status !== 429; guess++) {
        ({ status } = await agent.submit(page, {
          api_key: `rag_live_${guess}`,
          decision: 'connect',
        }));
      }
      expect(status).toBe(429);
    });
  });

  it('registers few clients for one address, and none that is huge', async () => {
    const headers = fresh();
    const statuses = new Set<number>();
    for (let client = 0; client < 62; client++) {
      const { status } = await register(
        ...([service.url, { redirect_uris: ['http://127.0.0.1/cb'] }, headers] as const),
      );
      statuses.add(status);
    }
    expect([...statuses]).toEqual([201, 429]);
    const many = Array.from({ length: 11 }, (_, index) => `http://127.0.0.1/${index}`);
    for (const uris of [many, [`http://127.0.0.1/${'x'.repeat(2000)}`]]) {
      expect((await post({ redirect_uris: uris })).status).toBe(400);
    }
    expect(
      (await post({ redirect_uris: ['http://127.0.0.1/'], x: 'x'.repeat(70_000) })).status,
    ).toBe(400);
    expect((await post({})).status).toBe(400);
  });

  it('takes nothing of a client that would be fetched or shown', async () => {
    const { body } = await post({
      redirect_uris: ['http://127.0.0.1/cb'],
      ...{
        logo_uri: 'http://169.254.169.254/',
        jwks_uri: 'http://127.0.0.1/',
        client_uri: 'https://a',
      },
      ...{ token_endpoint_auth_method: 'client_secret_basic', grant_types: ['client_credentials'] },
    });
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: expect.not.arrayContaining(['client_credentials']) as unknown,
    });
    for (const field of ['logo_uri', 'jwks_uri', 'client_uri', 'client_secret']) {
      expect(body).not.toHaveProperty(field);
    }
  });

  describe('a document that a client publishes about itself', () => {
    let site: Server;
    let url: string;
    let document: (path: string) => object | string | undefined;
    let reads = 0;

    beforeAll(async () => {
      site = createServer((request, response) => {
        reads++;
        const answer = document(String(request.url));
        if (answer === undefined) response.writeHead(302, { location: '/other' });
        response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
      }).listen(0, '127.0.0.1');
      await once(site, 'listening');
      url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      site.close();
    });

    const own = (id: string) => ({
      ...{ client_id: id, client_name: 'Claude', redirect_uris: ['http://127.0.0.1/callback'] },
      token_endpoint_auth_method: 'none',
    });
    const open = async (id: string) => {
      const agent = new Connecting(service.url, id);
      agent.headers = fresh();
      return { agent, page: await agent.open() };
    };

    it('connects it without a registration, on loopback outside production', async () => {
      const id = `${url}/client.json`;
      document = () => own(id);
      const { agent, page } = await open(id);
      expect(await page.clone().text()).toContain('Claude');
      const tokens = await agent.tokens(key.api_key);
      expect((await callTool(service.url, tokens.access_token)).status).toBe(200);
    });

    it.each<[string, (id: string) => object | string | undefined]>([
      ['names another', () => own('https://other.example.com/client.json')],
      ['is no object', () => '[]'],
      ['is no JSON', () => '<html>'],
      ['is huge', (id) => ({ ...own(id), x: 'x'.repeat(100_000) })],
      ['has no redirect', (id) => ({ ...own(id), redirect_uris: [] })],
    ])('is refused if it %s', async (_, answer) => {
      const id = `${url}/${Math.random()}.json`;
      document = () => answer(id);
      const { page } = await open(id);
      expect([page.status, sentBack(page)]).toEqual([400, undefined]);
    });

    it('is refused if it leads elsewhere', async () => {
      const id = `${url}/moved.json`;
      document = (path) => (path === '/other' ? own(id) : undefined);
      const { page } = await open(id);
      expect([page.status, sentBack(page)]).toEqual([400, undefined]);
    });

    it.each([
      'https://127.0.0.1.nip.example/c.json',
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:169.254.169.254]/c.json',
      'https://10.0.0.1/c.json',
      'http://10.0.0.1/c.json',
      'https://a.internal/c.json',
      'ftp://127.0.0.1/c.json',
    ])('is not fetched from %s', async (id) => {
      expect((await open(id)).page.status).toBe(400);
    });

    it('is not fetched from loopback by a public service', async () => {
      const id = `${url}/client.json`;
      document = () => own(id);
      const open = await Service.start({ PUBLIC_URL: 'https://kb.example.com' });
      const before = reads;
      const agent = new Connecting(open.url, id);
      const answer = await agent.open({ resource: 'https://kb.example.com/mcp' });
      await open.stop();
      expect([answer.status, reads]).toEqual([400, before]);
    });
  });
});
