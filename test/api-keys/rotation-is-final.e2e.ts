import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKey, atOnce, Client, type IssuedApiKey, outcome } from '../support/client.js';
import { databaseTime, hold } from '../support/sql.js';
import { sharedService, type SharedService } from '../support/shared-service.js';

const HOUR_MS = 3_600_000;

describe('a key that has a successor', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, 'final-alice');
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const rotated = async (graceSeconds = 3600): Promise<IssuedApiKey> => {
    const key = await alice.createApiKey(kbId);
    await alice.post(`/api-keys/${key.id}/rotate`, { grace_period_seconds: graceSeconds });
    return key;
  };
  const patch = (key: ApiKey, body: object) =>
    alice.call<ApiKey>('PATCH', `/api-keys/${key.id}`, body);
  const get = async (key: ApiKey) => (await alice.get<ApiKey>(`/api-keys/${key.id}`)).body;
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  it.each([
    ['no end', () => null],
    ['a later end', () => inMs(2 * HOUR_MS)],
  ])('cannot be given %s', async (_, end) => {
    const key = await rotated();
    const before = await get(key);
    const answer = await patch(key, { expires_at: end(), name: 'Again' });
    expect(outcome(answer)).toBe('409 already_rotated');
    expect(await get(key)).toEqual(before);
  });

  it('stays refused after its end, whatever is tried', async () => {
    const key = await rotated(0);
    for (const end of [null, inMs(HOUR_MS), inMs(1000)]) {
      expect(outcome(await patch(key, { expires_at: end }))).toBe('409 already_rotated');
    }
    const answer = await new Client(service).query(key.api_key, 'Anything?');
    expect(outcome(answer)).toBe('401 api_key_expired');
  });

  it('can be ended earlier, and the same may be said again', async () => {
    const key = await rotated();
    const end = inMs(HOUR_MS / 2);
    for (const answer of [
      await patch(key, { expires_at: end }),
      await patch(key, { expires_at: end }),
    ]) {
      expect([answer.status, answer.body.expires_at]).toEqual([200, end]);
    }
  });

  it('can be renamed', async () => {
    const key = await rotated();
    const { expires_at: end } = await get(key);
    const { status, body } = await patch(key, { name: 'Before' });
    expect([status, body.name, body.expires_at]).toEqual([200, 'Before', end]);
  });

  it('ends also when it is given no end while it is rotated', async () => {
    await atOnce(10, async () => {
      const key = await alice.createApiKey(kbId);
      await Promise.all([
        alice.post(`/api-keys/${key.id}/rotate`, {}),
        patch(key, { expires_at: null }),
        patch(key, { expires_at: inMs(100 * 24 * HOUR_MS) }),
      ]);
      const { expires_at: end } = await get(key);
      expect(Date.parse(String(end))).toBeLessThan(Date.now() + 25 * HOUR_MS);
    });
  });

  it('keeps an end that was brought forward while it was rotated', async () => {
    const key = await alice.createApiKey(kbId, { expires_at: inMs(20 * HOUR_MS) });
    const commit = await hold(
      service.environment,
      `UPDATE api_keys SET expires_at = ${databaseTime(HOUR_MS)} WHERE id = '${key.id}'`,
    );
    const rotation = alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
    // Long enough for the rotation to wait for the row.
    await setTimeout(500);
    await commit();
    expect((await rotation).status).toBe(201);
    const { expires_at: end } = await get(key);
    expect(Date.parse(String(end))).toBeLessThan(Date.now() + 2 * HOUR_MS);
  });

  it('a key that does not exist any more is not found', async () => {
    const key = await rotated();
    await alice.call('DELETE', `/api-keys/${key.id}`);
    expect(outcome(await patch(key, { expires_at: null }))).toBe('404 not_found');
  });
});
