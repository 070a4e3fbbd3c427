import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
import {
  newUserId,
  sharedServices,
  type SharedService,
} from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';

/** Reserved: nobody has this name. */
const URL = 'https://receiver.invalid/hook';
const SECRET = /^whsec_[0-9A-Za-z+/]{43}=$/;

describe('webhooks', () => {
  let services: [SharedService, SharedService];
  let alice: Client;
  let bob: Client;
  let mallory: Client;
  let kbId: string;
  const [ALICE, BOB] = [newUserId('alice'), newUserId('bob')];

  beforeAll(async () => {
    services = await sharedServices();
    alice = new Client(services[0], ALICE);
    bob = new Client(services[1], BOB);
    mallory = new Client(services[0], newUserId('mallory'));
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    await alice.call('PUT', `/kbs/${kbId}/members/${BOB}`, { role: 'member' });
  });

  const create = (body: object, headers = {}) =>
    alice.post<IssuedWebhook>(
      `/kbs/${kbId}/webhooks`,
      { events: ['document.ready'], ...body },
      headers,
    );
  const get = async (id: string) => (await alice.get<Webhook>(`/webhooks/${id}`)).body;
  const actions = async () => {
    const { body } = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`);
    const ofWebhooks = body.data.filter(({ action }) => action.startsWith('webhook.'));
    return ofWebhooks.map(({ action }) => action).reverse();
  };

  it('are created with a secret that is shown this once', async () => {
    const answer = await create({ url: ` ${URL} `, description: 'On call' });
    const { secret, ...webhook } = answer.body;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(secret).toMatch(SECRET);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-hjkmnp-tv-z]{26}$/) as unknown,
      kb_id: kbId,
      url: URL,
      events: ['document.ready'],
      description: 'On call',
      state: 'active',
      deactivation_reason: null,
      deactivated_at: null,
      previous_secret_until: null,
      created_at: expect.any(String) as unknown,
      created_by: ALICE,
      updated_at: webhook.created_at,
    });
    const read = await bob.get<Webhook>(`/webhooks/${webhook.id}`);
    expect(read.body).toEqual(webhook);
    const list = await bob.get<Page<Webhook>>(`/kbs/${kbId}/webhooks`);
    expect(list.body).toMatchObject({ data: [webhook], total: 1, has_more: false });
    expect(list.text + read.text).not.toContain('whsec_');
    const rows = await sql<object>(
      services[0].environment,
      `SELECT * FROM webhooks WHERE id = '${webhook.id}'`,
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length));
    expect(await actions()).toEqual(['webhook.created']);
  });

  it('are changed, deactivated and brought back, each with an audit event', async () => {
    const { id, ...before } = (await create({ url: URL })).body;
    const patch = async (body: object) =>
      (await bob.call<Webhook>('PATCH', `/webhooks/${id}`, body)).body;
    expect(await patch({})).toMatchObject({ updated_at: before.updated_at });
    const events = ['message.rated', 'api_key.revoked'];
    expect(await patch({ events, description: 'Changed' })).toMatchObject({
      ...{ url: URL, description: 'Changed', events, state: 'active' },
    });
    expect(await patch({ description: null })).toMatchObject({ description: null, events });
    expect(await patch({ state: 'deactivated' })).toMatchObject({
      ...{ state: 'deactivated', deactivation_reason: 'user' },
      deactivated_at: expect.any(String) as unknown,
    });
    await patch({ state: 'deactivated' });
    expect(await patch({ state: 'active' })).toMatchObject({
      ...{ state: 'active', deactivation_reason: null, deactivated_at: null },
    });
    expect(outcome(await alice.call('DELETE', `/webhooks/${id}`))).toBe('200');
    for (const [method, path] of [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/rotate-secret`],
      ['GET', `/webhooks/${id}/deliveries`],
    ] as const) {
      const body = method === 'PATCH' ? { state: 'active' } : undefined;
      expect([path, outcome(await alice.call(method, path, body))]).toEqual([
        path,
        '404 not_found',
      ]);
    }
    expect(await actions()).toEqual([
      ...['webhook.created', 'webhook.updated', 'webhook.updated', 'webhook.deactivated'],
      ...['webhook.activated', 'webhook.deleted'],
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['without a url', { url: undefined }, 'url'],
    ['with a url that is no text', { url: 1 }, 'url'],
    ['with an empty url', { url: '  ' }, 'url'],
    ['with a relative url', { url: '/hook' }, 'url'],
    ['with http', { url: 'http://93.184.216.34/' }, 'url'],
    ['with another scheme', { url: 'ftp://93.184.216.34/' }, 'url'],
    ['with credentials', { url: 'https://u:p@93.184.216.34/' }, 'url'],
    ['with a url that is too long', { url: `${URL}?${'x'.repeat(2048)}` }, 'url'],
    ['on loopback', { url: 'https://127.0.0.1/' }, 'url'],
    ['on loopback by name', { url: 'https://localhost:8443/' }, 'url'],
    ['on loopback in decimal', { url: 'https://2130706433/' }, 'url'],
    ['on loopback in octal', { url: 'https://0177.0.0.1/' }, 'url'],
    ['on loopback by IPv6', { url: 'https://[::1]/' }, 'url'],
    ['on loopback, mapped', { url: 'https://[::ffff:127.0.0.1]/' }, 'url'],
    ['on a private address', { url: 'https://10.1.2.3/' }, 'url'],
    ['on a private address by NAT64', { url: 'https://[64:ff9b::a01:203]/' }, 'url'],
    ['on a metadata address', { url: 'https://169.254.169.254/latest/meta-data' }, 'url'],
    ['on every address', { url: 'https://0.0.0.0/' }, 'url'],
    ['without events', { events: [] }, 'events'],
    ['with an unknown event', { events: ['document.ready', 'document.read'] }, 'events'],
    ['with an event that is sent by the test only', { events: ['webhook.test'] }, 'events'],
    ['with an event twice', { events: ['message.rated', 'message.rated'] }, 'events'],
    ['with events that are no list', { events: 'message.rated' }, 'events'],
    ['with a secret of its own', { secret: 'whsec_AAAA' }, 'secret'],
    ['with a description that is too long', { description: 'x'.repeat(1001) }, 'description'],
    ['with a description that has a NUL', { description: 'a\0b' }, 'description'],
  ])('are refused %s, as new ones and as changes', async (_, more, field) => {
    const { id, secret: _secret, ...webhook } = (await create({ url: URL })).body;
    const errors = [expect.objectContaining({ field })];
    const refused = await create({ url: URL, ...more });
    expect([outcome(refused), refused.body]).toEqual([
      '400 validation_failed',
      expect.objectContaining({ errors }),
    ]);
    if ('url' in more && more['url'] === undefined) return;
    const changed = await alice.call('PATCH', `/webhooks/${id}`, more);
    expect([outcome(changed), changed.body.errors]).toEqual(['400 validation_failed', errors]);
    expect(await get(id)).toEqual({ id, ...webhook });
    const { total } = (await alice.get<Page<Webhook>>(`/kbs/${kbId}/webhooks`)).body;
    expect(total).toBe(1);
  });

  it.each([{ url: null }, { events: null }, { state: null }, { state: 'deleted' }])(
    'are not changed by %j',
    async (body) => {
      const { id } = (await create({ url: URL })).body;
      const answer = await alice.call('PATCH', `/webhooks/${id}`, body);
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(await get(id)).toMatchObject({ url: URL, state: 'active' });
    },
  );

  it('are ten at most, also when they are created at once by two processes', async () => {
    const answers = await atOnce(14, (index) =>
      (index % 2 === 0 ? alice : bob).post(`/kbs/${kbId}/webhooks`, {
        url: URL,
        events: ['message.rated'],
      }),
    );
    expect(outcomes(answers)).toEqual({ 201: 10, '409 webhook_limit_reached': 4 });
    const { data } = (await alice.get<Page<Webhook>>(`/kbs/${kbId}/webhooks`)).body;
    await alice.call('PATCH', `/webhooks/${String(data[0]?.id)}`, { state: 'deactivated' });
    expect(outcome(await create({ url: URL }))).toBe('409 webhook_limit_reached');
    await alice.call('DELETE', `/webhooks/${String(data[0]?.id)}`);
    expect(outcome(await create({ url: URL }))).toBe('201');
  });

  it('are returned with their secret again when a creation whose answer was lost is repeated', async () => {
    const key = { 'idempotency-key': newUserId('create') };
    const first = await create({ url: URL }, key);
    expect((await create({ url: URL }, key)).body).toEqual(first.body);
    expect(outcome(await create({ url: `${URL}/other` }, key))).toBe('409 idempotency_conflict');
    const path = `/webhooks/${first.body.id}/rotate-secret`;
    const rotation = { 'idempotency-key': newUserId('rotate') };
    const rotate = () => alice.call<IssuedWebhook>('POST', path, undefined, rotation);
    const rotated = await rotate();
    expect(rotated.headers.get('cache-control')).toBe('no-store');
    expect(rotated.body.secret).not.toBe(first.body.secret);
    expect((await rotate()).body).toEqual(rotated.body);
    // Its secret is another one by now.
    expect(outcome(await create({ url: URL }, key))).toBe('409 idempotency_conflict');
    expect(await actions()).toEqual(['webhook.created', 'webhook.secret_rotated']);
  });

  it('are not found by strangers, nor are their deliveries', async () => {
    const { id } = (await create({ url: URL })).body;
    const tested = await alice.call<WebhookDelivery>('POST', `/webhooks/${id}/test`);
    expect(tested.status).toBe(202);
    for (const [method, path, body] of [
      ['GET', `/kbs/${kbId}/webhooks`],
      ['POST', `/kbs/${kbId}/webhooks`, { url: 'no url', events: 1 }],
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { state: 'deactivated' }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/rotate-secret`],
      ['POST', `/webhooks/${id}/test`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhook-deliveries/${tested.body.id}/redeliver`],
    ] as const) {
      expect([path, outcome(await mallory.call(method, path, body))]).toEqual([
        path,
        '404 not_found',
      ]);
    }
    expect(await get(id)).toMatchObject({ state: 'active' });
  });

  it('refuse tests and repeated deliveries while they are deactivated', async () => {
    const { id } = (await create({ url: URL })).body;
    const tested = await alice.call<WebhookDelivery>('POST', `/webhooks/${id}/test`);
    await alice.call('PATCH', `/webhooks/${id}`, { state: 'deactivated' });
    for (const path of [
      `/webhooks/${id}/test`,
      `/webhook-deliveries/${tested.body.id}/redeliver`,
    ]) {
      expect(outcome(await alice.call('POST', path))).toBe('409 webhook_deactivated');
    }
  });
});
