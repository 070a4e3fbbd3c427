import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import {
  type ApiKeyUsage,
  Client,
  type IssuedApiKey,
  outcome,
} from '../../../test/support/client.js';
import { openApiDocument, parametersOf } from '../../../test/support/operations.js';
import { ResponseContract } from '../../../test/support/response-contract.js';
import { eventually, Service } from '../../../test/support/service.js';
import { STALLED_MS } from '../../../test/support/stalled.js';
import { databaseTime, sql } from '../../../test/support/sql.js';
import { type Received, WebhookReceiver } from '../../../test/support/webhook-receiver.js';
import { withPlugins } from '../../../test/support/requirement.js';

const QUESTION = 'How long may customers return an order?';
const TEXT = 'Customers may return any order within 30 days of delivery.';
const DAY_MS = 24 * 60 * 60 * 1000;
const EVENTS = [
  ...['document.ready', 'document.failed', 'api_key.created', 'api_key.rotated'],
  ...['api_key.revoked', 'api_key.deleted', 'api_key.expiring', 'api_key.reported_as_leaked'],
  ...['api_key.used_after_revocation', 'message.unanswered', 'message.rated'],
];
/** See sources.e2e.ts, budgets.e2e.ts and replaced-key-uses.e2e.ts. */
const ELSEWHERE = [
  ...['source.failed', 'source.recovered', 'api_key.budget_reached', 'api_key.used_after_rotation'],
];

