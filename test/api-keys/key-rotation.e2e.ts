import { setTimeout } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LEAKED_KEY } from '../support/api-key-secret.js';
import {
  type ApiKey,
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { eventually } from '../support/service.js';
import { furnish } from '../support/furnish.js';
import { newUserId, type SharedService } from '../support/shared-service.js';
import { databaseTime, hold, sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

describe('rotating an API key', () => {
  const BOB = newUserId('bob');

  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;
  const FINAL_ROTATIONS = repetitions(3, 100);
  /** What two clocks readings of one request may be apart. */
  const MARGIN_MS = 5_000;

  let a: SharedService;
  let alice: Client;
  let aliceOnB: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ service: a, alice, aliceOnSecond: aliceOnB, partner } = await furnish());
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const use = (key: IssuedApiKey) => partner.query(key.api_key, 'Anything?');
  const get = async (id: string) => (await alice.get<ApiKey>(`/api-keys/${id}`)).body;
  const rotate = ({ id }: ApiKey, body: unknown = {}, client = alice) =>
    client.post<IssuedApiKey>(`/api-keys/${id}/rotate`, body);
  const revoke = ({ id }: ApiKey, client = alice) => client.call('PATCH', `/api-keys/${id}/revoke`);
  const keyCount = async () => (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys`)).body.total;
  const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();
  const ms = (time: string | null) => Date.parse(String(time));

  it('gives a successor with the settings and another secret, shown this once', async () => {
    await alice.call('PUT', `/kbs/${kbId}/members/${BOB}`, { role: 'member' });
    const settings = {
      description: 'Orders',
      environment: 'test',
      rate_limit_per_minute: 77,
      allowed_ips: ['127.0.0.0/8', '::1'],
      principals: ['group:support', 'group:法務'],
    };
    const old = await alice.createApiKey(kbId, { name: 'Before', ...settings });
    await alice.call('PATCH', `/api-keys/${old.id}`, { name: 'Shop' });

    const answer = await rotate(old, {}, new Client(a, BOB));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { api_key: secret, ...shown } = answer.body;
    expect(shown).toMatchObject({
      ...settings,
      name: 'Shop',
      kb_id: kbId,
      created_by: BOB,
      active: true,
      state: 'active',
      last_used_at: null,
      expires_at: null,
      rotated_from: old.id,
      rotated_to: null,
    });
    expect(secret).toMatch(LEAKED_KEY);
    expect(secret.slice(0, shown.prefix.length)).toBe(shown.prefix);
    expect(shown.prefix).not.toBe(old.prefix);
    expect(await get(shown.id)).toEqual(shown);
    expect(await get(old.id)).toMatchObject({ rotated_from: null, rotated_to: shown.id });
  });

  it.each([[undefined], [{}]])('gives the old key a day with %j', async (body) => {
    const old = await alice.createApiKey(kbId);
    const { status, body: successor } = await alice.call<IssuedApiKey>(
      'POST',
      `/api-keys/${old.id}/rotate`,
      body,
    );
    expect(status).toBe(201);
    const { expires_at, active, state } = await get(old.id);
    expect({ active, state }).toEqual({ active: true, state: 'active' });
    expect(Math.abs(ms(expires_at) - ms(successor.created_at) - DAY_MS)).toBeLessThan(MARGIN_MS);
    expect(outcomes([await use(old), await use(successor)])).toEqual({ '200': 2 });
  });

  it('never lets the old key live longer than it would have', async () => {
    const old = await alice.createApiKey(kbId, { expires_at: inAnHour() });
    await rotate(old, { grace_period_seconds: 2_592_000 });
    expect((await get(old.id)).expires_at).toBe(old.expires_at);

    const shortened = await alice.createApiKey(kbId, { expires_at: inAnHour() });
    await rotate(shortened, { grace_period_seconds: 60 });
    expect(ms((await get(shortened.id)).expires_at)).toBeLessThan(ms(shortened.expires_at));
  });

  it('gives the successor the life span of the old key, not its end', async () => {
    const first = await alice.createApiKey(kbId, { expires_at: inAnHour() });
    const lifeSpan = (key: ApiKey) => ms(key.expires_at) - ms(key.created_at);
    const second = (await rotate(first)).body;
    expect(Math.abs(lifeSpan(second) - lifeSpan(first))).toBeLessThan(MARGIN_MS);
    expect(ms(second.expires_at)).toBeGreaterThan(ms(first.expires_at));
    const third = (await rotate(second)).body;
    expect(Math.abs(lifeSpan(third) - lifeSpan(first))).toBeLessThan(MARGIN_MS);
  });

  it(`with grace 0 stops the old key at once on every process: ${FINAL_ROTATIONS} trials`, async () => {
    for (let round = 0; round < FINAL_ROTATIONS; round++) {
      const old = await alice.createApiKey(kbId);
      expect(outcome(await use(old))).toBe('200');
      const { body: successor } = await rotate(old, { grace_period_seconds: 0 }, aliceOnB);
      expect(outcomes(await atOnce(100, () => use(old)))).toEqual({ '401 api_key_expired': 100 });
      expect(outcome(await use(successor))).toBe('200');
      expect(await get(old.id)).toMatchObject({ active: false, state: 'active', revoked_at: null });
    }
  });

  it.each([2, 10])('leaves exactly one successor if done %i times at once', async (count) => {
    for (let round = 0; round < 5; round++) {
      const old = await alice.createApiKey(kbId);
      const before = await keyCount();
      const answers = await atOnce(count, (n) => rotate(old, {}, n % 2 === 0 ? alice : aliceOnB));
      expect(outcomes(answers)).toEqual({ '201': 1, '409 already_rotated': count - 1 });
      expect(await keyCount()).toBe(before + 1);
      const successor = answers.find(({ status }) => status === 201)?.body;
      expect(await get(old.id)).toMatchObject({ rotated_to: successor?.id });
    }
  });

  it('is refused for a rotated key, without a trace, but possible for its successor', async () => {
    const old = await alice.createApiKey(kbId);
    const { body: successor } = await rotate(old);
    const rotated = await get(old.id);
    expect(outcome(await rotate(old, { grace_period_seconds: 0 }))).toBe('409 already_rotated');
    expect(await get(old.id)).toEqual(rotated);
    expect((await rotate(successor)).body).toMatchObject({ rotated_from: successor.id });
  });

  it('is refused for a revoked key, rotated before or not', async () => {
    const [plain, rotated] = [await alice.createApiKey(kbId), await alice.createApiKey(kbId)];
    const { body: successor } = await rotate(rotated);
    for (const key of [plain, rotated]) {
      await revoke(key);
      const before = [await get(key.id), await keyCount()];
      expect(outcome(await rotate(key))).toBe('409 api_key_revoked');
      expect([await get(key.id), await keyCount()]).toEqual(before);
    }
    // A successor is a key of its own.
    expect(outcome(await use(successor))).toBe('200');
  });

  it('is refused for a deleted key', async () => {
    const key = await alice.createApiKey(kbId);
    await alice.call('DELETE', `/api-keys/${key.id}`);
    expect(outcome(await rotate(key))).toBe('404 not_found');
    expect(await keyCount()).toBe(0);
  });

  it('never undoes a revoke that came at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const key = await alice.createApiKey(kbId);
      const [rotation, revocation] = await Promise.all([rotate(key), revoke(key, aliceOnB)]);
      expect(['201', '409 api_key_revoked']).toContain(outcome(rotation));
      expect(outcome(revocation)).toBe('200');
      expect(await get(key.id)).toMatchObject({ active: false, state: 'deactivated' });
      expect(outcome(await use(key))).toBe('401 api_key_revoked');
    }
  });

  it('does not double the rate limit: old and new key share one', async () => {
    const first = await alice.createApiKey(kbId, { rate_limit_per_minute: 10 });
    await atOnce(4, () => use(first));
    const second = (await rotate(first)).body;
    const third = (await rotate(second)).body;
    const answers = await atOnce(30, (n) => use([first, second, third][n % 3] ?? first));
    expect(outcomes(answers)).toEqual({ '200': 6, '429 rate_limited': 24 });
  });

  it.each([-1, 0.5, 2_592_001, 1e300, '60', '', null, true, [60], {}])(
    'is refused with the grace period %j and changes nothing',
    async (grace_period_seconds) => {
      const { api_key: secret, ...key } = await alice.createApiKey(kbId);
      const answer = await rotate(key, { grace_period_seconds });
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.text).toContain('"grace_period_seconds"');
      expect([await get(key.id), await keyCount()]).toEqual([key, 1]);
      expect(secret).toMatch(LEAKED_KEY);
    },
  );

  it.each([{ expires_at: '2099-01-01T00:00:00Z' }, { name: 'Other' }, [], '"0"'])(
    'is refused with the body %j',
    async (body) => {
      const key = await alice.createApiKey(kbId);
      expect(outcome(await rotate(key, body))).toBe('400 validation_failed');
      expect(await keyCount()).toBe(1);
    },
  );
});

describe('a key that has a successor', () => {
  const HOUR_MS = 3_600_000;

  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ service, alice, kbId } = await furnish());
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
    for (const end of [null, inMs(HOUR_MS), inMs(60_000)]) {
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

  it('is not found once it is deleted', async () => {
    const key = await rotated();
    await alice.call('DELETE', `/api-keys/${key.id}`);
    expect(outcome(await patch(key, { expires_at: null }))).toBe('404 not_found');
  });
});

describe('creating an API key again, because the answer was lost,', () => {
  const BODY = { name: 'Shop', environment: 'live' };
  const CONFLICT = '409 idempotency_conflict';
  const TRIALS = repetitions(60, 1000);
  const KEYS_PER_KNOWLEDGE_BASE = 100;

  let a: SharedService;
  let alice: Client;
  let aliceOnB: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ service: a, alice, aliceOnSecond: aliceOnB, partner } = await furnish());
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const create = (key: string, body: object = BODY, client = alice) =>
    client.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, body, { 'idempotency-key': key });
  const use = async ({ api_key }: IssuedApiKey) =>
    outcome(await partner.query(api_key, 'Anything?'));
  const list = async () => (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys`)).body;

  it('gives the same key with a new secret; the lost one stops working', async () => {
    const lost = await create('lost');
    const again = await create('lost', BODY, aliceOnB);
    expect([lost.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get('cache-control')).toBe('no-store');
    const { api_key: secret, ...shown } = again.body;
    expect(shown).toMatchObject({ id: lost.body.id, active: true, last_used_at: null });
    expect(secret).toMatch(LEAKED_KEY);
    expect(secret.slice(9)).not.toBe(lost.body.api_key.slice(9));
    expect(secret.startsWith(shown.prefix)).toBe(true);
    expect((await list()).data).toEqual([shown]);

    expect(await use(lost.body)).toBe('401 invalid_api_key');
    expect(await use(again.body)).toBe('200');
    expect(await use(lost.body)).toBe('401 invalid_api_key');
  });

  it('may be done as often as it is lost', async () => {
    const issued: IssuedApiKey[] = [];
    for (let n = 0; n < 5; n++) issued.push((await create('often')).body);
    expect(new Set(issued.map(({ id }) => id)).size).toBe(1);
    const results: string[] = [];
    for (const key of issued) results.push(await use(key));
    expect(results).toEqual([...Array<string>(4).fill('401 invalid_api_key'), '200']);
  });

  it('leaves one key with one working secret if done ten times at once', async () => {
    const answers = await atOnce(10, (n) => create('ten', BODY, n % 2 ? alice : aliceOnB));
    expect(outcomes(answers)).toEqual({ '201': 10 });
    expect((await list()).total).toBe(1);
    const results: string[] = [];
    for (const { body } of answers) results.push(await use(body));
    expect(results.filter((result) => result === '200')).toHaveLength(1);
    expect(results.filter((result) => result === '401 invalid_api_key')).toHaveLength(9);
  });

  it('is refused with another body, and the key stays as it is', async () => {
    const { body: key } = await create('body');
    expect(outcome(await create('body', { ...BODY, name: 'Else' }))).toBe(CONFLICT);
    expect((await list()).total).toBe(1);
    expect(await use(key)).toBe('200');
  });

  it.each<[what: string, end: (key: IssuedApiKey) => Promise<unknown>]>([
    ['used', (key) => use(key)],
    ['revoked', (key) => alice.call('PATCH', `/api-keys/${key.id}/revoke`)],
    ['deleted', (key) => alice.call('DELETE', `/api-keys/${key.id}`)],
  ])('is refused once the key was %s, and changes nothing', async (_, end) => {
    const { body: key } = await create('ended');
    await end(key);
    const [before, result] = [await list(), await use(key)];
    expect(outcome(await create('ended'))).toBe(CONFLICT);
    expect(outcome(await create('ended', BODY, aliceOnB))).toBe(CONFLICT);
    expect(await use(key)).toBe(result);
    expect((await list()).total).toBe(before.total);
  });

  it('works for a rotation, too', async () => {
    const old = await alice.createApiKey(kbId);
    const rotate = () =>
      alice.post<IssuedApiKey>(`/api-keys/${old.id}/rotate`, {}, { 'idempotency-key': 'rotation' });
    const [lost, again] = [await rotate(), await rotate()];
    expect([lost.status, again.status]).toEqual([201, 201]);
    expect(again.body).toMatchObject({ id: lost.body.id, rotated_from: old.id });
    expect((await list()).total).toBe(2);
    expect([await use(lost.body), await use(again.body)]).toEqual(['401 invalid_api_key', '200']);
    expect(outcome(await rotate())).toBe(CONFLICT);
  });

  it(`never succeeds beside a first use: ${TRIALS} trials`, async () => {
    const tally = { used: 0, reissued: 0, both: 0, neither: 0 };
    const others = async (count: number) => {
      for (let n = 0; n < count; n++) await partner.query('nothing', 'Anything?');
    };
    // How many other requests the first use waits for, or the second creation where it is negative.
    let lead = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      if (trial % KEYS_PER_KNOWLEDGE_BASE === 0) kbId = (await alice.createKnowledgeBase()).id;
      const key = `race-${trial}`;
      const { body: first } = await create(key);
      const [result, again] = await Promise.all([
        others(lead).then(() => use(first)),
        others(-lead).then(() => create(key, BODY, aliceOnB)),
      ]);
      expect(['200', '401 invalid_api_key']).toContain(result);
      expect(['201', CONFLICT]).toContain(outcome(again));
      const [used, reissued] = [result === '200', again.status === 201];
      tally[used ? (reissued ? 'both' : 'used') : reissued ? 'reissued' : 'neither']++;
      // Whoever won waits longer the next time, so that both come amid each other, and each wins.
      lead += used ? 1 : -1;
      // Whoever won, exactly one secret works from here on.
      expect(await use(first)).toBe(used ? '200' : '401 invalid_api_key');
      if (reissued) expect(await use(again.body)).toBe('200');
    }
    expect(tally).toMatchObject({ both: 0, neither: 0 });
    expect(tally.used + tally.reissued).toBe(TRIALS);
    // Else nothing was raced.
    expect(Math.min(tally.used, tally.reissued)).toBeGreaterThan(0);
  });

  it('stores no secret to return again', async () => {
    const issued = [await create('kept'), await create('kept'), await create('other')];
    const rows = await sql(a.environment, 'SELECT * FROM idempotency_records');
    const kept = JSON.stringify(rows);
    expect(kept).toContain(issued[0]?.body.id);
    expect(kept).not.toMatch(/rag_(live|test)_|\$2[aby]\$|api_key/);
    for (const { body } of issued) expect(kept).not.toContain(body.api_key.slice(-38));
  });
});

