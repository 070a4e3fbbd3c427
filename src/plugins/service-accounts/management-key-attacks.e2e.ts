import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { sendRaw } from '../../../test/support/raw-request.js';
import type { SharedService } from '../../../test/support/shared-service.js';
import { withPlugins } from '../../../test/support/requirement.js';

const SCOPES = [
  ...['kbs:write', 'documents:write', 'keys:write', 'settings:write'],
  ...['members:write', 'audit:read', 'analytics:read'],
];
const QUESTION = 'How long may customers return an order?';

/** That every operation refuses the other kind of key as a Bearer is said by authorization-matrix. */
describe('a key of a service account, used as it should not be', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let accountId: string;
  let key: IssuedApiKey;
  let partners: IssuedApiKey;

  beforeAll(async () => {
    ({ service, alice, partner, kbId } = await furnish());
    accountId = (await alice.createServiceAccount(kbId, 'owner')).id;
    key = await alice.createManagementKey(accountId, SCOPES);
    partners = await alice.createApiKey(kbId);
  });

  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const listWith = async (...lines: string[]) =>
    outcome(await sendRaw(service, 'GET /api/v1/kbs', lines));
  const by = (secret: string, method: string, path: string, body?: unknown) =>
    partner.call(method, path, body, bearer(secret));

  describe('instead of an API key', () => {
    const inBody = async (path: string, body: object) =>
      outcome(await partner.post(path, { ...body, api_key: key.api_key }));

    it.each([
      ['/query', { message: QUESTION }],
      ['/chat', { message: QUESTION }],
      ['/chat', { message: QUESTION, stream: true }],
      ['/messages/msg_01kafdp6ygf4rs4s2cr5cvzwkc/feedback', { rating: 'up' }],
    ])('is refused in the body of %s', async (path, body) => {
      expect(await inBody(path, body)).toBe('401 invalid_api_key');
    });

    withPlugins('client-tokens').it('is refused in the body of /client-tokens', async () => {
      expect(await inBody('/client-tokens', { end_user_id: 'c' })).toBe('401 invalid_api_key');
    });

    it('is refused beside an API key, in either place', async () => {
      const [inHeader, inBody] = [
        await partner.post(
          '/query',
          { api_key: partners.api_key, message: QUESTION },
          bearer(key.api_key),
        ),
        await partner.post(
          '/query',
          { api_key: key.api_key, message: QUESTION },
          bearer(partners.api_key),
        ),
      ];
      expect([outcome(inHeader), outcome(inBody)]).toEqual([
        '400 validation_failed',
        '400 validation_failed',
      ]);
    });
  });

  describe('mixed with another credential', () => {
    const [line, user] = [(secret: string) => `Authorization: Bearer ${secret}`, 'X-Idp-User-Id: '];

    it.each([
      ['a user', () => [line(key.api_key), `${user}alice`], '400 invalid_user_id'],
      ['a user twice', () => [line(key.api_key), `${user}a`, `${user}b`], '400 invalid_user_id'],
      ['its own id', () => [line(key.api_key), `${user}${accountId}`], '400 invalid_user_id'],
      ['an empty user', () => [line(key.api_key), user], '400 invalid_user_id'],
      // Node.js keeps the first of two headers.
      ['a partner’s key behind it', () => [line(key.api_key), line(partners.api_key)], '200'],
      [
        'a partner’s key before it',
        () => [line(partners.api_key), line(key.api_key)],
        '401 dashboard_authentication_required',
      ],
      [
        'a partner’s key in the same header',
        () => [`${line(key.api_key)}, Bearer ${partners.api_key}`],
        '401 dashboard_authentication_required',
      ],
      [
        'another scheme',
        () => [`Authorization: ApiKey ${key.api_key}`],
        '401 dashboard_authentication_required',
      ],
      ['X-Api-Key', () => [`X-Api-Key: ${key.api_key}`], '401 dashboard_authentication_required'],
      ['the query', () => [], '401 dashboard_authentication_required'],
    ])('%s', async (_, lines, expected) => {
      expect(await listWith(...lines())).toBe(expected);
    });

    it('a field of the body, which no operation of the dashboard has', async () => {
      const body = { name: 'Mixed', api_key: partners.api_key };
      expect(outcome(await by(key.api_key, 'POST', '/kbs', body))).toBe('400 validation_failed');
      const inBody = { name: 'Mixed', api_key: key.api_key };
      expect(outcome(await partner.post('/kbs', inBody))).toBe(
        '401 dashboard_authentication_required',
      );
    });
  });

  describe('under another name', () => {
    it.each([
      ['of another case', (secret: string) => secret.replace('rag_admin_', 'RAG_ADMIN_')],
      ['of a partner’s kind', (secret: string) => secret.replace('rag_admin_', 'rag_live_')],
      ['of a token’s kind', (secret: string) => secret.replace('rag_admin_', 'rag_client_')],
      ['cut off', (secret: string) => secret.slice(0, -1)],
      ['longer', (secret: string) => `${secret}0`],
      ['only its prefix', (secret: string) => secret.slice(0, 20)],
      [
        'with another secret behind its prefix',
        (secret: string) => secret.slice(0, 20) + 'z'.repeat(38),
      ],
      ['in another script', (secret: string) => secret.replace('a', '%61')],
    ])('%s', async (_, change) => {
      const secret = change(key.api_key);
      expect(await by(secret, 'GET', '/kbs')).toMatchObject({ status: 401 });
      expect(outcome(await partner.query(secret, QUESTION))).toBe('401 invalid_api_key');
      expect(outcome(await by(secret, 'GET', '/key'))).toBe('401 invalid_api_key');
    });

    it('a partner’s key as one of a service account', async () => {
      const secret = partners.api_key.replace('rag_live_', 'rag_admin_');
      expect(outcome(await by(secret, 'GET', '/kbs'))).toBe('401 invalid_api_key');
      expect(outcome(await by(secret, 'GET', '/key'))).toBe('401 invalid_api_key');
    });
  });

  describe('to widen itself', () => {
    it.each([
      ['POST', () => '/service-accounts', { name: 'Other', all: true }],
      ['PATCH', () => `/service-accounts/${accountId}`, { name: 'Renamed' }],
      ['DELETE', () => `/service-accounts/${accountId}`, undefined],
      [
        'POST',
        () => `/service-accounts/${accountId}/api-keys`,
        { name: 'B', scopes: ['keys:read'] },
      ],
      ['GET', () => `/service-accounts/${accountId}/api-keys`, undefined],
      ['PATCH', () => `/api-keys/${key.id}`, { scopes: ['query'] }],
      ['PATCH', () => `/api-keys/${key.id}`, { expires_at: null, allowed_ips: null }],
    ])('%s %s', async (method, path, body) => {
      const answer = await by(key.api_key, method, path(), body);
      expect(outcome(answer)).toBe('403 insufficient_scope');
    });

    it('by naming a service account as a member', async () => {
      const other = await alice.createServiceAccount();
      for (const id of [accountId, other.id]) {
        const path = `/kbs/${kbId}/members/${id}`;
        expect(outcome(await by(key.api_key, 'PUT', path, { role: 'owner' }))).toBe(
          '400 validation_failed',
        );
      }
    });

    it('by a successor: rotated many times at once it has one, as wide as it was', async () => {
      const narrow = await alice.createManagementKey(accountId, ['keys:rotate'], {
        allowed_ips: ['127.0.0.0/8', '::1'],
      });
      const answers = await atOnce(6, () =>
        partner.call<IssuedApiKey>(
          'POST',
          `/api-keys/${narrow.id}/rotate`,
          { grace_period_seconds: 60 },
          bearer(narrow.api_key),
        ),
      );
      expect(outcomes(answers)).toEqual({ '201': 1, '409 already_rotated': 5 });
      const next = answers.find(({ status }) => status === 201);
      expect(next?.body).toMatchObject({
        scopes: ['keys:rotate'],
        allowed_ips: narrow.allowed_ips,
      });
    });
  });

  describe('after its end', () => {
    it.each([
      ['revoked', ['PATCH', '/revoke'], '401 api_key_revoked'],
      ['deleted', ['DELETE', ''], '401 invalid_api_key'],
    ] as const)(
      '%s: opens nothing and comes back by nothing',
      async (_, [method, end], expected) => {
        const ended = await alice.createManagementKey(accountId, SCOPES);
        const path = `/api-keys/${ended.id}`;
        expect(outcome(await alice.call(method, path + end))).toBe('200');
        for (const [again, where, body] of [
          ['GET', '/kbs', undefined],
          ['GET', '/key', undefined],
          ['POST', `${path}/rotate`, {}],
          ['PATCH', path, { name: 'Back' }],
        ] as const) {
          expect([where, outcome(await by(ended.api_key, again, where, body))]).toEqual([
            where,
            expected,
          ]);
        }
        const byPerson = await alice.call('POST', `${path}/rotate`, {});
        expect(outcome(byPerson)).toBe(
          method === 'DELETE' ? '404 not_found' : '409 api_key_revoked',
        );
      },
    );

    it('rotated away: its successor goes on, and revoking it leaves the successor', async () => {
      const old = await alice.createManagementKey(accountId, ['kbs:write']);
      const path = `/api-keys/${old.id}`;
      const { body: next } = await alice.post<IssuedApiKey>(`${path}/rotate`, {
        grace_period_seconds: 3600,
      });
      expect(outcome(await by(old.api_key, 'GET', '/kbs'))).toBe('200');
      await alice.call('PATCH', `${path}/revoke`);
      expect(outcome(await by(old.api_key, 'GET', '/kbs'))).toBe('401 api_key_revoked');
      expect(outcome(await by(next.api_key, 'GET', '/kbs'))).toBe('200');
    });
  });

  it('is nowhere in the log', async () => {
    await by(key.api_key, 'GET', '/key');
    await by(key.api_key, 'GET', `/no-such-path/${key.api_key}`);
    expect(service.logs).not.toContain(key.api_key.slice(10));
  });
});
