import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  atOnce,
  type AuditEvent,
  Client,
  type Document,
  type IssuedApiKey,
  outcome,
  type Page,
} from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');
const BOB = newUserId('bob');
const MALLORY = newUserId('mallory');

describe('the audit', () => {
  let service: SharedService;
  let alice: Client;
  let bob: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    bob = new Client(service, BOB);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const page = async (search = '?limit=100', client = alice) =>
    client.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events${search}`);
  /** The newest first. */
  const events = async () => (await page()).body.data;
  const newKey = () => alice.createApiKey(kbId);
  const document = (more = {}) => ({ title: 'T', text: 'Text.', external_id: 'x', ...more });

  type Change = () => Promise<{ answer: Answer<unknown>; target: string }>;

  const changes: [action: string, change: Change, details: object][] = [
    [
      'api_key.created',
      async () => {
        const body = { name: 'New', environment: 'live' };
        const answer = await alice.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, body);
        return { answer, target: answer.body.id };
      },
      { name: 'New', prefix: expect.stringMatching(/^rag_live_\w{10}$/) },
    ],
    [
      'api_key.reissued',
      async () => {
        const create = () =>
          alice.post<IssuedApiKey>(
            `/kbs/${kbId}/api-keys`,
            { name: 'New', environment: 'live' },
            { 'idempotency-key': 'again' },
          );
        const { id } = (await create()).body;
        return { answer: await create(), target: id };
      },
      { prefix: expect.stringMatching(/^rag_live_\w{10}$/) },
    ],
    [
      'api_key.updated',
      async () => {
        const { id } = await newKey();
        const body = { description: 'Hush', allowed_ips: null };
        return { answer: await alice.call('PATCH', `/api-keys/${id}`, body), target: id };
      },
      { fields: ['description', 'allowed_ips'] },
    ],
    [
      'api_key.revoked',
      async () => {
        const { id } = await newKey();
        return { answer: await alice.call('PATCH', `/api-keys/${id}/revoke`), target: id };
      },
      {},
    ],
    [
      'api_key.rotated',
      async () => {
        const { id } = await newKey();
        const body = { grace_period_seconds: 60 };
        return { answer: await alice.post(`/api-keys/${id}/rotate`, body), target: id };
      },
      { grace_period_seconds: 60, successor_id: expect.stringMatching(/^key_/) },
    ],
    [
      'api_key.deleted',
      async () => {
        const { id } = await newKey();
        return { answer: await alice.call('DELETE', `/api-keys/${id}`), target: id };
      },
      { name: 'Shop backend' },
    ],
    [
      'member.added',
      async () => {
        const path = `/kbs/${kbId}/members/${BOB}`;
        return { answer: await alice.call('PUT', path, { role: 'member' }), target: BOB };
      },
      { role: 'member' },
    ],
    [
      'member.role_changed',
      async () => {
        const path = `/kbs/${kbId}/members/${BOB}`;
        await alice.call('PUT', path, { role: 'member' });
        return { answer: await alice.call('PUT', path, { role: 'owner' }), target: BOB };
      },
      { role: 'owner' },
    ],
    [
      'member.removed',
      async () => {
        const path = `/kbs/${kbId}/members/${BOB}`;
        await alice.call('PUT', path, { role: 'member' });
        return { answer: await alice.call('DELETE', path), target: BOB };
      },
      {},
    ],
    [
      'document.added',
      async () => {
        const answer = await alice.post<Document>(`/kbs/${kbId}/documents`, document());
        return { answer, target: answer.body.id };
      },
      { title: 'T' },
    ],
    [
      'document.replaced',
      async () => {
        const { id } = await alice.addDocument(kbId, document());
        const body = document({ text: 'Other.', on_duplicate: 'replace' });
        return { answer: await alice.post(`/kbs/${kbId}/documents`, body), target: id };
      },
      { title: 'T' },
    ],
    [
      'document.deleted',
      async () => {
        const { id } = await alice.addDocument(kbId, document());
        return { answer: await alice.call('DELETE', `/documents/${id}`), target: id };
      },
      { title: 'T' },
    ],
    [
      'knowledge_base.updated',
      async () => ({
        answer: await alice.call('PATCH', `/kbs/${kbId}`, { name: 'Renamed' }),
        target: kbId,
      }),
      { fields: ['name'] },
    ],
  ];

  it.each(changes)('has one %s of the change, with who, what and which request', async (...of) => {
    const [action, change, details] = of;
    const { answer, target } = await change();
    expect(answer.status).toBeLessThan(300);
    const requestId = answer.headers.get('x-request-id');
    const found = (await events()).filter((event) => event.request_id === requestId);
    expect(found).toEqual([
      {
        id: expect.stringMatching(/^audit_[0-9a-z]{26}$/),
        kb_id: kbId,
        actor: ALICE,
        action,
        target_id: target,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        request_id: requestId,
        details: expect.objectContaining(details),
      },
    ]);
    expect((await events()).filter((event) => event.action === action)).toHaveLength(1);
  });

  it('names who acted, and keeps the request id that they sent', async () => {
    await alice.call('PUT', `/kbs/${kbId}/members/${BOB}`, { role: 'member' });
    const body = { name: 'Bob’s', environment: 'test' };
    await bob.post(`/kbs/${kbId}/api-keys`, body, { 'x-request-id': 'ticket-4711' });
    expect((await events())[0]).toMatchObject({
      actor: BOB,
      action: 'api_key.created',
      request_id: 'ticket-4711',
    });
  });

  it('has the newest first and is read page by page', async () => {
    for (let n = 0; n < 5; n++) await newKey();
    const all = await events();
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    const first = (await page('?limit=2')).body;
    const second = (await page(`?limit=4&cursor=${String(first.next_cursor)}`)).body;
    expect([...first.data, ...second.data]).toEqual(all);
    expect(first).toMatchObject({ total: 6, has_more: true });
  });

  it('has one event for parallel attempts, not one for each', async () => {
    const [revoked, rotated, deleted] = [await newKey(), await newKey(), await newKey()];
    const before = (await events()).length;
    await atOnce(10, () => alice.call('PATCH', `/api-keys/${revoked.id}/revoke`));
    await atOnce(10, () => alice.post(`/api-keys/${rotated.id}/rotate`, {}));
    await atOnce(10, () => alice.call('DELETE', `/api-keys/${deleted.id}`));
    await atOnce(10, () =>
      alice.post(`/kbs/${kbId}/documents`, document(), { 'idempotency-key': 'd' }),
    );
    const fresh = (await events()).slice(0, -before).map(({ action }) => action);
    expect(fresh.sort()).toEqual([
      'api_key.deleted',
      'api_key.revoked',
      'api_key.rotated',
      'document.added',
    ]);
  });

  it('has nothing of what was refused or changed nothing', async () => {
    const { id } = await newKey();
    const revoked = await newKey();
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await alice.call('PUT', `/kbs/${kbId}/members/${BOB}`, { role: 'member' });
    const added = await alice.addDocument(kbId, document());
    const before = await events();
    const documents = `/kbs/${kbId}/documents`;
    const answers = [
      await alice.post(`/kbs/${kbId}/api-keys`, { name: '', environment: 'live' }),
      await alice.call('PATCH', `/api-keys/${id}`, { state: 'active' }),
      await alice.call('PATCH', `/api-keys/${id}`, {}),
      await alice.post(`/api-keys/${id}/rotate`, { grace_period_seconds: -1 }),
      await alice.post(`/api-keys/${revoked.id}/rotate`, {}),
      await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`),
      await new Client(service, MALLORY).call('DELETE', `/api-keys/${id}`),
      await new Client(service, MALLORY).call('PATCH', `/api-keys/${id}/revoke`),
      await new Client(service).call('DELETE', `/api-keys/${id}`),
      await bob.call('PUT', `/kbs/${kbId}/members/${MALLORY}`, { role: 'owner' }),
      await bob.call('DELETE', `/kbs/${kbId}`),
      await alice.call('PUT', `/kbs/${kbId}/members/${BOB}`, { role: 'member' }),
      await alice.call('DELETE', `/kbs/${kbId}/members/nobody`),
      await alice.call('DELETE', `/kbs/${kbId}/members/${ALICE}`),
      await alice.post(documents, document()),
      await alice.post(documents, document({ on_duplicate: 'skip' })),
      await new Client(service, MALLORY).call('DELETE', `/documents/${added.id}`),
    ];
    expect(answers).toHaveLength(17);
    expect(await events()).toEqual(before);
  });

  it('has nothing of a change of the knowledge base to what it was', async () => {
    const answer = await alice.call('PATCH', `/kbs/${kbId}`, {});
    expect([answer.status, (await events()).length]).toEqual([200, 1]);
  });

  it('holds no secret', async () => {
    const key = await newKey();
    const rotated = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
    await alice.call('PATCH', `/api-keys/${key.id}`, { name: rotated.body.api_key });
    await alice.call('DELETE', `/api-keys/${rotated.body.id}`);
    const { text } = await page();
    for (const { api_key } of [key, rotated.body]) {
      expect(text).toContain(key.prefix);
      expect(text).not.toContain(api_key.slice(-38));
    }
    expect(text).not.toMatch(/\$2[aby]\$|hash|pepper/);
  });

  it('is read by members, and nobody else', async () => {
    const stranger = await page('', bob);
    expect(outcome(stranger)).toBe('404 not_found');
    await alice.call('PUT', `/kbs/${kbId}/members/${BOB}`, { role: 'member' });
    expect((await page('', bob)).body.data).toHaveLength(2);
    const other = await alice.createKnowledgeBase();
    await alice.createApiKey(other.id);
    expect((await page('', bob)).body.total).toBe(2);
    expect(outcome(await page('', new Client(service)))).toBe(
      '401 dashboard_authentication_required',
    );
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is not changed by %s', async (method) => {
    await newKey();
    const path = `/kbs/${kbId}/audit-events`;
    const answer = await alice.call(method, path, method === 'DELETE' ? undefined : {});
    expect(outcome(answer)).toBe('405 method_not_allowed');
    expect((await page()).body.total).toBe(2);
  });
});
