import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, type IssuedApiKey, outcome } from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { withPlugins } from '../../../test/support/requirement.js';
import { eventually } from '../../../test/support/service.js';
import type { SharedService } from '../../../test/support/shared-service.js';
import { databaseTime, sql } from '../../../test/support/sql.js';

interface EventData {
  readonly api_key_id: string;
}

const EVENT = 'api_key.used_after_rotation';

describe('a key that was rotated and is still used', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ service, alice, partner, kbId } = await furnish());
  });

  const rotated = async (graceSeconds: number) => {
    const key = await alice.createApiKey(kbId);
    const path = `/api-keys/${key.id}/rotate`;
    const body = { grace_period_seconds: graceSeconds };
    const { body: successor } = await alice.post<IssuedApiKey>(path, body);
    return { key, successor };
  };
  const use = async ({ id, api_key: secret }: IssuedApiKey, times: number) => {
    for (let n = 0; n < times; n++) {
      expect(outcome(await partner.query(secret, 'returns'))).toBe('200');
    }
    const uses = async () =>
      (await alice.get<{ requests_24h: number }>(`/api-keys/${id}/usage`)).body.requests_24h;
    await eventually(async () => (await uses()) > 0);
  };
  /** What a webhook that subscribes is sent. */
  const events = async ({ id }: IssuedApiKey) => {
    const rows = await sql<{ data: string | object }>(
      service.environment,
      `SELECT data FROM events WHERE action = '${EVENT}' AND kb_id = '${kbId}'`,
    );
    return rows
      .map(({ data }) => (typeof data === 'string' ? JSON.parse(data) : data) as EventData)
      .filter(({ api_key_id: of }) => of === id);
  };
  /** Moves the rotation, and with it the middle of the overlap, into the past. */
  const age = (successor: IssuedApiKey, seconds: number) =>
    sql(
      service.environment,
      `UPDATE api_keys SET created_at = ${databaseTime(-seconds * 1000)} WHERE id = '${successor.id}'`,
    );

  it('records an event for webhooks in the second half of the overlap, once a day', async () => {
    const { key, successor } = await rotated(3600);
    await use(key, 1);
    expect(await events(key)).toEqual([]);
    await age(successor, 4000);
    await use(key, 2);
    await eventually(async () => (await events(key)).length === 1);
    expect((await events(key))[0]).toMatchObject({ rotated_to: successor.id, state: 'active' });
    await use(key, 2);
    await use(successor, 1);
    expect([(await events(key)).length, (await events(successor)).length]).toEqual([1, 0]);
  });

  withPlugins('webhooks').it('can be subscribed to', async () => {
    const webhook = await alice.createWebhook(kbId, 'https://receiver.invalid/hook', EVENT);
    expect(webhook).toMatchObject({ events: [EVENT] });
  });
});
