import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  atOnce,
  type AuditEvent,
  Client,
  type IssuedWebhook,
  outcome,
  outcomes,
  type Page,
  type Webhook,
  type WebhookDelivery,
} from '../../../test/support/client.js';
import { freePort } from '../../../test/support/postgres.mjs';
import { eventually, Service } from '../../../test/support/service.js';
import { databaseTime, sql } from '../../../test/support/sql.js';
import { answersWith, hangs, WebhookReceiver } from '../../../test/support/webhook-receiver.js';

const EVENT = 'api_key.created';
const PAUSES_SECONDS = [5, 60, 300, 1800, 7200, 28_800, 86_400];

describe('deliveries of webhooks', () => {
  let a: Service;
  let b: Service;
  let alice: Client;
  let kbId: string;
  let receiver: WebhookReceiver;
  let webhook: IssuedWebhook;

  beforeAll(async () => {
    a = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'yes' });
    b = await a.beside();
    alice = new Client(a, 'alice');
  });

  afterAll(() => Promise.all([a.stop(), b.stop()]));

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    kbId = (await alice.createKnowledgeBase()).id;
    webhook = await alice.createWebhook(kbId, receiver.url, EVENT);
  });

  afterEach(() => receiver.stop());

  /** Makes an event happen. */
  const happen = () => alice.createApiKey(kbId);
  const first = async (id = webhook.id): Promise<WebhookDelivery> => {
    const [delivery] = await alice.deliveries(id);
    if (!delivery) throw new Error('There is no delivery');
    return delivery;
  };
  const until = async (holds: (delivery: WebhookDelivery) => boolean, id = webhook.id) => {
    let delivery: WebhookDelivery | undefined;
    await eventually(async () => {
      [delivery] = await alice.deliveries(id);
      return delivery !== undefined && holds(delivery);
    });
    if (!delivery) throw new Error('unreachable');
    return delivery;
  };
  const get = async (id = webhook.id) => (await alice.get<Webhook>(`/webhooks/${id}`)).body;
  const plan = (id: string, offsetMs: number) =>
    sql(
      a.environment,
      `UPDATE queued_jobs SET due_at = ${databaseTime(offsetMs)}
       WHERE queue = 'webhook_deliveries' AND state = 'waiting' AND subject_id IN
         (SELECT id FROM webhook_deliveries WHERE webhook_id = '${id}')`,
    );
  /** Lets the planned attempts begin now. */
  const moveForward = (id = webhook.id) => plan(id, -1000);
  /** Fails once; what is planned then does not begin by itself. */
  const failOnce = async (id = webhook.id) => {
    const delivery = await until(({ attempts }) => attempts === 1, id);
    await plan(id, 3_600_000);
    return delivery;
  };
  const auditEvents = async (action: string) => {
    const path = `/kbs/${kbId}/audit-events?action=${action}`;
    return (await alice.get<Page<AuditEvent>>(path)).body.data;
  };
  const redeliver = (id: string) =>
    alice.call<WebhookDelivery>('POST', `/webhook-deliveries/${id}/redeliver`);

  it('are retried on schedule, and deactivate the webhook after the last attempt', async () => {
    receiver.behave = answersWith(500);
    await happen();
    for (const [index, seconds] of PAUSES_SECONDS.entries()) {
      const failed =
        index === 0 ? await failOnce() : await until(({ attempts }) => attempts === index + 1);
      expect(failed).toMatchObject({
        ...{ state: 'pending', response_status: 500, error: 'unexpected_status' },
      });
      const pause =
        Date.parse(String(failed.next_attempt_at)) - Date.parse(String(failed.last_attempt_at));
      expect(pause).toBe(seconds * 1000);
      expect(await get()).toMatchObject({ state: 'active' });
      await moveForward();
    }
    const given = await until(({ state }) => state === 'failed');
    expect(given).toMatchObject({ attempts: 8, next_attempt_at: null });
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([given.id]));
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(receiver.received).toHaveLength(8);
    expect(await get()).toMatchObject({
      ...{ state: 'deactivated', deactivation_reason: 'failed' },
      deactivated_at: expect.any(String) as unknown,
    });
    expect(await auditEvents('webhook.deactivated')).toMatchObject([
      {
        ...{ actor: 'webhook-delivery', target_id: webhook.id },
        details: { reason: 'failed', delivery_id: given.id, status: 500 },
      },
    ]);

    // Nothing is told of what happens meanwhile.
    await happen();
    expect(await alice.deliveries(webhook.id)).toHaveLength(1);
    receiver.behave = answersWith(200);
    await alice.call('PATCH', `/webhooks/${webhook.id}`, { state: 'active' });
    expect((await redeliver(given.id)).body).toMatchObject({
      ...{ id: given.id, state: 'pending', attempts: 0, error: null },
    });
    await until(({ state }) => state === 'delivered');
    expect(receiver.received.at(-1)).toMatchObject({
      ...{ id: given.id, raw: receiver.received[0]?.raw },
    });
    await happen();
    await until(({ id, state }) => id !== given.id && state === 'delivered');
  });

  it('end, and deactivate the webhook, when its receiver is gone for good', async () => {
    receiver.behave = answersWith(500);
    await happen();
    const waiting = await failOnce();
    receiver.behave = answersWith(410);
    await happen();
    const gone = await until(({ state }) => state === 'failed');
    expect(gone).toMatchObject({ attempts: 1, response_status: 410 });
    expect(await get()).toMatchObject({ state: 'deactivated', deactivation_reason: 'gone' });
    expect(await auditEvents('webhook.deactivated')).toMatchObject([{ details: { status: 410 } }]);
    const sent = receiver.received.length;
    await moveForward();
    await eventually(async () => {
      const deliveries = await alice.deliveries(webhook.id);
      return deliveries.find(({ id }) => id === waiting.id)?.state === 'failed';
    });
    const ended = (await alice.deliveries(webhook.id)).find(({ id }) => id === waiting.id);
    expect(ended).toMatchObject({ attempts: 1, error: 'webhook_deactivated' });
    expect(receiver.received).toHaveLength(sent);
  });

  it('follow no redirect', async () => {
    const target = await WebhookReceiver.start();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.behave = answersWith(status, { location: target.url });
      await happen();
      const redirected = await until(
        ({ attempts, state }) => attempts === 1 && state === 'pending',
      );
      expect(redirected).toMatchObject({ response_status: status, error: 'unexpected_status' });
      await sql(a.environment, `DELETE FROM webhook_deliveries WHERE webhook_id = '${webhook.id}'`);
    }
    expect(target.connections).toBe(0);
    await target.stop();
  });

  it('time out after ten seconds if the receiver hangs, and delay no other webhook', async () => {
    receiver.behave = hangs;
    const other = await WebhookReceiver.start();
    const path = `/kbs/${kbId}/api-keys?limit=1`;
    const quick = await alice.createWebhook(kbId, other.url, EVENT);
    const keys = await atOnce(12, happen);
    await eventually(() => other.received.length === keys.length);
    expect(outcome(await alice.get(path))).toBe('200');
    // At most five at a time, over both processes.
    expect(receiver.received.length).toBeLessThanOrEqual(5);
    await eventually(async () =>
      (await alice.deliveries(quick.id)).every(({ state }) => state === 'delivered'),
    );
    expect(new Set((await alice.deliveries(quick.id)).map(({ attempts }) => attempts))).toEqual(
      new Set([1]),
    );
    await eventually(async () => {
      const states = await alice.deliveries(webhook.id);
      return states.filter(({ error }) => error === 'timeout').length >= 5;
    });
    const begun = receiver.received.length;
    expect(begun).toBeLessThanOrEqual(6);
    receiver.behave = answersWith(204);
    await eventually(async () => {
      await moveForward();
      const states = await alice.deliveries(webhook.id);
      return states.every(({ state }) => state === 'delivered');
    });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(keys.length);
    await other.stop();
  });

  it('arrive when an unavailable receiver is back', async () => {
    const port = await freePort();
    const away = await alice.createWebhook(kbId, `http://127.0.0.1:${port}/hook`, EVENT);
    await happen();
    const failed = await until(({ attempts }) => attempts === 1, away.id);
    expect(failed).toMatchObject({
      ...{ state: 'pending', response_status: null, error: 'connection_failed' },
    });
    const back = await WebhookReceiver.start(port);
    await moveForward(away.id);
    await until(({ state }) => state === 'delivered', away.id);
    expect(back.received.map(({ id }) => id)).toEqual([failed.id]);
    await back.stop();
  });

  it('are each sent once by two processes, and listed page by page', async () => {
    const clients = [a, b].map((service) => new Client(service, 'alice'));
    const answers = await atOnce(60, (index) =>
      (clients[index % 2] as Client).post(`/kbs/${kbId}/api-keys`, {
        name: 'Shop',
        environment: 'live',
      }),
    );
    expect(outcomes(answers)).toEqual({ 201: 60 });
    await eventually(async () => {
      const deliveries = await alice.deliveries(webhook.id);
      return deliveries.every(({ state }) => state === 'delivered');
    });
    const sent = receiver.received.map(({ id }) => id);
    expect(sent).toHaveLength(60);
    const listed: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/webhooks/${webhook.id}/deliveries?limit=25${cursor && `&cursor=${cursor}`}`;
      const { body } = await alice.get<Page<WebhookDelivery>>(path);
      expect(body.total).toBe(60);
      listed.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor;
    }
    expect(listed).toEqual([...sent].sort().reverse());
  });

  it('are made once for a test, and do not deactivate the webhook if they fail', async () => {
    const test = () => alice.call<WebhookDelivery>('POST', `/webhooks/${webhook.id}/test`);
    const { status, body } = await test();
    expect([status, body]).toEqual([
      202,
      expect.objectContaining({ event: 'webhook.test', state: 'pending', attempts: 0 }),
    ]);
    await until(({ state }) => state === 'delivered');
    expect(receiver.received.map(({ body: sent }) => sent)).toEqual([
      {
        ...{ type: 'webhook.test', timestamp: body.created_at },
        data: { kb_id: kbId, webhook_id: webhook.id },
      },
    ]);
    receiver.behave = answersWith(500);
    const failing = await test();
    const failed = await until(({ id, state }) => id === failing.body.id && state === 'failed');
    expect(failed).toMatchObject({ attempts: 1, next_attempt_at: null, response_status: 500 });
    expect(await get()).toMatchObject({ state: 'active' });
  });

  it('are deleted with their webhook, and with their knowledge base', async () => {
    receiver.behave = answersWith(500);
    const kept = await alice.createWebhook(kbId, receiver.url, EVENT);
    await happen();
    await Promise.all([failOnce(), failOnce(kept.id)]);
    const stored = async (id: string) => {
      const rows = await sql<{ count: number | string }>(
        a.environment,
        `SELECT (SELECT COUNT(*) FROM webhook_deliveries WHERE webhook_id = '${id}')
           + (SELECT COUNT(*) FROM webhooks WHERE id = '${id}') AS count`,
      );
      return Number(rows[0]?.count);
    };
    expect(await stored(webhook.id)).toBe(2);
    const sent = receiver.received.length;
    expect(outcome(await alice.call('DELETE', `/webhooks/${webhook.id}`))).toBe('200');
    await moveForward();
    await eventually(async () => (await stored(webhook.id)) === 0);
    expect(outcome(await alice.call('DELETE', `/kbs/${kbId}`))).toBe('200');
    await moveForward(kept.id);
    await eventually(async () => (await stored(kept.id)) === 0);
    expect(receiver.received).toHaveLength(sent);
  });

  it('are removed thirty days after their event', async () => {
    await happen();
    const { id } = await until(({ state }) => state === 'delivered');
    // Ids begin with their time: one of 1970.
    const old = id.replace(/^whd_.{10}/, 'whd_0000000000');
    await sql(a.environment, `UPDATE webhook_deliveries SET id = '${old}' WHERE id = '${id}'`);
    await happen();
    await until(({ id: recent, state }) => recent !== old && state === 'delivered');
    expect(await alice.deliveries(webhook.id)).toHaveLength(2);
    // They are removed at the start of a service.
    const other = await Service.start(a.environment);
    await eventually(async () => (await alice.deliveries(webhook.id)).length === 1);
    await other.stop();
    expect((await first()).id).not.toBe(old);
  });
});
