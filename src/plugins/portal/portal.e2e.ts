import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type AuditEvent,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
  type Page,
  type Problem,
} from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { withPlugins } from '../../../test/support/requirement.js';
import { databaseTime, sql } from '../../../test/support/sql.js';
import { newUserId, type SharedService } from '../../../test/support/shared-service.js';
import type { PortalRotation, PortalView } from './portal.service.js';

interface Link {
  url: string;
  expires_at: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const sqlHash = (token: string) => `'${createHash('sha256').update(token).digest('base64url')}'`;

describe('the portal of a key', () => {
  let service: SharedService;
  let second: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    ({ service, second, alice, partner, kbId } = await furnish());
    await alice.addDocument(kbId, { title: 'Returns', text: 'Orders may be returned.' });
    key = await alice.createApiKey(kbId, { name: 'Web shop' });
  });

  const make = (body: object = {}, { id } = key) =>
    alice.post<Link>(`/api-keys/${id}/portal-links`, body);
  const tokenOf = ({ body }: Answer<Link>) => body.url.split('#')[1] ?? '';

  const call = async <T = Problem>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    { url } = service,
  ): Promise<Answer<T>> => {
    const response = await fetch(`${url}/portal${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const parsed = (isJson ? JSON.parse(text) : undefined) as T;
    return { status: response.status, headers: response.headers, body: parsed, text };
  };
  const open = (token: string, at = service, headers = {}) =>
    call('POST', '/session', { token }, headers, at);
  const cookieOf = ({ headers }: Answer<unknown>) =>
    (headers.get('set-cookie') ?? '').replace(/;.*/, '');
  const session = async (body: object = {}, of: IssuedApiKey = key) =>
    sessionOf(await open(tokenOf(await make(body, of))));
  /** What the page sends when it has shown the key. */
  const sessionOf = async (opened: Answer<unknown>) => {
    expect(outcome(opened)).toBe('201');
    const cookie = cookieOf(opened);
    const { body } = await view({ cookie });
    return { cookie, 'x-portal-link': body.link_id };
  };
  const view = (headers: Record<string, string>, at = service) =>
    call<PortalView>('GET', '/session', undefined, headers, at);
  const actions = async () =>
    (await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events?limit=100`)).body.data;

  it('is opened once by a link that a member makes, and shows what the key may do', async () => {
    const before = Date.now();
    const made = await make({ recipient: 'Anna Weber', expires_in: 3600 });
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(made.body.url).toMatch(new RegExp(`^${service.url}/portal#[\\w-]{43}$`));
    const left = Date.parse(made.body.expires_at) - before;
    expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000);
    const token = tokenOf(made);

    const shown = await call<object>('POST', '/link', { token });
    expect(shown.body).toMatchObject({ recipient: 'Anna Weber', key_name: 'Web shop' });
    const opened = await open(token);
    expect(opened.headers.get('set-cookie')).toMatch(
      /^latchkey_portal=[\w-]{43}; Path=\/portal; Max-Age=1800; HttpOnly; SameSite=Strict$/,
    );
    const cookie = { cookie: cookieOf(opened) };
    const { status, headers, body } = await view(cookie);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({
      recipient: 'Anna Weber',
      prefix: key.prefix,
      key: { id: key.id, name: 'Web shop', kind: 'api_key', scopes: key.scopes },
      rotation_grace_seconds: null,
      replaced_until: null,
    });
    const minutes = (Date.parse(body.session_ends_at) - before) / 60_000;
    expect(Math.abs(minutes - 30)).toBeLessThan(1);
    expect((await view(cookie, second)).body.prefix).toBe(key.prefix);

    const again = await open(token);
    expect([outcome(again), again.text]).toEqual([
      '410 portal_link_ended',
      expect.stringContaining('"opened_at"'),
    ]);
    expect(outcome(await call('POST', '/link', { token }))).toBe('410 portal_link_ended');
    const events = (await actions()).filter(({ target_id: id }) => id === key.id);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'api_key.portal_link_created' }),
        expect.objectContaining({
          action: 'api_key.portal_opened',
          actor: 'portal',
          details: expect.objectContaining({ recipient: 'Anna Weber' }) as unknown,
        }),
      ]),
    );
    for (const secret of [token, cookie.cookie.split('=')[1] ?? '']) {
      expect([service.logs, second.logs].join()).not.toContain(secret);
      expect(JSON.stringify(await actions())).not.toContain(secret);
      const links = await sql(service.environment, 'SELECT * FROM portal_links');
      expect(JSON.stringify(links)).not.toContain(secret);
    }
  });

  it('is opened once of parallel attempts at both processes', async () => {
    const token = tokenOf(await make());
    const answers = await Promise.all(
      [service, second, service, second, service, second].map((at) => open(token, at)),
    );
    expect(answers.map(outcome).sort()).toEqual([
      '201',
      ...Array.from({ length: 5 }, () => '410 portal_link_ended'),
    ]);
    expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
  });

  it('is not opened by requests for its page, or by asking for whom it is', async () => {
    const made = await make();
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const seen = await fetch(made.body.url, { method });
      expect(seen.headers.has('set-cookie')).toBe(false);
    }
    expect(outcome(await call('POST', '/link', { token: tokenOf(made) }))).toBe('200');
    expect(outcome(await open(tokenOf(made)))).toBe('201');
  });

  it('is a page of its own, under a policy that lets nothing else in', async () => {
    const page = await fetch(`${service.url}/portal`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const script = /src="(portal\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? '';
    const asset = await fetch(`${service.url}/${script}`);
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    // No code of the dashboard is in it.
    expect(await asset.text()).not.toContain('/api/v1/kbs');
    expect((await fetch(`${service.url}/portal/assets/..%2findex.html`)).status).toBe(404);
  });

  it.each<[string, string, (token: string, link: IssuedApiKey) => Promise<unknown>]>([
    ['has expired', '410 portal_link_ended', (token) => expire(token)],
    [
      'is of a key that was revoked',
      '401 api_key_revoked',
      (_, { id }) => alice.call('PATCH', `/api-keys/${id}/revoke`),
    ],
    [
      'is of a key that was deleted',
      '401 invalid_api_key',
      (_, { id }) => alice.call('DELETE', `/api-keys/${id}`),
    ],
    [
      'is of a key that was rotated without an overlap',
      '401 api_key_expired',
      (_, { id }) => alice.post(`/api-keys/${id}/rotate`, { grace_period_seconds: 0 }),
    ],
  ])('is not opened by a link that %s', async (_, expected, end) => {
    const own = await alice.createApiKey(kbId);
    const token = tokenOf(await make({}, own));
    await end(token, own);
    expect(outcome(await call('POST', '/link', { token }))).toBe(expected);
    const refused = await open(token);
    expect([outcome(refused), refused.headers.has('set-cookie')]).toEqual([expected, false]);
  });

  const expire = (token: string) =>
    sql(
      service.environment,
      `UPDATE portal_links SET expires_at = created_at WHERE token_hash = ${sqlHash(token)}`,
    );

  it('ends after 30 minutes, with the key, and for whoever has no cookie', async () => {
    const own = await alice.createApiKey(kbId);
    const [cookie, late] = [await session({}, own), await session({}, own)];
    expect(outcome(await view({}))).toBe('401 portal_session_required');
    expect(outcome(await view({ cookie: `latchkey_portal=${'x'.repeat(43)}` }))).toBe(
      '401 portal_session_required',
    );
    const hash = sqlHash(late.cookie.split('=')[1] ?? '');
    await sql(
      service.environment,
      `UPDATE portal_links SET opened_at = ${databaseTime(-31 * 60_000)} WHERE session_hash = ${hash}`,
    );
    expect(outcome(await view(late))).toBe('401 portal_session_required');
    expect(outcome(await view(cookie))).toBe('200');
    await alice.call('PATCH', `/api-keys/${own.id}/revoke`);
    for (const at of [service, second]) {
      expect(outcome(await view(cookie, at))).toBe('401 api_key_revoked');
    }
  });

  it('refuses pages of other sites, and a link that is none', async () => {
    const foreign = { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.com' };
    const cookie = await session({ rotate: true });
    for (const path of ['/rotate', '/revoke']) {
      expect(outcome(await call('POST', path, undefined, { ...cookie, ...foreign }))).toBe(
        '403 origin_not_allowed',
      );
    }
    const token = tokenOf(await make());
    expect(outcome(await open(token, service, foreign))).toBe('403 origin_not_allowed');
    expect(outcome(await open('x'.repeat(43)))).toBe('410 portal_link_ended');
    expect(outcome(await open('x'))).toBe('400 validation_failed');
    expect(outcome(await open(token))).toBe('201');
  });

  it('does nothing to a key that another tab has opened meanwhile', async () => {
    const [first, other] = [await alice.createApiKey(kbId), await alice.createApiKey(kbId)];
    const [shown, latest] = [await session({}, first), await session({}, other)];
    const headers: Record<string, string>[] = [{ 'x-portal-link': shown['x-portal-link'] }, {}];
    for (const header of headers) {
      const answer = await call('POST', '/revoke', undefined, { cookie: latest.cookie, ...header });
      expect(outcome(answer)).toBe('401 portal_session_required');
    }
    for (const { api_key: secret } of [first, other]) {
      expect(outcome(await partner.query(secret, 'returns'))).toBe('200');
    }
  });

  it('takes 60 requests a minute', async () => {
    const cookie = await session();
    const answers = await Promise.all(Array.from({ length: 65 }, () => view(cookie)));
    const refused = answers.find(({ status }) => status === 429);
    expect(outcomes(answers)).toEqual({ '200': 59, '429 rate_limited': 6 });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('rotates the key where the link allows it, and shows the secret once', async () => {
    const own = await alice.createApiKey(kbId, { scopes: ['query'] });
    const cookie = await session({ rotate: true }, own);
    expect((await view(cookie)).body.rotation_grace_seconds).toBe(86_400);
    const { status, body, headers } = await rotate(cookie);
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body.api_key.startsWith(body.prefix)).toBe(true);
    const left = Date.parse(body.replaced_until ?? '') - Date.now();
    expect(Math.abs(left - DAY_MS)).toBeLessThan(60_000);
    for (const secret of [own.api_key, body.api_key]) {
      expect(outcome(await partner.query(secret, 'returns'))).toBe('200');
    }
    expect((await view(cookie)).body).toMatchObject({
      rotation_grace_seconds: null,
      replaced_until: body.replaced_until,
    });
    expect((await view(cookie)).text).not.toContain(body.api_key);
    expect(outcome(await rotate(cookie))).toBe('409 already_rotated');
    const rotated = (await actions()).filter(({ action }) => action === 'api_key.rotated');
    expect(rotated[0]).toMatchObject({
      ...{ actor: 'portal', target_id: own.id },
      details: { link_id: expect.stringMatching(/^link_/) as unknown },
    });
    const { body: successor } = await alice.get<IssuedApiKey & { created_by: string }>(
      `/api-keys/${String(rotated[0]?.details['successor_id'])}`,
    );
    expect(successor).toMatchObject({ scopes: ['query'], created_by: own.created_by });
  });

  const rotate = (cookie: Record<string, string>, at = service) =>
    call<PortalRotation>('POST', '/rotate', undefined, cookie, at);

  it('rotates it once of parallel attempts, and again for the answer that was lost', async () => {
    const own = await alice.createApiKey(kbId);
    const cookie = await session({ rotate: true }, own);
    const headers = { ...cookie, 'idempotency-key': 'the-first' };
    const answers = await Promise.all([service, second].map((at) => rotate(headers, at)));
    expect(answers.map(outcome)).toEqual(['201', '201']);
    const last = await rotate(headers);
    expect(outcome(await partner.query(last.body.api_key, 'returns'))).toBe('200');
    for (const { body } of answers) {
      expect(outcome(await partner.query(body.api_key, 'returns'))).toBe('401 invalid_api_key');
    }
    const reissued = (await actions()).find(({ action }) => action === 'api_key.reissued');
    expect(reissued).toMatchObject({ actor: 'portal' });
    const { data } = (await alice.get<Page<IssuedApiKey>>(`/kbs/${kbId}/api-keys?limit=100`)).body;
    expect(data.filter(({ rotated_from: from }) => from === own.id)).toHaveLength(1);
  });

  it('gives the answer again that was lost where the old key has stopped at once', async () => {
    const own = await alice.createApiKey(kbId, { self_rotation: { grace_seconds: 0 } });
    const cookie = await session({ rotate: true }, own);
    const headers = { ...cookie, 'idempotency-key': 'the-first' };
    const { body: lost } = await rotate(headers);
    expect(outcome(await view(cookie))).toBe('401 api_key_expired');
    const { body } = await rotate(headers);
    expect(outcome(await partner.query(body.api_key, 'returns'))).toBe('200');
    expect(outcome(await partner.query(lost.api_key, 'returns'))).toBe('401 invalid_api_key');
    expect(outcome(await rotate(cookie))).toBe('409 already_rotated');
  });

  it('ends when whoever made the link may not change the key any more', async () => {
    const bobId = newUserId('bob');
    const bob = new Client(service, bobId);
    const role = (body: object) => alice.call('PUT', `/kbs/${kbId}/members/${bobId}`, body);
    await role({ role: 'member' });
    const link = () =>
      bob.post<Link>(`/api-keys/${key.id}/portal-links`, { rotate: true }).then(tokenOf);
    const [cookie, unopened] = [await sessionOf(await open(await link())), await link()];
    expect(outcome(await view(cookie))).toBe('200');
    await role({ role: 'viewer' });
    expect(outcome(await rotate(cookie))).toBe('401 portal_session_required');
    expect(outcome(await open(unopened))).toBe('410 portal_link_ended');
    await role({ role: 'member' });
    expect(outcome(await open(unopened))).toBe('201');
    await alice.call('DELETE', `/kbs/${kbId}/members/${bobId}`);
    expect(outcome(await view(cookie))).toBe('401 portal_session_required');
  });

  it('does not rotate it by a link for looking, nor while it is revoked', async () => {
    const own = await alice.createApiKey(kbId, { self_rotation: { grace_seconds: 60 } });
    expect(outcome(await rotate(await session({}, own)))).toBe('403 self_rotation_off');
    const cookie = await session({ rotate: true }, own);
    const [rotated, revoked] = await Promise.all([
      rotate(cookie),
      alice.call('PATCH', `/api-keys/${own.id}/revoke`),
    ]);
    expect(outcome(revoked)).toBe('200');
    const hasSuccessor = outcome(rotated) === '201';
    if (!hasSuccessor) {
      expect(['401 api_key_revoked', '409 api_key_revoked']).toContain(outcome(rotated));
    }
    const { body: after } = await alice.get<IssuedApiKey>(`/api-keys/${own.id}`);
    expect([after.state, after.rotated_to !== null]).toEqual(['deactivated', hasSuccessor]);
    expect(outcome(await partner.query(own.api_key, 'returns'))).toBe('401 api_key_revoked');
  });

  it('ends the key at once', async () => {
    const own = await alice.createApiKey(kbId);
    const cookie = await session({}, own);
    expect(outcome(await call('POST', '/revoke', undefined, cookie))).toBe('200');
    expect(outcome(await partner.query(own.api_key, 'returns'))).toBe('401 api_key_revoked');
    expect((await alice.get<IssuedApiKey>(`/api-keys/${own.id}`)).body).toMatchObject({
      state: 'deactivated',
      revoked_by: 'portal',
    });
    expect(outcome(await view(cookie))).toBe('401 api_key_revoked');
  });

  it('counts requests by the days of the reader’s time zone', async () => {
    const own = await alice.createApiKey(kbId);
    const cookie = await session({}, own);
    const days = async (offset: number) =>
      (await call<object[]>('GET', `/usage?utc_offset_minutes=${offset}`, undefined, cookie)).body;
    expect(await days(0)).toEqual([]);
    const quarters = [
      ['22:45', 3, 1],
      ['23:15', 4, 0],
    ] as const;
    for (const [time, uses, refused] of quarters) {
      await sql(
        service.environment,
        `INSERT INTO usage_counts (kb_id, period, at_ms, api_key_id, id, environment, queries, chats,
           conversations, answered, unanswered, small_talk, up, down, prompt_tokens, completion_tokens,
           refused, uses, latencies)
         VALUES ('${kbId}', 'quarter', ${recent(time)}, '${own.id}', '', 'live', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
           ${refused}, ${uses}, '')`,
      );
    }
    const of = (day: number) => recent('00:00') / DAY_MS + day;
    expect(await days(0)).toEqual([{ day: of(0), requests: 7, refused: 1 }]);
    expect(await days(60)).toEqual([
      { day: of(0), requests: 3, refused: 1 },
      { day: of(1), requests: 4, refused: 0 },
    ]);
    expect(await days(-1440)).toEqual([{ day: of(-1), requests: 7, refused: 1 }]);
    for (const bad of ['', '1.5', '1441', 'x', '1)--']) {
      const path = `/usage?utc_offset_minutes=${encodeURIComponent(bad)}`;
      expect(outcome(await call('GET', path, undefined, cookie))).toBe('400 validation_failed');
    }
  });

  /** That time of day (UTC), two days ago, in milliseconds since 1970. */
  const recent = (time: string) =>
    Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS + Date.parse(`1970-01-01T${time}Z`);

  it.each([
    ['no number of seconds', { expires_in: '60' }],
    ['less than a minute', { expires_in: 59 }],
    ['more than a week', { expires_in: 604_801 }],
    ['no yes or no', { rotate: 'yes' }],
    ['an empty recipient', { recipient: ' ' }],
    ['a long recipient', { recipient: 'x'.repeat(256) }],
    ['an unknown field', { scopes: ['query'] }],
  ])('has no link with %s', async (_, body) => {
    expect(outcome(await make(body))).toBe('400 validation_failed');
  });

  it('has no link for a key that has ended', async () => {
    const own = await alice.createApiKey(kbId);
    await alice.call('PATCH', `/api-keys/${own.id}/revoke`);
    expect(outcome(await make({}, own))).toBe('409 api_key_revoked');
  });

  withPlugins('service-accounts').it('has no link for a key of a service account', async () => {
    const account = await alice.createServiceAccount(kbId);
    const managing = await alice.createManagementKey(account.id, ['keys:read']);
    expect(outcome(await make({}, managing))).toBe('400 validation_failed');
  });
});
