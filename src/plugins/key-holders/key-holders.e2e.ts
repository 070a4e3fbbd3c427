import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AuditEvent,
  Client,
  type IssuedApiKey,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import type { SharedService } from '../../../test/support/shared-service.js';
import { withPlugins } from '../../../test/support/requirement.js';

interface Rotated {
  id: string;
  api_key: string;
  prefix: string;
  expires_at: string | null;
  replaced_key_expires_at: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const SELF = { self_rotation: { grace_seconds: 3600 } };

describe('the holder of a key', () => {
  let service: SharedService;
  let second: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ service, second, alice, partner, kbId } = await furnish());
    await alice.addDocument(kbId, { title: 'Returns', text: 'Orders may be returned.' });
  });

  const post = <T>(
    path: string,
    secret: string,
    headers: Record<string, string> = {},
    client = partner,
  ) => client.post<T>(path, undefined, { authorization: `Bearer ${secret}`, ...headers });
  const rotate = (secret: string, headers?: Record<string, string>, client?: Client) =>
    post<Rotated>('/key/rotate', secret, headers, client);
  const asks = async (secret: string) => outcome(await partner.query(secret, 'returns'));
  const get = async (id: string) => (await alice.get<IssuedApiKey>(`/api-keys/${id}`)).body;

  it('rotates it with the key alone, where its members let it', async () => {
    const key = await alice.createApiKey(kbId, { ...SELF, scopes: ['query'] });
    expect(await get(key.id)).toMatchObject(SELF);
    const { status, body, headers } = await rotate(key.api_key);
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.api_key).toMatch(/^rag_live_/);
    expect(body.api_key.startsWith(body.prefix)).toBe(true);
    const left = Date.parse(body.replaced_key_expires_at ?? '') - Date.now();
    expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000);
    expect([await asks(key.api_key), await asks(body.api_key)]).toEqual(['200', '200']);
    expect(await get(key.id)).toMatchObject({ rotated_to: body.id });
    expect(await get(body.id)).toMatchObject({ rotated_from: key.id, scopes: ['query'], ...SELF });
    const { data } = (await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`)).body;
    expect(data).toContainEqual(
      expect.objectContaining({ action: 'api_key.rotated', target_id: key.id, actor: key.id }),
    );
    expect(outcome(await rotate(key.api_key))).toBe('409 already_rotated');
    expect(service.logs).not.toContain(body.api_key.slice(-30));
  });

  it('rotates it once, however often it asks, and gets the answer again that was lost', async () => {
    const key = await alice.createApiKey(kbId, SELF);
    const headers = { 'idempotency-key': 'rotation-of-november' };
    const answers = await Promise.all(
      [partner, new Client(second), partner].map((client) => rotate(key.api_key, headers, client)),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const last = await rotate(key.api_key, headers);
    expect(last.body.id).toBe(answers[0]?.body.id);
    expect(await asks(last.body.api_key)).toBe('200');
    // Only the last secret is one: what was lost may be in wrong hands.
    for (const { body } of answers) expect(await asks(body.api_key)).toBe('401 invalid_api_key');
    expect(outcome(await rotate(key.api_key, headers))).toBe('409 idempotency_conflict');
  });

  it('rotates it once of parallel requests without a key of idempotency', async () => {
    const key = await alice.createApiKey(kbId, SELF);
    const answers = await Promise.all(
      [partner, new Client(second), partner, partner].map((client) =>
        rotate(key.api_key, {}, client),
      ),
    );
    expect(answers.map(outcome).sort()).toEqual([
      '201',
      ...Array.from({ length: 3 }, () => '409 already_rotated'),
    ]);
  });

  it('stops the old key at once where there is no time of grace', async () => {
    const key = await alice.createApiKey(kbId, { self_rotation: { grace_seconds: 0 } });
    const { body } = await rotate(key.api_key);
    expect(await asks(key.api_key)).toBe('401 api_key_expired');
    expect(await asks(body.api_key)).toBe('200');
  });

  it.each<[string, (key: IssuedApiKey) => Promise<string>, string]>([
    [
      'its members do not let it',
      ({ api_key: secret }) => Promise.resolve(secret),
      '403 self_rotation_off',
    ],
    [
      'it is revoked',
      async ({ id, api_key: secret }) => {
        await alice.call('PATCH', `/api-keys/${id}`, SELF);
        await alice.call('PATCH', `/api-keys/${id}/revoke`);
        return secret;
      },
      '401 api_key_revoked',
    ],
    [
      'it is used from a wrong address',
      async ({ id, api_key: secret }) => {
        await alice.call('PATCH', `/api-keys/${id}`, { ...SELF, allowed_ips: ['192.0.2.1'] });
        return secret;
      },
      '403 ip_not_allowed',
    ],
    ['it is unknown', () => Promise.resolve(`rag_live_${'x'.repeat(48)}`), '401 invalid_api_key'],
  ])('cannot rotate it if %s', async (_, prepare, expected) => {
    const key = await alice.createApiKey(kbId);
    expect(outcome(await rotate(await prepare(key)))).toBe(expected);
    expect((await get(key.id)).rotated_to).toBeNull();
  });

  withPlugins('client-tokens').it('does neither with a token that was made with it', async () => {
    const key = await alice.createApiKey(kbId, SELF);
    const body = { api_key: key.api_key, end_user_id: 'anna' };
    const { client_token: token } = (
      await partner.post<{ client_token: string }>('/client-tokens', body)
    ).body;
    for (const path of ['/key/rotate', '/key/revoke']) {
      expect(outcome(await post(path, token))).toBe('403 insufficient_scope');
    }
    expect(await asks(key.api_key)).toBe('200');
  });

  it('ends it, always, in every process', async () => {
    const key = await alice.createApiKey(kbId);
    expect(outcome(await post('/key/revoke', key.api_key))).toBe('200');
    for (const client of [partner, new Client(second)]) {
      expect(outcome(await client.query(key.api_key, 'returns'))).toBe('401 api_key_revoked');
    }
    expect(outcome(await post('/key/revoke', key.api_key))).toBe('401 api_key_revoked');
    expect(await get(key.id)).toMatchObject({ state: 'deactivated', revoked_by: key.id });
  });

  it('takes no body, and no key in it', async () => {
    const key = await alice.createApiKey(kbId, SELF);
    const inBody = await partner.post('/key/rotate', { api_key: key.api_key });
    expect(outcome(inBody)).toBe('401 api_key_required');
    const headers = { authorization: `Bearer ${key.api_key}` };
    const more = await partner.post('/key/rotate', { scopes: ['documents:write'] }, headers);
    expect(outcome(more)).toBe('400 validation_failed');
    expect((await get(key.id)).rotated_to).toBeNull();
  });

  it('never makes it wider, and never makes it live longer', async () => {
    const scopes = fc.uniqueArray(fc.constantFrom('query', 'chat', 'feedback', 'documents:read'), {
      minLength: 1,
    });
    const keys = fc.record({
      scopes,
      days: fc.option(fc.integer({ min: 1, max: 400 })),
      limit: fc.option(fc.integer({ min: 1, max: 1000 })),
      maxAgeDays: fc.option(fc.integer({ min: 1, max: 400 })),
      rotations: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(keys, async ({ scopes: own, days, limit, maxAgeDays, rotations }) => {
        const { id: kb } = await alice.createKnowledgeBase();
        const first = await alice.createApiKey(kb, {
          ...SELF,
          ...{ scopes: own, rate_limit_per_minute: limit, principals: ['group:hr'] },
          ...(days !== null && { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() }),
        });
        await alice.set(kb, { key_max_age_days: maxAgeDays });
        let secret = first.api_key;
        for (let rotation = 0; rotation < rotations; rotation++) {
          const before = Date.now();
          const { status, body } = await rotate(secret);
          expect(status).toBe(201);
          const { expires_at: end, ...successor } = await get(body.id);
          expect(successor).toMatchObject({
            ...{ kb_id: kb, scopes: first.scopes, filter: null, principals: ['group:hr'] },
            ...{ rate_limit_per_minute: limit, allowed_ips: null, kbs: first.kbs },
          });
          const longest = Math.min(days ?? Infinity, maxAgeDays ?? Infinity);
          if (longest === Infinity) expect(end).toBeNull();
          else {
            expect(Date.parse(end ?? '') - before).toBeLessThanOrEqual(longest * DAY_MS + 60_000);
          }
          secret = body.api_key;
        }
      }),
      { numRuns: 12 },
    );
  });
});