describe('an API key ends by the database’s clock', () => {
  const EXPIRED = '401 api_key_expired';

  let a: SharedService;
  let b: SharedService;
  let alice: Client;
  let partnerOnA: Client;
  let partnerOnB: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    ({ service: a, second: b, alice, partner: partnerOnA, kbId } = await furnish());
    partnerOnB = new Client(b);
  });

  beforeEach(async () => {
    key = await alice.createApiKey(kbId);
  });

  const use = (partner = partnerOnA) => partner.query(key.api_key, 'Anything?');

  /** @param time in SQL */
  const endAt = (time: string) =>
    sql(a.environment, `UPDATE api_keys SET expires_at = ${time} WHERE id = '${key.id}'`);

  /** How many milliseconds ago the key ended, by the database's clock; negative before. */
  async function endedAgo(): Promise<number> {
    const now = databaseTime();
    const difference =
      engine === 'postgres'
        ? `EXTRACT(EPOCH FROM ${now} - expires_at) * 1000`
        : `(julianday(${now}) - julianday(expires_at)) * 86400000`;
    const [row] = await sql<{ ms: number }>(
      a.environment,
      `SELECT CAST(ROUND(${difference}) AS INTEGER) AS ms FROM api_keys WHERE id = '${key.id}'`,
    );
    return Number(row?.ms);
  }

  /** Uses the key until it has ended, and expects of each use what the clock around it demands. */
  async function crossTheEnd(partner: Client): Promise<{ before: number; after: number }> {
    const seen = { before: 0, after: 0 };
    await eventually(async () => {
      const begun = await endedAgo();
      const result = outcome(await use(partner));
      if (begun >= 0) {
        expect([begun, result]).toEqual([begun, EXPIRED]);
        seen.after++;
      } else if ((await endedAgo()) < 0) {
        expect([begun, result]).toEqual([begun, '200']);
        seen.before++;
      } else {
        // The end came during this one.
        expect(['200', EXPIRED]).toContain(result);
      }
      return seen.after > 2;
    });
    return seen;
  }

  /**
   * Lets a key live longer and longer, until it is used before its end, too: on a busy machine a
   * short life may be over before the first use.
   *
   * @param live gives `key` so long a life
   */
  async function crossAnEnd(
    partner: Client,
    live: (milliseconds: number) => Promise<unknown>,
  ): Promise<void> {
    for (const milliseconds of [1000, 4000, 16_000]) {
      await live(milliseconds);
      if ((await crossTheEnd(partner)).before > 0) return;
    }
    throw new Error('No key was used before its end');
  }

  it.each([0, -1, -1000])(
    'is refused by every process if its end lies at %i ms from now',
    async (offset) => {
      await endAt(databaseTime(offset));
      expect([outcome(await use(partnerOnA)), outcome(await use(partnerOnB))]).toEqual([
        EXPIRED,
        EXPIRED,
      ]);
    },
  );

  it('is refused as soon as the clock reaches its end, 1 ms ahead', async () => {
    for (let round = 0; round < 20; round++) {
      await endAt(databaseTime(1));
      await eventually(async () => (await endedAgo()) >= 0);
      expect(outcome(await use())).toBe(EXPIRED);
    }
  });

  it('works until the very end and never after, on each process', async () => {
    for (const partner of [partnerOnA, partnerOnB]) {
      await crossAnEnd(partner, (milliseconds) => endAt(databaseTime(milliseconds)));
    }
  });

  it('works for the whole grace period after a rotation, and not a moment longer', async () => {
    let successor: IssuedApiKey | undefined;
    await crossAnEnd(partnerOnB, async (milliseconds) => {
      key = await alice.createApiKey(kbId);
      const body = { grace_period_seconds: milliseconds / 1000 };
      const rotation = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, body);
      successor = rotation.body;
    });
    expect(outcome(await partnerOnB.query(successor?.api_key, 'Anything?'))).toBe('200');
  });

  it('keeps the end it was given to the millisecond', async () => {
    await crossAnEnd(partnerOnA, async (milliseconds) => {
      await eventually(async () => {
        const expires_at = new Date(Date.now() + milliseconds + 234).toISOString();
        const body = { name: 'Ends', environment: 'live', expires_at };
        const created = await alice.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, body);
        // The end may have come before it was made.
        if (created.status === 400) return false;
        key = created.body;
        expect(key.expires_at).toBe(expires_at);
        return true;
      });
    });
  });

  it('stays refused: 1,000 uses, none succeeds', async () => {
    expect(outcome(await use())).toBe('200');
    await endAt(databaseTime());
    for (const partner of [partnerOnA, partnerOnB]) {
      expect(outcomes(await atOnce(500, () => use(partner)))).toEqual({ [EXPIRED]: 500 });
    }
  });
});
