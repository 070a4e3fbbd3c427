import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { atOnce, Client } from '../../../test/support/client.js';
import { onlyOn } from '../../../test/support/requirement.js';
import { eventually, Service } from '../../../test/support/service.js';
import { hold, sql } from '../../../test/support/sql.js';
import { WebhookReceiver } from '../../../test/support/webhook-receiver.js';

const CHANGES = 30;
/** As every transaction does that writes events. */
const SHARED_LOCK = `SELECT pg_advisory_xact_lock_shared(hashtextextended('events', 0))`;

interface Row {
  readonly seq: number | string;
  readonly action: string;
  readonly target_id: string;
}

interface SentEvent {
  readonly data: { readonly api_key_id: string };
}

describe('events for webhooks', () => {
  let a: Service;
  let b: Service;
  let receiver: WebhookReceiver;
  let kbId: string;
  const as = (service: Service) => new Client(service, 'alice');

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    a = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'yes' });
    b = await a.beside();
  });
  afterAll(async () => {
    await Promise.all([a.stop(), b.stop()]);
    await receiver.stop();
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    kbId = (await as(a).createKnowledgeBase()).id;
  });

  const recorded = () =>
    sql<Row>(
      a.environment,
      `SELECT seq, action, target_id FROM events WHERE kb_id = '${kbId}' ORDER BY seq`,
    );
  /** The keys that deliveries are about, in the order in which the reader made them. */
  const sentKeys = async () => {
    const rows = await sql<{ body: string }>(
      a.environment,
      `SELECT body FROM webhook_deliveries
       WHERE webhook_id IN (SELECT id FROM webhooks WHERE kb_id = '${kbId}') ORDER BY id`,
    );
    return rows.map(({ body }) => (JSON.parse(body) as SentEvent).data.api_key_id);
  };

  it('of one object have the order of its changes, and each is read once, by two processes', async () => {
    await as(a).createWebhook(kbId, receiver.url, 'api_key.created', 'api_key.revoked');
    const keys = await atOnce(CHANGES, async (index) => {
      const [one, other] = index % 2 === 0 ? [a, b] : [b, a];
      const { id } = await as(one).createApiKey(kbId);
      await as(other).call('PATCH', `/api-keys/${id}/revoke`);
      return id;
    });
    const rows = await recorded();
    for (const id of keys) {
      const own = rows.filter(({ target_id }) => target_id === id).map(({ action }) => action);
      expect(own).toEqual(['api_key.created', 'api_key.revoked']);
    }
    await eventually(async () => (await sentKeys()).length >= 2 * CHANGES);
    expect(await sentKeys()).toHaveLength(2 * CHANGES);
  });

  onlyOn('postgres').it(
    'are not lost when a transaction with an earlier position commits later, and keep nobody waiting',
    async () => {
      await as(a).createWebhook(kbId, receiver.url, 'api_key.created');
      const commit = await hold(
        a.environment,
        `${SHARED_LOCK}; INSERT INTO events (id, kb_id, action, actor, target_id, request_id, created_at, details, data)
         VALUES ('audit_late', '${kbId}', 'api_key.created', 'alice', 'key_late', '', now(), '{}', '{"api_key_id":"key_late"}')`,
      );
      const { id } = await as(a).createApiKey(kbId);
      const { id: second } = await as(b).createApiKey(kbId);
      expect((await recorded()).map(({ target_id }) => target_id).slice(-2)).toEqual([id, second]);
      expect(await sentKeys()).toEqual([]);
      await commit();
      await eventually(async () => (await sentKeys()).length >= 3);
      expect(await sentKeys()).toEqual(['key_late', id, second]);
    },
  );
});
