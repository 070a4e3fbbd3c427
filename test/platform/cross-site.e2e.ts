import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type KnowledgeBase, outcome } from '../support/client.js';
import { sendForm } from '../support/files.js';
import { KeyServer, newSigningKey, type SigningKey } from '../support/key-server.js';
import { sendRaw } from '../support/raw-request.js';
import { eventually, Service } from '../support/service.js';

const SECRET = 'gateway-secret-0123456789-abcdefghijkl';
const ALLOWED = 'https://dashboard.example.com';
const FOREIGN = 'https://evil.example.net';
const REFUSED = '403 origin_not_allowed';

type Headers = Record<string, string>;

describe('pages of other origins', () => {
  let gateway: Service;
  let trust: Service;
  let oidc: Service;
  let provider: KeyServer;
  let key: SigningKey;
  let alice: Client;
  let kb: KnowledgeBase;
  /** What the gateway adds, whichever page has made the browser send the request. */
  const added = { 'x-idp-user-id': 'alice', 'x-gateway-secret': SECRET };

  beforeAll(async () => {
    key = await newSigningKey('k1');
    provider = await KeyServer.start(key);
    const origins = { DASHBOARD_ALLOWED_ORIGINS: ALLOWED };
    [gateway, trust, oidc] = await Promise.all([
      Service.start({
        ...origins,
        DASHBOARD_AUTH_MODE: 'gateway',
        GATEWAY_SECRETS: SECRET,
        TRUSTED_PROXY_CIDRS: '127.0.0.1',
      }),
      Service.start(origins),
      Service.start({
        DASHBOARD_AUTH_MODE: 'oidc',
        OIDC_ISSUER: provider.issuer,
        OIDC_AUDIENCE: 'latchkey',
      }),
    ]);
    alice = new Client(gateway);
    kb = (await alice.post<KnowledgeBase>('/kbs', { name: 'Handbook' }, added)).body;
  });

  afterAll(() => Promise.all([gateway.stop(), trust.stop(), oidc.stop(), provider.stop()]));

  /** Requests that browsers send to other origins without asking first. */
  const simple: [string, (headers: Headers) => Promise<string>][] = [
    ['a form with a file', async (headers) => outcome(await upload(headers))],
    [
      'a POST without a body',
      async (headers) =>
        outcome(await alice.post(`/kbs/${kb.id}/reindex`, undefined, { ...added, ...headers })),
    ],
    [
      'a GET',
      async (headers) =>
        outcome(await alice.call('GET', '/kbs', undefined, { ...added, ...headers })),
    ],
  ];
  const upload = (headers: Headers) => {
    const form = new FormData();
    form.append('file', new Blob([`Returns ${Math.random()}`], { type: 'text/plain' }), 'a.txt');
    return sendForm(alice, kb.id, form, { ...added, ...headers });
  };

  it.each(simple)('may not send %s through the gateway', async (_, send) => {
    for (const site of ['cross-site', 'same-site', 'something-new']) {
      expect(await send({ 'sec-fetch-site': site, origin: FOREIGN })).toBe(REFUSED);
      expect(await send({ 'sec-fetch-site': site, origin: 'null' })).toBe(REFUSED);
      expect(await send({ 'sec-fetch-site': site })).toBe(REFUSED);
    }
  });

  it.each(simple)('may send %s from an origin that is listed', async (_, send) => {
    for (const site of ['cross-site', 'same-site']) {
      expect(await send({ 'sec-fetch-site': site, origin: ALLOWED })).toMatch(/^20/);
    }
  });

  it.each(simple)('do not include our own, or no page, which may send %s', async (_, send) => {
    expect(await send({ 'sec-fetch-site': 'same-origin', origin: gateway.url })).toMatch(/^20/);
    expect(await send({ 'sec-fetch-site': 'none' })).toMatch(/^20/);
    expect(await send({})).toMatch(/^20/);
  });

  it('may lead to an answer, but neither frame it nor post a form', async () => {
    // Byte for byte: fetch sets Sec-Fetch-Mode itself.
    const open = async (method: string, destination: string) =>
      outcome(
        await sendRaw(gateway, `${method} /api/v1/kbs/${kb.id}/documents`, [
          'X-Idp-User-Id: alice',
          `X-Gateway-Secret: ${SECRET}`,
          'Sec-Fetch-Site: cross-site',
          'Sec-Fetch-Mode: navigate',
          `Sec-Fetch-Dest: ${destination}`,
        ]),
      );
    expect(await open('GET', 'document')).toBe('200');
    for (const destination of ['iframe', 'embed', 'object']) {
      expect(await open('GET', destination)).toBe(REFUSED);
    }
    expect(await open('POST', 'document')).toBe(REFUSED);
  });

  it('get nothing from callers other than the gateway', async () => {
    const headers = { 'x-idp-user-id': 'alice', 'sec-fetch-site': 'cross-site', origin: FOREIGN };
    const answer = await alice.call('GET', '/kbs', undefined, headers);
    expect(outcome(answer)).toBe('401 dashboard_authentication_required');
  });

  it('may not call where the header is trusted either, unless they are listed', async () => {
    const list = async (origin: string) =>
      outcome(
        await new Client(trust, 'alice').call('GET', '/kbs', undefined, {
          'sec-fetch-site': 'cross-site',
          origin,
        }),
      );
    expect(await list(FOREIGN)).toBe(REFUSED);
    expect(await list(ALLOWED)).toBe('200');
  });

  it('may call with a token, which no browser adds by itself', async () => {
    const headers = {
      authorization: `Bearer ${await provider.token(key)}`,
      'sec-fetch-site': 'cross-site',
      origin: FOREIGN,
    };
    const list = () => new Client(oidc, 'alice').call('GET', '/kbs', undefined, headers);
    await eventually(async () => outcome(await list()) === '200');
    // CORS still lets them not read it.
    expect((await list()).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('ask partners’ questions as before', async () => {
    const created = await alice.post<{ api_key: string }>(
      `/kbs/${kb.id}/api-keys`,
      { name: 'Shop', environment: 'live' },
      added,
    );
    const asked = { api_key: created.body.api_key, message: 'Hi' };
    const headers = { 'sec-fetch-site': 'cross-site', origin: FOREIGN };
    expect(outcome(await alice.post('/query', asked, headers))).toBe('200');
  });
});
