import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type ApiKey,
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';

const QUOTA = 10;

describe('the quota of API keys of a knowledge base', () => {
  let services: Service[];
  let alice: Client;
  let aliceOnB: Client;
  let kbId: string;

  beforeAll(async () => {
    const first = await Service.start({ MAX_API_KEYS_PER_KNOWLEDGE_BASE: String(QUOTA) });
    services = [first, await Service.start(first.environment)];
    const id = newUserId('alice');
    alice = new Client(first, id);
    aliceOnB = new Client(services[1] ?? first, id);
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });
  afterAll(() => Promise.all(services.map((service) => service.stop())));

  const create = (client = alice, more: object = {}) =>
    client.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, {
      ...{ name: 'Shop', environment: 'live' },
      ...more,
    });
  const createMany = (count: number) =>
    atOnce(count, (n) => create(n % 2 === 0 ? alice : aliceOnB));
  const list = async (filter = '') =>
    (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys?limit=100${filter}`)).body;
  const newest = async () => (await list('&active=true')).data[0]?.id ?? '';
  const inASecond = () => new Date(Date.now() + 1000).toISOString();
  const untilExpired = (id: string) =>
    eventually(async () => !(await alice.get<ApiKey>(`/api-keys/${id}`)).body.active);

  it('is exact, however many are made at once, and named', async () => {
    expect(outcomes(await createMany(7))).toEqual({ '201': 7 });
    const answers = await createMany(12);
    expect(outcomes(answers)).toEqual({ '201': 3, '409 quota_reached': 9 });
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      quota: 'MAX_API_KEYS_PER_KNOWLEDGE_BASE',
      detail: `The quota is used up: MAX_API_KEYS_PER_KNOWLEDGE_BASE is ${QUOTA}.`,
    });
    expect((await list()).total).toBe(QUOTA);

    const other = await alice.createKnowledgeBase();
    expect(await alice.createApiKey(other.id)).toMatchObject({ active: true });
  });

  it('counts a repeated creation once', async () => {
    await createMany(QUOTA - 1);
    const repeated = { 'idempotency-key': 'last' };
    const body = { name: 'Shop', environment: 'live' };
    const answers = [1, 2].map(() => alice.post(`/kbs/${kbId}/api-keys`, body, repeated));
    expect(outcomes(await Promise.all(answers))).toEqual({ '201': 2 });
    expect(outcome(await create())).toBe('409 quota_reached');
    expect((await list()).total).toBe(QUOTA);
  });

  it('counts neither revoked nor deleted keys', async () => {
    await createMany(QUOTA);
    await alice.call('PATCH', `/api-keys/${await newest()}/revoke`);
    expect(outcomes(await createMany(5))).toEqual({ '201': 1, '409 quota_reached': 4 });
    await alice.call('DELETE', `/api-keys/${await newest()}`);
    expect(outcomes(await createMany(5))).toEqual({ '201': 1, '409 quota_reached': 4 });
    expect((await list()).total).toBe(QUOTA + 1);
    expect((await list('&active=true')).total).toBe(QUOTA);
  });

  it('counts no expired key, until it is made to work again', async () => {
    await createMany(QUOTA - 2);
    const ending = [await create(), await create()].map(({ body }) => body.id);
    for (const id of ending) {
      await alice.call('PATCH', `/api-keys/${id}`, { expires_at: inASecond() });
      await untilExpired(id);
    }
    expect(outcome(await create())).toBe('201');
    const revive = (id: string, client: Client) =>
      client.call('PATCH', `/api-keys/${id}`, { expires_at: null });
    const answers = await Promise.all(
      ending.map((id, n) => revive(id, n % 2 === 0 ? alice : aliceOnB)),
    );
    expect(outcomes(answers)).toEqual({ '200': 1, '409 quota_reached': 1 });
    expect((await list('&active=true')).total).toBe(QUOTA);
    // Another field of a key can be changed, and a working key be given more time.
    const id = await newest();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    for (const body of [{ name: 'Other' }, { expires_at: later }]) {
      expect(outcome(await alice.call('PATCH', `/api-keys/${id}`, body))).toBe('200');
    }
  });

  it('holds for rotations, too: refused, and the key stays as it was', async () => {
    await createMany(QUOTA - 1);
    const keys = (await list()).data.slice(0, 5);
    const rotate = (key: ApiKey) => alice.post(`/api-keys/${key.id}/rotate`, {});
    const answers: Answer<unknown>[] = await Promise.all(keys.map(rotate));
    expect(outcomes(answers)).toEqual({ '201': 1, '409 quota_reached': 4 });
    const left = keys.find((_, n) => answers[n]?.status === 409) as ApiKey;
    expect((await alice.get<ApiKey>(`/api-keys/${left.id}`)).body).toEqual(left);
    expect((await list()).total).toBe(QUOTA);
  });

  it('lets a key be rotated that stops at once', async () => {
    await createMany(QUOTA);
    const keys = (await list()).data.slice(0, 3);
    const answers = await Promise.all(
      keys.map(({ id }) => alice.post(`/api-keys/${id}/rotate`, { grace_period_seconds: 0 })),
    );
    expect(outcomes(answers)).toEqual({ '201': 3 });
    expect((await list('&active=true')).total).toBe(QUOTA);
  });
});
