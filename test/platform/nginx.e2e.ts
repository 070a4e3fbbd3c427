import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
} from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client, type KnowledgeBase, outcome } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { hasNginx, Nginx } from '../support/nginx.js';
import { documentedOperations, type OpenApiDocument } from '../support/operations.js';
import { freePort } from '../support/postgres.mjs';
import { sendRaw } from '../support/raw-request.js';
import { eventually, Service } from '../support/service.js';
import { tool } from '../support/requirement.js';

/** The default of the service. */
const MAX_UPLOAD_BYTES = 20 * 1024 ** 2;
const ALICE = { cookie: 'session=alice' };
/** What a browser accepts where a person opens a page. */
const PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const SECRET = 'gateway-secret-0123456789-abcdefghijkl';

const BEARER = 'Bearer rag_live_anything';

const nginx = tool('nginx', hasNginx);

nginx.describe('deploy/nginx.conf', () => {
  let signIn: Server;
  /** Takes the service's place where the test asks what exactly nginx sends. */
  let recorder: Server;
  let recorded: IncomingMessage[];
  let service: Service;
  let nginx: Nginx;
  let recording: Nginx;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    // As oauth2-proxy's /oauth2/auth: the cookie says who it is.
    signIn = await listening((request, user = /session=(\w*)/.exec(cookie(request))?.[1]) => ({
      status: user === undefined || request.url !== '/oauth2/auth' ? 401 : 202,
      headers: user
        ? {
            'X-Auth-Request-User': user,
            'X-Gateway-Secret': SECRET,
            ...(user === 'bob' && { 'X-Idp-Groups': '["support"]' }),
          }
        : {},
    }));
    recorder = await listening((request) => {
      recorded.push(request);
      // What a careless upstream might echo.
      return {
        status: 200,
        headers: { 'X-Gateway-Secret': SECRET, 'X-Idp-User-Id': 'alice', 'Set-Cookie': 'portal=2' },
      };
    });
    service = await Service.start({
      DASHBOARD_AUTH_MODE: 'gateway',
      GATEWAY_SECRETS: SECRET,
      TRUSTED_PROXY_CIDRS: '127.0.0.1',
    });
    const start = (latchkey: string) => Nginx.start({ latchkey, signIn: hostOf(signIn) }, SECRET);
    nginx = await start(new URL(service.url).host);
    recording = await start(hostOf(recorder));
    kb = (await new Client(nginx).post<KnowledgeBase>('/kbs', { name: 'Handbook' }, ALICE)).body;
  });

  beforeEach(() => {
    recorded = [];
  });

  afterAll(async () => {
    await Promise.all([nginx.stop(), recording.stop(), service.stop()]);
    for (const server of [signIn, recorder]) server.close();
  });

  const send = (...lines: string[]) => sendRaw(nginx, `GET /api/v1/kbs/${kb.id}`, lines);
  /** The values of a header as the service would get them. */
  const received = (name: string) =>
    recorded.flatMap(({ rawHeaders }) =>
      rawHeaders.filter((_, index) => index % 2 && rawHeaders[index - 1]?.toLowerCase() === name),
    );

  it('passes on whom the sign-in service names', async () => {
    expect(outcome(await send('Cookie: session=alice'))).toBe('200');
    expect(outcome(await send('Cookie: session=bob'))).toBe('404 not_found');
  });

  const forgeries: [string, string[]][] = [
    ['the header', ['X-Idp-User-Id: alice']],
    ['the header in another case', ['x-iDP-uSER-iD: alice']],
    ['the header twice', ['X-Idp-User-Id: alice', 'X-Idp-User-Id: alice']],
    ['its look-alike', ['X_Idp_User_Id: alice']],
    ['both', ['X_Idp_User_Id: alice', 'X-Idp-User-Id: alice']],
    ['the header made hop-by-hop', ['Connection: X-Idp-User-Id', 'X-Idp-User-Id: alice']],
    ['the secret', ['X-Idp-User-Id: alice', `X-Gateway-Secret: ${SECRET}`]],
    ['the sign-in service’s header', ['X-Auth-Request-User: alice', 'X-Forwarded-User: alice']],
    ['groups', ['X-Idp-Groups: ["owners"]', 'X_Idp_Groups: ["owners"]']],
    ['the gateway’s address', ['X-Idp-User-Id: alice', 'X-Forwarded-For: 127.0.0.1']],
  ];

  it.each(forgeries)('answers 401 to %s from outside', async (_, lines) => {
    expect((await send(...lines)).status).toBe(401);
  });

  it.each(forgeries)('keeps Bob who he is, with %s from outside', async (_, lines) => {
    expect(outcome(await send('Cookie: session=bob', ...lines))).toBe('404 not_found');
  });

  it.each([
    'Connection: X-Idp-User-Id',
    'Connection: close, X-Idp-User-Id, X-Gateway-Secret',
    'Connection: x-gateway-secret',
  ])('lets no client drop what the gateway sets by %s', async (line) => {
    expect(outcome(await send('Cookie: session=alice', line))).toBe('200');
  });

  it('lets agents come for tokens without an identity', async () => {
    const lines = ['X-Idp-User-Id: alice', `X-Gateway-Secret: ${SECRET}`, 'Cookie: session=bob'];
    for (const path of [
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource/mcp',
      'POST /oauth/token',
      'POST /oauth/register',
      'POST /oauth/revoke',
    ]) {
      expect((await sendRaw(recording, path, [...lines, 'Content-Length: 0'])).status).toBe(200);
    }
    expect(recorded).toHaveLength(5);
    for (const name of ['x-idp-user-id', 'x-gateway-secret', 'cookie']) {
      expect([name, received(name)]).toEqual([name, []]);
    }
  });

  it.each(['GET /oauth/authorize?x=1', 'GET /oauth/authorize/a', 'POST /oauth/connect/a'])(
    'shows the page for agents to who is signed in, and to who is not: %s',
    async (request) => {
      const forged = ['X-Idp-User-Id: alice', `X-Gateway-Secret: ${SECRET}`, 'Content-Length: 0'];
      expect((await sendRaw(recording, request, [...forged, 'Cookie: page=1'])).status).toBe(200);
      expect([received('x-idp-user-id'), received('x-gateway-secret')]).toEqual([[], []]);
      expect(received('cookie')).toEqual(['page=1']);
      recorded = [];
      const own = [...forged, 'Cookie: session=bob; page=1'];
      expect((await sendRaw(recording, request, own)).status).toBe(200);
      expect([received('x-idp-user-id'), received('x-gateway-secret')]).toEqual([
        ['bob'],
        [SECRET],
      ]);
      expect(received('cookie')).toEqual(['session=bob; page=1']);
    },
  );

  it('answers 401 when the sign-in service lets through and names nobody', async () => {
    const lines = ['Cookie: session=', 'X-Idp-User-Id: alice'];
    expect(outcome(await send(...lines))).toBe('401 dashboard_authentication_required');
  });

  it('sends one user, one secret and the client’s address, whatever it was sent', async () => {
    const lines = [
      ...forgeries.flatMap(([, forgery]) => forgery),
      'X-Forwarded-For: 203.0.113.9',
      'Authorization: Bearer of-the-dashboard',
      'Cookie: session=bob',
    ];
    const answer = await sendRaw(recording, 'GET /api/v1/kbs', lines);
    expect(answer.status).toBe(200);
    expect(received('x-idp-user-id')).toEqual(['bob']);
    expect(received('x-idp-groups')).toEqual(['["support"]']);
    expect(received('x-gateway-secret')).toEqual([SECRET]);
    expect(received('x-forwarded-for')).toEqual(['127.0.0.1']);
    for (const name of ['x_idp_user_id', 'connection', 'cookie', 'authorization']) {
      expect([name, received(name)]).toEqual([name, []]);
    }
  });

  it('sends no groups of a user whose groups the sign-in service does not name', async () => {
    await sendRaw(recording, 'GET /api/v1/kbs', [
      'Cookie: session=alice',
      'X-Idp-Groups: ["owners"]',
    ]);
    expect([received('x-idp-user-id'), received('x-idp-groups')]).toEqual([['alice'], []]);
  });

  it.each([
    'POST /api/v1/query',
    'POST /api/v1/chat',
    'POST /api/v1/messages/msg_1/feedback',
    'POST /api/v1/leaked-api-keys',
    'GET /.well-known/security.txt',
    'GET /portal',
    'GET /portal/assets/portal.js',
    'GET /openapi.json',
    'GET /openapi.yaml',
    'GET /docs',
    'GET /docs/swagger-ui.css',
    'GET /api/v1/kbs/../query',
    'GET /api/v1/kbs/%2e%2e/chat',
    'GET //api/v1/query',
    'GET /api/v1/documents/doc_1/original?link=a.b',
    'HEAD /api/v1/documents/doc_1/content?page=1&link=a.b',
  ])('sends neither user nor secret with %s, where nobody signs in', async (requestLine) => {
    const lines = [
      ...['X-Idp-User-Id: alice', 'X-Idp-Groups: ["owners"]'],
      ...[`X-Gateway-Secret: ${SECRET}`, 'Cookie: session=alice'],
    ];
    expect((await sendRaw(recording, requestLine, lines)).status).toBe(200);
    expect(recorded).toHaveLength(1);
    const names = ['x-idp-user-id', 'x-idp-groups', 'x-gateway-secret'];
    expect(names.flatMap((name) => received(name))).toEqual([]);
    expect(received('x-forwarded-for')).toEqual(['127.0.0.1']);
  });

  it('passes the cookies of the portal both ways, and no other credential', async () => {
    const lines = ['Cookie: portal=1', `Authorization: ${BEARER}`, 'Content-Length: 0'];
    const { status, headers } = await sendRaw(recording, 'POST /portal/session', lines);
    expect([status, headers.get('set-cookie')]).toEqual([200, 'portal=2']);
    expect([received('cookie'), received('authorization')]).toEqual([['portal=1'], []]);
  });

  it('opens nothing to everybody that deploy/README.md does not name', () => {
    const [, section = ''] = readFileSync('deploy/README.md', 'utf8').split(
      '## What is open to everybody',
    );
    const [listed = ''] = section.split('\n## ');
    const open = readFileSync('deploy/nginx.conf', 'utf8')
      .split('\n    location ')
      .filter((location) => /^[~=] .*proxy_set_header X-Idp-User-Id "";.*latchkey;/s.test(location))
      .flatMap((location) => location.split(' {\n', 1)[0]?.match(/[a-z][a-z0-9-]+/g) ?? []);
    expect(open).toContain('query');
    expect(open.filter((part) => !listed.includes(part))).toEqual([]);
  });

  it('passes on all that needs nobody signed in, with its key, and nothing else', async () => {
    for (const { name, method, path, managed } of await documentedOperations(service)) {
      // For the load balancer, see below.
      if (path.startsWith('/health/')) continue;
      recorded = [];
      // An external id may have slashes.
      const url = path.replace(/\{(\w+)\}/g, (_, id) => (id === 'external_id' ? 'a%2Fb' : 'id_1'));
      const lines = [`Authorization: ${BEARER}`, 'Cookie: session=', 'X-Idp-User-Id: alice'];
      const { status } = await sendRaw(recording, `${method} ${url}`, lines);
      const names = ['x-idp-user-id', 'x-gateway-secret', 'cookie', 'authorization'];
      const secrets = names.flatMap((header) => received(header));
      // The sign-in service lets this session through, and names nobody.
      const passed = managed ? [SECRET] : [BEARER];
      expect([name, status, recorded.length, secrets]).toEqual([name, 200, 1, passed]);
    }
  });

  it('opens every way that takes a key as a Bearer', async () => {
    const scopes = ['query', 'chat', 'documents:write', 'documents:read'];
    const created = await new Client(nginx).post<{ api_key: string }>(
      `/kbs/${kb.id}/api-keys`,
      { name: 'Shop', environment: 'live', scopes },
      ALICE,
    );
    const authorization = `Bearer ${created.body.api_key}`;
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization, accept: 'application/json, text/event-stream' };
      // The client calls below /api/v1.
      const answer = await new Client(nginx).call(method, `/../..${path}`, body, headers);
      return `${path} ${outcome(answer)}`;
    };
    const question = { message: 'May orders be returned?' };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect([
      await call('POST', '/api/v1/query', question),
      await call('POST', '/api/v1/chat', question),
      await call('POST', '/api/v1/client-tokens', { end_user_id: 'customer-1' }),
      await call('GET', '/api/v1/key'),
      await call('GET', '/api/v1/ingest/documents'),
      // Let through by nginx; in JSON, the service takes less than in a file.
      await call('PUT', '/api/v1/ingest/documents/manual', {
        title: 'M',
        text: 'x'.repeat(2 ** 20),
      }),
      await call('POST', '/mcp', message),
      await call('GET', '/v1/models'),
      await call('POST', '/dify/retrieval', {
        ...{ knowledge_id: kb.id, query: question.message },
        retrieval_setting: { top_k: 1, score_threshold: 0 },
      }),
    ]).toEqual([
      '/api/v1/query 200',
      '/api/v1/chat 200',
      '/api/v1/client-tokens 201',
      '/api/v1/key 200',
      '/api/v1/ingest/documents 200',
      '/api/v1/ingest/documents/manual 413 payload_too_large',
      '/mcp 200',
      '/v1/models 200',
      '/dify/retrieval 200',
    ]);
  });

  it('lets a service account act for itself by its key, whoever is signed in', async () => {
    const client = new Client(nginx);
    const account = await client.post<{ id: string }>(
      '/service-accounts',
      { name: 'CI', kbs: [{ kb_id: kb.id, role: 'member' }] },
      ALICE,
    );
    const path = `/service-accounts/${account.body.id}/api-keys`;
    const key = { name: 'CI', scopes: ['documents:write'] };
    const { body } = await client.post<{ api_key: string }>(path, key, ALICE);
    const authorization = `Bearer ${body.api_key}`;
    const text = 'Parcels arrive within three days.';
    const upload = { title: 'Delivery', text };
    const headers = { authorization, cookie: 'session=bob', 'x-idp-user-id': 'bob' };
    const added = await client.post<{ id: string }>(`/kbs/${kb.id}/documents`, upload, headers);
    expect(outcome(added)).toBe('202');
    const read = (end: string) =>
      client.call('GET', `/documents/${added.body.id}${end}`, undefined, headers);
    expect([outcome(await read('')), outcome(await read('/original'))]).toEqual(['200', '200']);
    const oikb = await fetch(`${nginx.url}/open-webui/api/v1/knowledge/${kb.id}`, { headers });
    expect([oikb.status, await oikb.json()]).toEqual([200, expect.objectContaining({ id: kb.id })]);
    // What opens nothing is refused by the service, not by the sign-in.
    const forged = { authorization: `${authorization}x` };
    expect(outcome(await client.call('GET', '/kbs', undefined, forged))).toBe(
      '401 invalid_api_key',
    );
    await sendRaw(recording, 'GET /api/v1/kbs', [
      ...[`Authorization: ${authorization}`, 'Cookie: session=alice', 'X-Idp-User-Id: alice'],
      `X-Gateway-Secret: ${SECRET}`,
    ]);
    expect(received('authorization')).toEqual([authorization]);
    for (const name of ['x-idp-user-id', 'x-gateway-secret', 'cookie']) {
      expect([name, received(name)]).toEqual([name, []]);
    }
  });

  it('opens originals to whoever has a link, and else to who is signed in', async () => {
    const client = new Client(nginx);
    const text = 'Orders may be returned within 30 days.';
    const call = <T>(path: string, body: object) => client.post<T>(path, body, ALICE);
    const { body: document } = await call<{ id: string }>(`/kbs/${kb.id}/documents`, {
      ...{ title: 'Returns', text },
    });
    await client.call('PATCH', `/kbs/${kb.id}/settings`, { originals: 'readers' }, ALICE);
    let url = '';
    await eventually(async () => {
      const found = await call<{ results: { original_url: string }[] }>(`/kbs/${kb.id}/query`, {
        message: 'returned',
      });
      url = found.body.results[0]?.original_url ?? '';
      return url !== '';
    });
    const path = `/documents/${document.id}/original`;
    expect((await client.get(`/../..${url}`)).text).toBe(text);
    expect((await client.call('GET', path, undefined, ALICE)).text).toBe(text);
    expect(outcome(await client.get(`${path}?link=forged.link`))).toBe('401 invalid_link');
    for (const query of ['', '?link=', '?LINK=a.b', '?%6cink=a.b']) {
      expect((await client.get(path + query)).status).toBe(401);
    }
    expect(nginx.log).not.toContain(url.split('link=')[1]);
  });

  it('shows partners the contract, who have nobody to sign in', async () => {
    const contract = await fetch(`${nginx.url}/openapi.json`);
    expect(Object.keys(((await contract.json()) as OpenApiDocument).paths)).toContain(
      '/api/v1/query',
    );
    const page = await (await fetch(`${nginx.url}/docs`)).text();
    expect(page).toContain('<title>Latchkey API</title>');
    for (const [, file] of page.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)) {
      expect((await fetch(new URL(String(file), `${nginx.url}/docs`))).status).toBe(200);
    }
  });

  it.each([
    '/docs/../api/v1/kbs',
    '/docs/%2e%2e/api/v1/kbs',
    '/docs/..%2fapi/v1/kbs',
    '/openapi.json/../api/v1/kbs',
    '/docs.json',
    '/openapi.json/kbs',
  ])('opens nothing else with the contract: %s', async (path) => {
    expect((await sendRaw(nginx, `GET ${path}`, ['X-Idp-User-Id: alice'])).status).toBe(401);
  });

  it('takes a file as large as the service does, which refuses a larger one itself', async () => {
    const upload = async (size: number) => {
      // A PDF by its first bytes only, so that the test does not wait for 20 MiB to be indexed.
      const bytes = Buffer.alloc(size);
      bytes.write('%PDF-1.7\n');
      const file = { name: 'large.pdf', bytes, type: 'application/pdf' };
      return outcome(await uploadFile(new Client(nginx), kb.id, file, {}, ALICE));
    };
    expect(await upload(MAX_UPLOAD_BYTES)).toBe('202');
    expect(await upload(MAX_UPLOAD_BYTES + 1)).toBe('413 payload_too_large');
  });

  it('refuses what is too large for a question before the service sees it', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(2 * 1024 ** 2) });
    const lines = ['Content-Type: application/json'];
    expect((await sendRaw(recording, 'POST /api/v1/query', lines, body)).status).toBe(413);
    expect(recorded).toEqual([]);
  });

  it.each(['/', '/dashboard/', '/dashboard/?kb=kb_1'])(
    'leads whoever opens %s signed out to the sign-in, and back',
    async (path) => {
      const { status, headers } = await fetch(nginx.url + path, {
        headers: { accept: PAGE },
        redirect: 'manual',
      });
      expect([status, headers.get('location')]).toEqual([302, `/oauth2/sign_in?rd=${path}`]);
    },
  );

  it.each([
    ['a call of the API', 'GET', '/api/v1/kbs', 'application/json'],
    ['a call of the API by a browser’s address bar', 'GET', '/api/v1/kbs', PAGE],
    ['a script’s request', 'GET', '/dashboard/dashboard.js', '*/*'],
    ['a form that is sent', 'POST', '/dashboard/', PAGE],
  ])('answers 401 to %s signed out', async (_, method, path, accept) => {
    const { status, headers } = await fetch(nginx.url + path, { method, headers: { accept } });
    expect([status, headers.get('location')]).toEqual([401, null]);
  });

  it('passes on the service’s own 401 to whoever opens a page', async () => {
    const lines = [`Accept: ${PAGE}`, 'Cookie: session='];
    expect(outcome(await send(...lines))).toBe('401 dashboard_authentication_required');
  });

  it.each(['/health/live', '/metrics', '/_sign_in'])('shows %s to nobody', async (path) => {
    expect((await sendRaw(recording, `GET ${path}`, ['Cookie: session=alice'])).status).toBe(404);
    expect(recorded).toEqual([]);
  });

  it('shows readiness to whoever is signed in, and to nobody else', async () => {
    const read = async (...lines: string[]) =>
      (await sendRaw(recording, 'GET /health/ready', lines)).status;
    expect([await read(), recorded.length]).toEqual([401, 0]);
    expect([await read('Cookie: session=alice'), recorded.length]).toEqual([200, 1]);
  });

  it('lets partners in without signing in, and tells the service their address', async () => {
    const body = { name: 'Shop', environment: 'live', allowed_ips: ['127.0.0.1'] };
    const path = `/kbs/${kb.id}/api-keys`;
    const key = await new Client(nginx).post<{ api_key: string }>(path, body, ALICE);
    const ask = (headers = {}) =>
      new Client(nginx).post('/query', { api_key: key.body.api_key, message: 'Hi' }, headers);
    expect(outcome(await ask())).toBe('200');
    expect(outcome(await ask({ 'x-forwarded-for': '203.0.113.9' }))).toBe('200');
  });

  it('tells clients when to come again while no host can be reached', async () => {
    const nobody = `127.0.0.1:${await freePort()}`;
    const alone = await Nginx.start({ latchkey: nobody, signIn: hostOf(signIn) }, SECRET);
    try {
      const client = new Client(alone);
      for (const answer of [
        await client.query('rag_live_anything', 'Hi'),
        await client.chat('rag_live_anything', 'Hi'),
        await client.post('/kbs', { name: 'Handbook' }, ALICE),
        await client.call('GET', '/kbs', undefined, ALICE),
      ]) {
        expect(outcome(answer)).toBe('503 database_unavailable');
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(answer.body).toMatchObject({ status: 503, request_id: expect.any(String) });
      }
    } finally {
      await alone.stop();
    }
  });

  it('shows the secret to no client and writes it to no log', async () => {
    const session = 'Cookie: session=alice';
    const answers = [
      await send(session),
      await send(),
      await sendRaw(nginx, 'TRACE /api/v1/kbs', [session]),
      await sendRaw(nginx, 'OPTIONS /api/v1/kbs', [session]),
      await sendRaw(nginx, 'GET /nowhere', [session]),
      await sendRaw(nginx, 'GET /oauth2/auth', [session]),
      await sendRaw(recording, 'GET /api/v1/kbs', [session]),
      await sendRaw(recording, 'POST /api/v1/query', []),
    ];
    for (const { headers, text } of answers) {
      expect(JSON.stringify([...headers, text])).not.toContain(SECRET);
    }
    for (const log of [nginx.log, recording.log, service.logs]) {
      expect(log).toContain('/api/v1/kbs');
      expect(log).not.toContain(SECRET);
    }
  });
});

const hostOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
const cookie = ({ headers }: IncomingMessage) => headers.cookie ?? '';

async function listening(
  answer: (request: IncomingMessage) => { status: number; headers: OutgoingHttpHeaders },
): Promise<Server> {
  const server = createServer((request, response) => {
    const { status, headers } = answer(request);
    response.writeHead(status, headers).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
