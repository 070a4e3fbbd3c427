import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { atOnce, Client, type IssuedApiKey, outcome, outcomes } from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, type SharedService, sharedServices } from '../support/shared-service.js';
import { databaseTime, sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

const EXPIRED = '401 api_key_expired';

describe('an API key ends by the database’s clock', () => {
  let a: SharedService;
  let b: SharedService;
  let alice: Client;
  let partnerOnA: Client;
  let partnerOnB: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    [a, b] = await sharedServices();
    alice = new Client(a, newUserId('alice'));
    partnerOnA = new Client(a);
    partnerOnB = new Client(b);
    kbId = (await alice.createKnowledgeBase()).id;
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

  it.each([0, -1, -1000])('%i ms ago: refused by every process', async (offset) => {
    await endAt(databaseTime(offset));
    expect([outcome(await use(partnerOnA)), outcome(await use(partnerOnB))]).toEqual([
      EXPIRED,
      EXPIRED,
    ]);
  });

  it('in 1 ms: refused as soon as the clock says so', async () => {
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
      const expires_at = new Date(Date.now() + milliseconds + 234).toISOString();
      key = await alice.createApiKey(kbId, { expires_at });
      expect(key.expires_at).toBe(expires_at);
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
