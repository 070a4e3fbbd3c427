import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { auditCommand, linesOf, verifyAudit } from '../support/audit-log.js';
import { type Answer, Client, type KnowledgeBase, outcome } from '../support/client.js';
import { AUDIENCE, IdentityProvider } from '../support/identity-provider.js';
import { sendRaw } from '../support/raw-request.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const REFUSED = '401 dashboard_authentication_required';

describe('DASHBOARD_AUTH_MODE=oidc', () => {
  let provider: IdentityProvider;
  let service: Service;
  let aliceToken: string;

  beforeAll(async () => {
    provider = await IdentityProvider.start('alice', 'bob');
    service = await Service.start({
      NODE_ENV: 'production',
      API_KEY_PEPPERS: `p1:${Buffer.alloc(32, 7).toString('base64')}`,
      DASHBOARD_AUTH_MODE: 'oidc',
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_GROUPS_CLAIM: 'https://example.com/groups',
      AUDIT_LOG: 'stdout',
      AUDIT_SCOPE: 'sign_ins',
    });
    aliceToken = await provider.tokenFor('alice');
    await eventually(async () => outcome(await as('alice', aliceToken, 'GET', '/kbs')) === '200');
  });

  afterAll(() => Promise.all([service.stop(), provider.stop()]));

  const list = (...headerLines: string[]) => sendRaw(service, 'GET /api/v1/kbs', headerLines);
  const as = <T>(userId: string, token: string, method: string, path: string, body?: unknown) =>
    new Client(service, userId).call<T>(method, path, body, { authorization: `Bearer ${token}` });

  it('believes the header of the user whom the provider’s token names', async () => {
    expect(decodeJwt(aliceToken)).toMatchObject({ sub: 'alice', aud: AUDIENCE });
    const kb = await as<KnowledgeBase>('alice', aliceToken, 'POST', '/kbs', { name: 'Handbook' });
    expect(kb.status).toBe(201);
    expect(outcome(await as('alice', aliceToken, 'GET', `/kbs/${kb.body.id}`))).toBe('200');

    const bobToken = await provider.tokenFor('bob');
    expect(outcome(await as('bob', bobToken, 'GET', `/kbs/${kb.body.id}`))).toBe('404 not_found');
    // Neither by the header alone nor by the token alone.
    expect(outcome(await as('alice', bobToken, 'GET', `/kbs/${kb.body.id}`))).toBe(REFUSED);
    expect(outcome(await as('bob', aliceToken, 'GET', `/kbs/${kb.body.id}`))).toBe(REFUSED);
  });

  it('records the first use of each token in AUDIT_LOG, and no other', async () => {
    const token = await provider.tokenFor('bob');
    for (let use = 0; use < 3; use++) await as('bob', token, 'GET', '/kbs');
    await as('alice', token, 'GET', '/kbs');
    const signIns = () =>
      linesOf(service.logs).filter((line) => line.includes('"message":"user.signed_in"'));
    await as('bob', await provider.tokenFor('bob'), 'GET', '/kbs');
    await eventually(() => signIns().length >= 4);
    expect(signIns().map((line) => (JSON.parse(line) as { user: unknown }).user)).toEqual([
      { uid: 'alice' },
      ...Array.from({ length: 3 }, () => ({ uid: 'bob' })),
    ]);
  });

  it('writes whole lines of AUDIT_LOG and of the log to a standard output that is read late', async () => {
    const read = service.leaveOutputUnread();
    const long = 'x'.repeat(5000);
    const event = `{"category_uid":3,"class_uid":3004,"message":"${long}","metadata":{},"unmapped":{}}`;
    await sql(
      service.environment,
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 400)
        INSERT INTO audit_outbox (event) SELECT '${event}' FROM counted`,
    );
    const batches = () => sql(service.environment, 'SELECT number FROM audit_batches');
    await eventually(async () => (await batches()).length > 0);
    // Their log lines come while the output is full. Whether they are answered meanwhile is all the same.
    const asked = Promise.all(
      Array.from({ length: 20 }, () => as('alice', aliceToken, 'GET', '/kbs')),
    );
    await Promise.race([asked, pause(2000)]);
    read();
    await asked;
    const whole = () => linesOf(service.logs).filter((line) => line.includes(long));
    await eventually(() => whole().length >= 400);
    // All but the one that says where it listens.
    const written = linesOf(service.logs).filter((line) => line.includes('{'));
    for (const line of written) expect(() => JSON.parse(line) as unknown).not.toThrow();
    const file = join(mkdtempSync(join(tmpdir(), 'latchkey-audit-')), 'output');
    writeFileSync(file, service.logs);
    const keys = await auditCommand(service.environment, 'keys');
    const { code, stdout } = await verifyAudit(keys, '--among-logs', file);
    expect([code, stdout]).toEqual([0, expect.stringContaining('lines are none of the audit')]);
  });

  it('takes a service account’s key in the place of a token, and not beside a user', async () => {
    const { body: account } = await as<{ id: string }>(
      ...(['alice', aliceToken, 'POST', '/service-accounts'] as const),
      { name: 'CI', all: true },
    );
    const { body: key } = await as<{ api_key: string }>(
      ...(['alice', aliceToken, 'POST', `/service-accounts/${account.id}/api-keys`] as const),
      { name: 'CI', scopes: ['kbs:write'] },
    );
    const bearer = `Authorization: Bearer ${key.api_key}`;
    expect(outcome(await list(bearer))).toBe('200');
    expect(outcome(await list(bearer, 'X-Idp-User-Id: alice'))).toBe('400 invalid_user_id');
    expect(outcome(await list(`${bearer}x`))).toBe('401 invalid_api_key');
    // Its id is no user’s, whatever a provider says.
    expect(outcome(await list(`X-Idp-User-Id: ${account.id}`))).toBe('400 invalid_user_id');
  });

  describe('the groups of a user', () => {
    const CLAIM = 'https://example.com/groups';
    let kbId: string;

    beforeAll(async () => {
      const kb = await as<KnowledgeBase>('alice', aliceToken, 'POST', '/kbs', { name: 'Handbook' });
      kbId = kb.body.id;
      const member = encodeURIComponent('group:Vertrieb, Süd');
      await as('alice', aliceToken, 'PUT', `/kbs/${kbId}/members/${member}`, { role: 'member' });
    });

    /** What Bob gets with a token of these claims, and whatever his headers say. */
    const bobWith = async (claims: Record<string, unknown>, header = '[]') => {
      provider.extraClaims.set('bob', claims);
      const token = await provider.tokenFor('bob');
      const headers = { authorization: `Bearer ${token}`, 'x-idp-groups': header };
      return outcome(
        await new Client(service, 'bob').call('GET', `/kbs/${kbId}`, undefined, headers),
      );
    };

    it('are those of the token, a list or one name', async () => {
      expect(await bobWith({ [CLAIM]: ['support', 'Vertrieb, Süd'] })).toBe('200');
      expect(await bobWith({ [CLAIM]: 'Vertrieb, Süd' })).toBe('200');
      for (const claims of [
        {},
        { [CLAIM]: [] },
        { [CLAIM]: 'Vertrieb' },
        { groups: ['Vertrieb, Süd'] },
      ]) {
        expect(await bobWith(claims)).toBe('404 not_found');
      }
    });

    it('are not those of a header', async () => {
      expect(await bobWith({}, '["Vertrieb, S\\u00fcd"]')).toBe('404 not_found');
    });

    it.each([
      ['a number', { [CLAIM]: 7 }],
      ['a list of lists', { [CLAIM]: [['Vertrieb, Süd']] }],
      ['too many', { [CLAIM]: Array.from({ length: 501 }, (_, index) => `${index}`) }],
      ['left out because they are too many', { _claim_names: { [CLAIM]: 'src1' } }],
    ])('are refused, and the user with them, when they are %s', async (_, claims) => {
      expect(await bobWith(claims)).toBe('400 invalid_groups');
    });
  });

  it.each(['bob', 'ALICE', 'alice2', 'alic', 'client:alice'])(
    'refuses Alice’s token with the header of %s',
    async (userId) => {
      expect(outcome(await as(userId, aliceToken, 'GET', '/kbs'))).toBe(REFUSED);
    },
  );

  it('refuses a token that the provider gave for another service', async () => {
    const token = await provider.tokenFor('alice', 'https://elsewhere.example.com');
    expect(outcome(await as('alice', token, 'GET', '/kbs'))).toBe(REFUSED);
  });

  it('refuses the token without the header, which is the identity', async () => {
    expect(outcome(await list(`Authorization: Bearer ${aliceToken}`))).toBe(REFUSED);
  });

  it.each([
    ['no token', []],
    ['an empty one', ['Authorization: Bearer']],
    ['another scheme', ['Authorization: Basic YWxpY2U6YWxpY2U=']],
    ['something else', ['Authorization: Bearer alice']],
    ['three empty parts', ['Authorization: Bearer ..']],
    ['a very long one', [`Authorization: Bearer ${'a.'.repeat(2)}${'a'.repeat(10_000)}`]],
  ])('refuses the header with %s', async (_, headerLines) => {
    const answer = await list('X-Idp-User-Id: alice', ...headerLines);
    expect(outcome(answer)).toBe(REFUSED);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it.each([
    [
      'in the query string',
      (token: string) => as('alice', '', 'GET', `/kbs?access_token=${token}`),
    ],
    ['in the body', (token: string) => as('alice', '', 'POST', '/kbs', { access_token: token })],
    [
      'in a cookie',
      (token: string) => list('X-Idp-User-Id: alice', `Cookie: access_token=${token}`),
    ],
    [
      'in a proxy’s header',
      (token: string) => list('X-Idp-User-Id: alice', `X-Forwarded-Access-Token: ${token}`),
    ],
  ])('takes no token %s', async (_, send: (token: string) => Promise<Answer<unknown>>) => {
    expect(outcome(await send(aliceToken))).toBe(REFUSED);
  });

  it('takes the scheme in any case', async () => {
    const lines = ['X-Idp-User-Id: alice', `Authorization: bearer ${aliceToken}`];
    expect(outcome(await list(...lines))).toBe('200');
  });

  it('writes no token to its log', async () => {
    await as('alice', aliceToken, 'GET', '/kbs');
    await as('bob', aliceToken, 'GET', '/kbs');
    expect(service.logs).toContain('/api/v1/kbs');
    for (const part of aliceToken.split('.')) expect(service.logs).not.toContain(part);
  });

  it('never takes a Bearer that begins with rag_ for a token', async () => {
    for (const bearer of [`rag_client_${aliceToken}`, `rag_live_${'a'.repeat(48)}`]) {
      const lines = ['X-Idp-User-Id: alice', `Authorization: Bearer ${bearer}`];
      expect(outcome(await list(...lines))).toBe(REFUSED);
    }
    const alice = (method: string, path: string, body: object) =>
      as<{ id: string; api_key: string }>('alice', aliceToken, method, path, body);
    const { body: kb } = await alice('POST', '/kbs', { name: 'Bearer' });
    const { body: key } = await alice('POST', `/kbs/${kb.id}/api-keys`, {
      name: 'Bearer',
      environment: 'live',
    });
    const ask = (bearer: string) =>
      new Client(service).post('/query', { message: 'Hi' }, { authorization: `Bearer ${bearer}` });
    expect(outcome(await ask(key.api_key))).toBe('200');
    expect(outcome(await ask(aliceToken))).toBe('401 invalid_api_key');
  });

  it('asks no partner for a token', async () => {
    expect(outcome(await new Client(service).query('rag_live_nothing', 'Hi'))).toBe(
      '401 invalid_api_key',
    );
  });
});