describe('webhook notifications', () => {
  let a: Service;
  let b: Service;
  let alice: Client;
  let kbId: string;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    a = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'yes' });
    b = await a.beside();
    alice = new Client(a, 'alice');
  });

  afterAll(async () => {
    await Promise.all([a.stop(), b.stop()]);
    await receiver.stop();
  });

  beforeEach(async () => {
    receiver.received.length = 0;
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const partner = () => new Client(a);
  /** Waits until so many of an event have come. */
  const arrived = async (event: string, count = 1): Promise<Received[]> => {
    await eventually(() => receiver.of(event).length >= count);
    return receiver.of(event);
  };
  const fieldsOf = async (event: string) => (await arrived(event))[0]?.body.data;

  /** What has come is as the OpenAPI document says. */
  const expectDescribed = async () => {
    const document = await openApiDocument(a);
    const contract = new ResponseContract(document);
    expect(Object.keys(document.webhooks)).toEqual([...EVENTS, ...ELSEWHERE, 'webhook.test']);
    for (const { body, headers } of receiver.received) {
      const described = document.webhooks[body.type]?.['post'];
      const parameters = described ? parametersOf(document, described) : [];
      const schema = described?.requestBody?.content['application/json']?.schema ?? {};
      expect(contract.mismatch(schema, body)).toBeUndefined();
      expect(parameters).toHaveLength(3);
      for (const { name, schema = {} } of parameters) {
        expect(contract.mismatch(schema, headers[name])).toBeUndefined();
      }
    }
  };

  it('are signed as Standard Webhooks requires', async () => {
    const { secret, id } = await alice.createWebhook(kbId, receiver.url, 'api_key.created');
    const before = Date.now();
    await alice.createApiKey(kbId);
    const [{ headers, raw, ...received }] = (await arrived('api_key.created')) as [Received];
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^whd_[0-9a-hjkmnp-tv-z]{26}$/) as unknown,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/) as unknown,
    });
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    expect(new Verifier(secret).verify(raw, signed)).toEqual(received.body);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const text = `${signed['webhook-id']}.${signed['webhook-timestamp']}.${raw}`;
    const signature = createHmac('sha256', key).update(text).digest('base64');
    expect(signed['webhook-signature']).toBe(`v1,${signature}`);
    expect(Object.keys(received.body)).toEqual(['type', 'timestamp', 'data']);
    expect(received.at - before).toBeLessThan(STALLED_MS);
    await eventually(async () => (await alice.deliveries(id))[0]?.state === 'delivered');
    expect(await alice.deliveries(id)).toEqual([
      {
        ...{ id: received.id, webhook_id: id, event: 'api_key.created', state: 'delivered' },
        ...{ attempts: 1, next_attempt_at: null, response_status: 204, error: null },
        last_attempt_at: expect.any(String) as unknown,
        created_at: received.body.timestamp,
      },
    ]);
  });

  it('are signed with the new and the former secret for a day after a rotation', async () => {
    const { secret: old, id } = await alice.createWebhook(kbId, receiver.url, 'api_key.created');
    const { body } = await alice.call<{ secret: string; previous_secret_until: string }>(
      'POST',
      `/webhooks/${id}/rotate-secret`,
    );
    const until = Date.parse(body.previous_secret_until) - Date.now();
    expect(Math.abs(until - DAY_MS)).toBeLessThan(60_000);
    const verifiedBy = async (count: number) => {
      await alice.createApiKey(kbId);
      const { raw, headers } = (await arrived('api_key.created', count)).at(-1) as Received;
      return [body.secret, old].map((secret) => {
        try {
          return Boolean(new Verifier(secret).verify(raw, headers as Record<string, string>));
        } catch {
          return false;
        }
      });
    };
    expect(await verifiedBy(1)).toEqual([true, true]);
    await sql(
      a.environment,
      `UPDATE webhooks SET previous_secret_until = ${databaseTime(-1000)} WHERE id = '${id}'`,
    );
    expect(await verifiedBy(2)).toEqual([true, false]);
  });

  it('cover documents, keys and messages, by ids and states', async () => {
    const webhook = await alice.createWebhook(kbId, receiver.url, ...EVENTS);
    const own = { kb_id: kbId };

    const ready = await alice.addDocument(kbId, { title: 'R', text: TEXT, external_id: 'returns' });
    expect(await fieldsOf('document.ready')).toEqual({
      ...own,
      ...{ document_id: ready.id, external_id: 'returns', status: 'ready', error_code: null },
    });
    const failed = await alice.addDocument(kbId, { title: 'F', text: ' ' });
    expect(await fieldsOf('document.failed')).toEqual({
      ...own,
      ...{ document_id: failed.id, external_id: null, status: 'failed' },
      error_code: failed.error?.code,
    });

    const key = await alice.createApiKey(kbId);
    const ofKey = { ...own, api_key_id: key.id, environment: 'live', rotated_from: null };
    const active = { ...ofKey, state: 'active', expires_at: null, rotated_to: null };
    expect(await fieldsOf('api_key.created')).toEqual(active);
    const unanswered = await partner().chat(key.api_key, 'Which planets have rings?');
    expect(await fieldsOf('message.unanswered')).toEqual({
      ...own,
      ...{ conversation_id: unanswered.body.conversation_id, api_key_id: key.id },
      ...{ message_id: unanswered.body.message_id, environment: 'live', answered: false },
    });
    const { body: chat } = await partner().chat(key.api_key, QUESTION);
    const rate = (rating: string | null, comment?: string) =>
      partner().post(`/messages/${chat.message_id}/feedback`, {
        api_key: key.api_key,
        rating,
        ...(comment && { comment }),
      });
    await rate('down', 'Not what I asked');
    expect(await fieldsOf('message.rated')).toEqual({
      ...own,
      ...{ conversation_id: chat.conversation_id, message_id: chat.message_id },
      ...{ api_key_id: key.id, rating: 'down' },
    });
    await rate('down', 'Not what I asked');
    await rate(null);
    const ratings = (await arrived('message.rated', 2)).map(({ body }) => body.data['rating']);
    expect(ratings.sort()).toEqual(['down', null]);

    const rotated = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {
      grace_period_seconds: 30 * 86_400,
    });
    expect(await fieldsOf('api_key.rotated')).toMatchObject({
      ...{ ...ofKey, state: 'active', rotated_to: rotated.body.id },
      expires_at: expect.any(String) as unknown,
    });
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    expect(await fieldsOf('api_key.revoked')).toMatchObject({ ...ofKey, state: 'deactivated' });
    await alice.call('DELETE', `/api-keys/${key.id}`);
    expect(await fieldsOf('api_key.deleted')).toMatchObject({ ...ofKey, state: 'deleted' });
    await expectDescribed();

    const notices = receiver.received.map(({ raw }) => raw).join('\n');
    for (const secret of [key.api_key, rotated.body.api_key, webhook.secret, TEXT, 'Not what']) {
      expect(notices).not.toContain(secret);
    }
    const counts = Object.fromEntries(EVENTS.map((event) => [event, receiver.of(event).length]));
    // An answered question and a repeated rating send no event; the event of a rotation names the
    // successor.
    expect(counts).toEqual({
      ...Object.fromEntries(EVENTS.map((event) => [event, 1])),
      ...{ 'message.rated': 2, 'api_key.expiring': 0, 'api_key.used_after_revocation': 0 },
      'api_key.reported_as_leaked': 0,
    });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
  });

  withPlugins('leak-reports').it('cover a key that is reported as leaked', async () => {
    const webhook = await alice.createWebhook(kbId, receiver.url, ...EVENTS);
    const key = await alice.createApiKey(kbId);
    const { body: leaked } = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {
      grace_period_seconds: 30 * 86_400,
    });
    const report = { api_keys: [leaked.api_key] };
    expect(outcome(await partner().post('/leaked-api-keys', report))).toBe('200');
    expect(await fieldsOf('api_key.reported_as_leaked')).toMatchObject({
      ...{ api_key_id: leaked.id, state: 'deactivated', rotated_from: key.id },
    });
    await expectDescribed();
    const notices = receiver.received.map(({ raw }) => raw).join('\n');
    for (const secret of [leaked.api_key, webhook.secret]) expect(notices).not.toContain(secret);
    expect(receiver.of('api_key.revoked')).toEqual([]);
  });

  it('cover a revoked or deleted key that is still used, at most once an hour', async () => {
    await alice.createWebhook(kbId, receiver.url, 'api_key.used_after_revocation');
    const [revoked, deleted, used] = await Promise.all([
      alice.createApiKey(kbId),
      alice.createApiKey(kbId),
      alice.createApiKey(kbId),
    ]);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await alice.call('DELETE', `/api-keys/${deleted.id}`);
    const useAll = async () => {
      for (const service of [a, b]) {
        for (const { api_key } of [revoked, deleted, used]) {
          await new Client(service).query(api_key, QUESTION);
        }
      }
    };
    const refused = async () => {
      const { body } = await alice.get<ApiKeyUsage>(`/api-keys/${revoked.id}/usage`);
      return body.refused_uses_since_revoked;
    };
    await useAll();
    await eventually(async () => (await refused()) === 2);
    const notices = await arrived('api_key.used_after_revocation', 2);
    expect(notices.map(({ body }) => body.data['api_key_id']).sort()).toEqual(
      [revoked.id, deleted.id].sort(),
    );
    await useAll();
    await eventually(async () => (await refused()) === 4);
    const subject = `api_key.used_after_revocation ${revoked.id}`;
    await sql(
      a.environment,
      `UPDATE webhook_notices SET told_at = ${databaseTime(-3_601_000)}
       WHERE subject = '${subject}'`,
    );
    await useAll();
    const again = await arrived('api_key.used_after_revocation', 3);
    expect(again[2]?.body.data).toMatchObject({ api_key_id: revoked.id, state: 'deactivated' });
    await eventually(async () => (await refused()) === 6);
    expect(receiver.of('api_key.used_after_revocation')).toHaveLength(3);
  });

  it('cover a revoked key that is still used, in each of its knowledge bases', async () => {
    const event = 'api_key.used_after_revocation';
    const other = (await alice.createKnowledgeBase()).id;
    const kbs = [{ kb_id: kbId }, { kb_id: other }];
    const { body: key } = await alice.post<{ id: string; api_key: string }>('/api-keys', {
      ...{ name: 'Shared', environment: 'live', kbs },
    });
    for (const each of [kbId, other]) await alice.createWebhook(each, receiver.url, event);
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    await new Client(a).query(key.api_key, 'Orders?');
    const notices = await arrived(event, 2);
    expect(notices.map(({ body }) => [body.data['api_key_id'], body.data['kb_id']]).sort()).toEqual(
      [kbId, other].map((each) => [key.id, each]).sort(),
    );
  });

  it('cover a key that expires, seven days and one day before, once each', async () => {
    const expiringIn = (days: number) =>
      alice.createApiKey(kbId, { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() });
    const revoked = await expiringIn(6.9);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await alice.createWebhook(kbId, receiver.url, 'api_key.expiring');
    const [week, day, later] = await Promise.all([6.9, 0.9, 7.1].map(expiringIn));
    const notices = () =>
      receiver
        .of('api_key.expiring')
        .map(({ body: { data } }) => `${String(data['api_key_id'])} ${String(data['days_before'])}`)
        .sort();
    await eventually(() => notices().length >= 2);
    const expected = [`${String(week?.id)} 7`, `${String(day?.id)} 1`];
    expect(notices()).toEqual(expected.toSorted());
    // As if six days had passed for the first, and half a day for the second.
    const expiry = (key: IssuedApiKey | undefined, days: number) =>
      sql(
        a.environment,
        `UPDATE api_keys SET expires_at = ${databaseTime(days * DAY_MS)} WHERE id = '${String(key?.id)}'`,
      );
    await expiry(later, 6.9);
    await expiry(week, 0.9);
    expected.push(`${String(later?.id)} 7`, `${String(week?.id)} 1`);
    await eventually(() => notices().length >= 4);
    expect(notices()).toEqual(expected.toSorted());
  });

  it('cover no other knowledge bases, no other events and no refused changes', async () => {
    const other = await alice.createKnowledgeBase();
    await alice.createWebhook(other.id, receiver.url, ...EVENTS);
    const { id } = await alice.createWebhook(kbId, receiver.url, 'api_key.revoked');
    const key = await alice.createApiKey(kbId);
    expect(
      outcome(await new Client(a, 'mallory').call('PATCH', `/api-keys/${key.id}/revoke`)),
    ).toBe('404 not_found');
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    await arrived('api_key.revoked');
    expect(await alice.deliveries(id)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });
});
