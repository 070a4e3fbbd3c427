import { createHmac, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWK, JWTPayload } from 'jose';
import {
  type AuditEvent,
  Client,
  created,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';
import {
  inSeconds,
  KeyServer,
  newSigningKey,
  type SigningKey,
} from '../../../test/support/key-server.js';
import { NameServer } from '../../../test/support/name-server.js';
import { repetitions } from '../../../test/support/repetitions.js';
import { eventually, Service } from '../../../test/support/service.js';
import {
  type ExchangedToken,
  exchangeToken,
  type Trust,
  WORKLOAD,
  workloadToken,
} from '../../../test/support/token-exchange.js';

const REFUSED = '400 invalid_subject_token';
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a trusted issuer', () => {
  let service: Service;
  let other: Service;
  let issuer: KeyServer;
  let key: SigningKey;
  /** Has the issuer's key id, and is not its key. */
  let foreign: SigningKey;
  let alice: Client;
  let workload: Client;
  let kbId: string;

  beforeAll(async () => {
    key = await newSigningKey('k1');
    foreign = await newSigningKey('k1');
    issuer = await KeyServer.start(key);
    service = await Service.start({
      ...{ TRUSTED_ISSUER_ALLOW_PRIVATE: 'yes', TRUSTED_PROXY_CIDRS: '127.0.0.1' },
    });
    other = await Service.start(service.environment);
    alice = new Client(service, 'alice');
    workload = new Client(service);
    ({ id: kbId } = await alice.createKnowledgeBase());
    await trust();
    await eventually(async () => outcome(await exchange(await good())) === '200');
  });
  afterAll(() => Promise.all([service.stop(), other.stop(), issuer.stop()]));

  beforeEach(async () => {
    ({ id: kbId } = await alice.createKnowledgeBase());
  });

  const described = (more: object = {}) => ({
    issuer: issuer.issuer,
    audience: 'latchkey',
    subject: 'repo:shop/site:*',
    scopes: ['query', 'chat'],
    ...more,
  });
  const trust = async (more: object = {}, id = kbId) =>
    created(await alice.post<Trust>(`/kbs/${id}/trusted-issuers`, described(more)), 201);
  const exchange = (token: string, more: Record<string, string | undefined> = {}) =>
    exchangeToken(workload, token, { audience: kbId, ...more });
  const exchanged = async (claims: JWTPayload = {}) =>
    (await exchange(await workloadToken(issuer, key, claims))).body.access_token;
  const good = () => workloadToken(issuer, key);

  it('lets its workloads ask, in the name of their subject, and is shown with its use', async () => {
    const made = await trust();
    expect(made).toMatchObject(described());
    const { id, api_key_id } = made;
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Orders may be returned for 30 days.',
    });
    const answer = await exchange(await good());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^rag_client_/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'query chat',
    });
    expect(answer.body.expires_in).toBeGreaterThan(250);
    expect(answer.body.expires_in).toBeLessThanOrEqual(300);
    const chat = await workload.chat(answer.body.access_token, 'May orders be returned?');
    expect(chat.status).toBe(200);
    const { data } = (await alice.get<Page<{ end_user_id: string }>>(`/kbs/${kbId}/conversations`))
      .body;
    expect(data.map(({ end_user_id }) => end_user_id)).toEqual([WORKLOAD]);
    const list = () => alice.get<Page<Trust>>(`/kbs/${kbId}/trusted-issuers`);
    await eventually(async () => (await list()).body.data[0]?.last_used_at != null);
    expect((await list()).body).toMatchObject({
      total: 1,
      data: [{ ...described(), id, kb_id: kbId, claims: null, filter: null, created_by: 'alice' }],
    });
    const events = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events?actor=alice`);
    expect(events.body.data).toContainEqual(
      expect.objectContaining({ action: 'trusted_issuer.created', target_id: id }),
    );
    // The key without a secret that it has is none of the keys.
    const keys = await alice.get<Page<object>>(`/kbs/${kbId}/api-keys`);
    expect(keys.body.total).toBe(0);
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      expect(outcome(await alice.call(method, `/api-keys/${api_key_id}`))).toBe('404 not_found');
    }
    const taken = await alice.call('DELETE', `/kbs/${kbId}/api-keys/${api_key_id}`);
    expect(outcome(taken)).toBe('404 not_found');
  });

  it('opens what its scopes and its filter say, and the request may ask for less', async () => {
    await trust({ filter: { type: 'eq', key: 'team', value: 'shop' } });
    for (const team of ['shop', 'hr']) {
      const metadata = { team };
      await alice.addDocument(kbId, { title: team, text: `Doors of ${team} are red.`, metadata });
    }
    const token = await exchanged();
    const { results } = (await workload.query(token, 'Which doors are red?')).body;
    expect(results.map(({ document_title }) => document_title)).toEqual(['shop']);
    const narrower = await exchange(await good(), { scope: 'query' });
    expect(narrower.body.scope).toBe('query');
    const { access_token: queryOnly } = narrower.body;
    expect(outcome(await workload.chat(queryOnly, 'Doors?'))).toBe('403 insufficient_scope');
    expect(outcome(await workload.query(queryOnly, 'Doors?'))).toBe('200');
    for (const scope of ['feedback', 'query feedback', 'documents:write', 'query  chat']) {
      const wider = await exchange(await good(), { scope });
      expect([outcome(wider), wider.body.error]).toEqual([
        ...['403 insufficient_scope', 'invalid_scope'],
      ]);
    }
  });

  it('is exchanged by no other door, nor its token taken for a credential', async () => {
    await trust();
    const jwt = await good();
    expect(outcome(await workload.query(jwt, 'Doors?'))).toBe('401 invalid_api_key');
    const token = await exchanged();
    const again = { api_key: token, end_user_id: 'bob' };
    expect(outcome(await workload.post('/client-tokens', again))).toBe('403 insufficient_scope');
    expect(outcome(await exchange(token))).toBe(REFUSED);
    const { api_key: secret } = await alice.createApiKey(kbId);
    expect(outcome(await exchange(secret))).toBe(REFUSED);
    const named = await workload.chat(token, 'Doors?', { end_user_id: 'bob' });
    expect(outcome(named)).toBe('403 end_user_mismatch');
    const ingest = await workload.call('GET', '/ingest/documents', undefined, {
      authorization: `Bearer ${token}`,
    });
    expect(outcome(ingest)).toBe('403 insufficient_scope');
  });

  describe('refuses a token', () => {
    beforeEach(() => trust({ claims: { repository: 'shop/site' } }));

    it.each<[string, JWTPayload]>([
      ['for another audience', { aud: 'another' }],
      ['for another audience beside', { aud: ['latchkey', 'another'] }],
      ['for the same audience twice', { aud: ['latchkey', 'latchkey'] }],
      ['for none', { aud: undefined }],
      ['for no text', { aud: [{ toString: 'latchkey' }] as never }],
      ['of another issuer', { iss: 'https://issuer.example.com' }],
      ['of no issuer', { iss: undefined }],
      ['past its end', { exp: inSeconds(-60) }],
      ['without an end', { exp: undefined }],
      ['without a beginning', { iat: undefined }],
      ['that begins later', { nbf: inSeconds(600) }],
      ['made later', { iat: inSeconds(600) }],
      ['that works for days', { exp: inSeconds(3 * 24 * 3600) }],
      ['without a subject', { sub: undefined }],
      ['with an empty subject', { sub: '' }],
      ['of another subject', { sub: 'repo:shop/site2:ref:refs/heads/main' }],
      ['whose subject is a pattern', { sub: 'repo:shop/*' }],
      ['whose subject has a NUL', { sub: 'repo:shop/site:\0' }],
      ['whose subject is too long', { sub: `repo:shop/site:${'x'.repeat(255)}` }],
      ['with another claim', { repository: 'shop/site2' }],
      ['with a list in a claim', { repository: ['shop/site'] }],
      ['without the claim', { repository: undefined }],
      ['of a logout', { events: {} }],
    ])('%s', async (_, claims) => {
      expect(await exchanged()).toBeDefined();
      const answer = await exchange(await workloadToken(issuer, key, claims));
      expect([outcome(answer), answer.body.error]).toEqual([REFUSED, 'invalid_request']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    it('but accepts an audience given as a list of one', async () => {
      expect(outcome(await exchange(await workloadToken(issuer, key, { aud: ['latchkey'] })))).toBe(
        '200',
      );
    });

    it('without a signature of the issuer', async () => {
      const [header = '', payload = '', signature = ''] = (await good()).split('.');
      const pem = createPublicKey({ key: key.publicJwk as JWK & { kty: string }, format: 'jwk' })
        .export({ type: 'spki', format: 'pem' })
        .toString();
      const hs256 = `${encode({ alg: 'HS256', kid: 'k1' })}.${payload}`;
      const forged = [
        await workloadToken(issuer, foreign),
        await workloadToken(issuer, foreign, {}, { jwk: foreign.publicJwk }),
        await workloadToken(issuer, foreign, {}, { jku: `${issuer.issuer}/keys` }),
        await workloadToken(issuer, { ...key, kid: 'unknown' }),
        await workloadToken(issuer, key, {}, { typ: 'logout+jwt' }),
        ...['none', 'None', ''].flatMap((alg) =>
          ['', 'AA', signature].map((end) => `${encode({ alg, kid: 'k1' })}.${payload}.${end}`),
        ),
        `${hs256}.${createHmac('sha256', pem).update(hs256).digest('base64url')}`,
        `${header}.${encode({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), x: 1 })}.${signature}`,
        `${header}.${payload}`,
        `${header}.${payload}.${signature}.x`,
        `${header}.${Buffer.from('{"\\u0069ss":1}').toString('base64url')}.${signature}`,
        'x.y.z',
        'rag_client_x.y.z',
        '.',
      ];
      for (const token of forged) expect(outcome(await exchange(token))).toBe(REFUSED);
      expect(outcome(await exchange(await good()))).toBe('200');
    });
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['no token', { subject_token: undefined }],
    ['no type of the token', { subject_token_type: undefined }],
    ['a type that is no JWT', { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }],
    ['another type of answer', { requested_token_type: 'urn:ietf:params:oauth:token-type:jwt' }],
    ['an actor', { actor_token: 'x' }],
    ['an inherited name', { constructor: 'x' }],
  ])('refuses a request with %s', async (_, more) => {
    await trust();
    const answer = await exchange(await good(), more);
    expect([outcome(answer), answer.body.error]).toEqual([
      ...['400 validation_failed', 'invalid_request'],
    ]);
  });

  it('refuses another grant', async () => {
    const answer = await exchange(await good(), { grant_type: 'client_credentials' });
    expect([outcome(answer), answer.body.error]).toEqual([
      ...['400 validation_failed', 'unsupported_grant_type'],
    ]);
  });

  it('refuses a form with a field twice, and takes JSON', async () => {
    await trust();
    const fields = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await good(),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    };
    const form = `${new URLSearchParams(fields).toString()}&audience=x&audience=${kbId}`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const twice = await workload.call<ExchangedToken>('POST', '/client-tokens', form, type);
    expect([outcome(twice), twice.body.error]).toEqual([
      ...['400 validation_failed', 'invalid_request'],
    ]);
    const json = await workload.post('/client-tokens', { ...fields, audience: kbId });
    expect(outcome(json)).toBe('200');
  });

  it.each<[string, object, string]>([
    ['no URL', { issuer: 'shop' }, 'issuer'],
    ['credentials in the URL', { issuer: 'https://a:b@issuer.example.com' }, 'issuer'],
    ['a query', { issuer: 'https://issuer.example.com/?x' }, 'issuer'],
    ['no audience', { audience: '' }, 'audience'],
    ['an empty subject', { subject: '' }, 'subject'],
    ['claims in a list', { claims: ['a'] }, 'claims'],
    ['claims of claims', { claims: { a: { b: 1 } } }, 'claims'],
    ['a scope of keys alone', { scopes: ['documents:write'] }, 'scopes'],
    ['no scopes', { scopes: [] }, 'scopes'],
    ['an unknown field', { jwks_uri: 'https://keys.example.com' }, 'jwks_uri'],
  ])('is not made with %s', async (_, more, field) => {
    const answer = await alice.post<{ errors?: { field: string }[] }>(
      `/kbs/${kbId}/trusted-issuers`,
      described(more),
    );
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ field }] });
  });

  it('opens only the knowledge base that the request names, if several trust it', async () => {
    const first = await trust();
    const { id: second } = await new Client(service, 'mallory').createKnowledgeBase();
    const theirs = created(
      await new Client(service, 'mallory').post<Trust>(
        `/kbs/${second}/trusted-issuers`,
        described({ subject: '*' }),
      ),
      201,
    );
    const jwt = await good();
    expect(outcome(await exchange(jwt, { audience: undefined }))).toBe(REFUSED);
    for (const [audience, opened] of [
      [kbId, kbId],
      [first.id, kbId],
      [theirs.id, second],
    ] as const) {
      const { access_token: token } = (await exchange(jwt, { audience })).body;
      const view = await workload.call<{ kbs: { kb_id: string }[] }>('GET', '/key', undefined, {
        authorization: `Bearer ${token}`,
      });
      expect(view.body.kbs.map(({ kb_id }) => kb_id)).toEqual([opened]);
    }
    await alice.call('DELETE', `/trusted-issuers/${first.id}`);
    expect(outcome(await exchange(jwt))).toBe(REFUSED);
  });

  it('opens by the oldest of several trusts that has the requested scopes', async () => {
    const { api_key_id: oldest } = await trust({ scopes: ['query'] });
    const { api_key_id: widest } = await trust({ scopes: ['query', 'chat', 'feedback'] });
    const { api_key_id: last } = await trust({ scopes: ['feedback', 'chat', 'query'] });
    const keyOf = async (scope: string | undefined) => {
      const { body } = await exchange(await good(), { scope });
      const headers = { authorization: `Bearer ${body.access_token}` };
      return (await workload.call<{ id: string }>('GET', '/key', undefined, headers)).body.id;
    };
    expect(await keyOf('query')).toBe(oldest);
    expect(await keyOf('chat')).toBe(widest);
    expect(await keyOf(undefined)).toBe(widest);
    expect(last).not.toBe(widest);
  });

  it('may fail 60 times a minute from one address', async () => {
    await trust();
    const from = (ip: string, token: string) =>
      exchangeToken(workload, token, { audience: kbId }, ip);
    for (let n = 0; n < 61; n++) expect(outcome(await from('192.0.2.1', await good()))).toBe('200');
    const wrong = await workloadToken(issuer, foreign);
    for (let n = 0; n < 60; n++) expect(outcome(await from('192.0.2.1', wrong))).toBe(REFUSED);
    for (const token of [wrong, await good()]) {
      const answer = await from('192.0.2.1', token);
      expect(outcome(answer)).toBe('429 rate_limited');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(outcome(await from('192.0.2.2', await good()))).toBe('200');
  });

  it('has 100 keys at most', async () => {
    const many = await KeyServer.start(key);
    try {
      await trust({ issuer: many.issuer });
      const publicJwk = { ...key.publicJwk, n: 'x' };
      const others = Array.from({ length: 100 }, (_, n) => {
        const kid = `other-${n}`;
        return { ...key, publicJwk: { ...publicJwk, kid } };
      });
      many.keys = [key, ...others];
      const exchangeMany = async () => outcome(await exchange(await workloadToken(many, key)));
      expect(await exchangeMany()).toBe('503 identity_provider_unavailable');
      many.keys = [key, ...others.slice(1)];
      await eventually(async () => (await exchangeMany()) === '200');
    } finally {
      await many.stop();
    }
  });

  it('may publish its keys at another http address', async () => {
    const elsewhere = await KeyServer.start(key);
    try {
      await trust({ issuer: elsewhere.issuer });
      elsewhere.discovery = { jwks_uri: elsewhere.jwksUrl.replace('127.0.0.1', '0.0.0.0') };
      expect(outcome(await exchange(await workloadToken(elsewhere, key)))).toBe('200');
    } finally {
      await elsewhere.stop();
    }
  });

  it('is withdrawn at once, in every process', async () => {
    const rounds = repetitions(20, 2000);
    const elsewhere = new Client(other);
    let late = 0;
    for (let round = 0; round < rounds; round++) {
      const { id } = await trust({ audience: `latchkey-${round}` });
      const jwt = await workloadToken(issuer, key, { aud: `latchkey-${round}` });
      const token = (await exchange(jwt)).body.access_token;
      if (round % 100 === 0) expect((await elsewhere.query(token, 'Doors?')).status).toBe(200);
      const deleted = await alice.call('DELETE', `/trusted-issuers/${id}`);
      expect(deleted.status).toBe(200);
      const uses = await Promise.all([
        elsewhere.query(token, 'Doors?'),
        workload.query(token, 'Doors?'),
        exchangeToken(elsewhere, jwt, { audience: kbId }),
      ]);
      late += uses.filter(({ status }) => status === 200).length;
      expect(uses.map(outcome)).toEqual(['401 invalid_api_key', '401 invalid_api_key', REFUSED]);
      const again = await alice.call('DELETE', `/trusted-issuers/${id}`);
      expect(outcome(again)).toBe('404 not_found');
    }
    expect(late).toBe(0);
  });

  it('ends with its knowledge base', async () => {
    await trust();
    const token = await exchanged();
    await alice.call('DELETE', `/kbs/${kbId}`);
    expect(outcome(await workload.query(token, 'Doors?'))).toBe('401 invalid_api_key');
    expect(outcome(await exchange(await good()))).toBe(REFUSED);
  });

  it('works with a real provider', async () => {
    const provider = await IdentityProvider.start('shop-workload');
    try {
      const subject = 'shop-workload';
      await trust({ issuer: provider.issuer, audience: 'https://latchkey.example.com', subject });
      const token = await provider.tokenFor('shop-workload');
      const answer = await exchange(token);
      expect(outcome(await workload.query(answer.body.access_token, 'Doors?'))).toBe('200');
    } finally {
      await provider.stop();
    }
  });

  it('causes a 503 if it is unreachable or answers wrongly, and does not affect others', async () => {
    await trust();
    const wrong = await KeyServer.start(key);
    try {
      await trust({ issuer: wrong.issuer });
      const exchangeWrong = async () => outcome(await exchange(await workloadToken(wrong, key)));
      const unavailable = '503 identity_provider_unavailable';
      const lies = [
        { issuer: issuer.issuer },
        { jwks_uri: undefined },
        { jwks_uri: 'ftp://127.0.0.1/keys' },
        { padding: 'x'.repeat(70_000) },
      ];
      for (const lie of lies) {
        wrong.discovery = lie;
        await eventually(async () => {
          const asked = wrong.discoveries;
          expect(await exchangeWrong()).toBe(unavailable);
          // After a failure there is a pause.
          return wrong.discoveries > asked;
        });
      }
      expect(outcome(await exchange(await good()))).toBe('200');
      wrong.discovery = {};
      await eventually(async () => (await exchangeWrong()) === '200');
      // Known keys go on.
      wrong.up = false;
      expect(await exchangeWrong()).toBe('200');
    } finally {
      await wrong.stop();
    }
  });

  it('is given up within seconds if it does not answer', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const iss = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      await trust({ issuer: iss });
      const began = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () =>
          outcome(await exchange(await workloadToken(issuer, key, { iss }))),
        ),
      );
      expect(new Set(answers)).toEqual(new Set(['503 identity_provider_unavailable']));
      expect(performance.now() - began).toBeLessThan(20_000);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });
});

describe('without TRUSTED_ISSUER_ALLOW_PRIVATE', () => {
  it('nothing private is reached, whatever a name leads to', async () => {
    const names = await NameServer.start();
    const service = await Service.start(names.environment);
    const key = await newSigningKey('k1');
    const issuer = await KeyServer.start(key);
    try {
      const alice = new Client(service, 'alice');
      const { id: kbId } = await alice.createKnowledgeBase();
      const trust = (url: string) =>
        alice.post(`/kbs/${kbId}/trusted-issuers`, {
          ...{ issuer: url, audience: 'latchkey', scopes: ['query'] },
        });
      for (const url of [
        issuer.issuer,
        'http://issuer.example.com',
        'https://127.0.0.1',
        'https://[::ffff:10.0.0.1]',
        'https://2130706433',
        'https://localhost',
        'https://kubernetes.default.svc.internal',
      ]) {
        expect(outcome(await trust(url))).toBe('400 validation_failed');
      }
      const { port } = new URL(issuer.issuer);
      const iss = `https://issuer.example.com:${port}`;
      names.addresses = ['127.0.0.1'];
      expect(outcome(await trust(iss))).toBe('201');
      const jwt = await workloadToken(issuer, key, { iss });
      const answer = await exchangeToken(new Client(service), jwt);
      expect(outcome(answer)).toBe('503 identity_provider_unavailable');
      expect(names.questions('issuer.example.com')).toBeGreaterThan(0);
      expect(issuer.discoveries).toBe(0);
    } finally {
      await Promise.all([service.stop(), issuer.stop(), names.stop()]);
    }
  });
});
