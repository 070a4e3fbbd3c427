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
import { newUserId, type SharedService, sharedServices } from '../support/shared-service.js';
import { sql } from '../support/sql.js';

const ALICE = newUserId('alice');

const BODY = { name: 'Shop', environment: 'live' };
const CONFLICT = '409 idempotency_conflict';
const TRIALS = repetitions(60, 1000);
const KEYS_PER_KNOWLEDGE_BASE = 100;

describe('creating an API key again, because the answer was lost,', () => {
  let a: SharedService;
  let b: SharedService;
  let alice: Client;
  let aliceOnB: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    [a, b] = await sharedServices();
    alice = new Client(a, ALICE);
    aliceOnB = new Client(b, ALICE);
    partner = new Client(a);
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

  it('ten times at once leaves one key with one secret that works', async () => {
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

  it('keeps no secret to be told again', async () => {
    const issued = [await create('kept'), await create('kept'), await create('other')];
    const rows = await sql(a.environment, 'SELECT * FROM idempotency_records');
    const kept = JSON.stringify(rows);
    expect(kept).toContain(issued[0]?.body.id);
    expect(kept).not.toMatch(/rag_(live|test)_|\$2[aby]\$|api_key/);
    for (const { body } of issued) expect(kept).not.toContain(body.api_key.slice(-38));
  });
});
