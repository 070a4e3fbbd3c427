import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  atOnce,
  type AuditEvent,
  Client,
  outcome,
  type Page,
} from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { databaseTime, sql } from '../support/sql.js';

const DAY_MS = 24 * 60 * 60 * 1000;

type Trail = Answer<Page<AuditEvent>>;

describe('the audit of all knowledge bases', () => {
  let service: SharedService;

  beforeAll(async () => {
    service = await sharedService();
  });

  const as = (userId: string) => new Client(service, userId);
  const trail = (userId: string, search = '') =>
    as(userId).get(`/audit-events?limit=100${search}`) as Promise<Trail>;
  const actions = ({ body }: Trail) => body.data.map(({ action }) => action);
  const purged = (kbId: string) =>
    eventually(async () => {
      const rows = await sql(
        service.environment,
        `SELECT 1 FROM knowledge_bases WHERE id = '${kbId}'`,
      );
      return rows.length === 0;
    });

  it('begins with the creation of a knowledge base, and ends with its deletion', async () => {
    const alice = newUserId('alice');
    const created = await as(alice).post<{ id: string }>('/kbs', { name: 'Handbook' });
    const kbId = created.body.id;
    await as(alice).createApiKey(kbId);
    const deleted = await as(alice).call('DELETE', `/kbs/${kbId}`);
    const event = (action: string, answer: Answer<unknown>) => ({
      id: expect.stringMatching(/^audit_[0-9a-z]{26}$/),
      kb_id: kbId,
      actor: alice,
      action,
      target_id: kbId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request_id: answer.headers.get('x-request-id'),
      details: { name: 'Handbook' },
    });
    const { body } = await trail(alice);
    expect(body.data).toEqual([
      event('knowledge_base.deleted', deleted),
      expect.objectContaining({ action: 'api_key.created', kb_id: kbId }),
      event('knowledge_base.created', created),
    ]);
    expect(body).toMatchObject({ total: 3, has_more: false });
  });

  it('is there when every row of the deleted knowledge base is gone', async () => {
    const alice = newUserId('alice');
    const { id } = await as(alice).createKnowledgeBase();
    await as(alice).call('DELETE', `/kbs/${id}`);
    await purged(id);
    expect(actions(await trail(alice))).toEqual([
      'knowledge_base.deleted',
      'knowledge_base.created',
    ]);
    expect(outcome(await as(alice).get(`/kbs/${id}/audit-events`))).toBe('404 not_found');
  });

  it('has one creation and one deletion of what was done at once or repeated', async () => {
    const alice = newUserId('alice');
    const answers = await atOnce(5, () =>
      as(alice).post<{ id: string }>('/kbs', { name: 'Once' }, { 'idempotency-key': 'once' }),
    );
    await atOnce(5, () => as(alice).call('DELETE', `/kbs/${String(answers[0]?.body.id)}`));
    expect(actions(await trail(alice))).toEqual([
      'knowledge_base.deleted',
      'knowledge_base.created',
    ]);
  });

  it('is visible to owners: present ones, and those at the time of the deletion', async () => {
    const [alice, bob, carol, dan, mallory] = ['a', 'b', 'c', 'd', 'm'].map(newUserId) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const { id } = await as(alice).createKnowledgeBase();
    const put = (who: string, role: string) =>
      as(alice).call('PUT', `/kbs/${id}/members/${who}`, { role });
    await put(bob, 'owner');
    await put(carol, 'member');
    await put(dan, 'owner');
    expect((await trail(dan)).body.total).toBe(4);
    await as(alice).call('DELETE', `/kbs/${id}/members/${dan}`);
    const seen = async () => {
      const totals: number[] = [];
      for (const who of [alice, bob, carol, dan, mallory]) {
        const all = await trail(who);
        const one = await trail(who, `&kb_id=${id}`);
        expect(one.body).toEqual(all.body);
        totals.push(all.body.total);
      }
      return totals;
    };
    expect(await seen()).toEqual([5, 5, 0, 0, 0]);
    await as(alice).call('DELETE', `/kbs/${id}`);
    expect(await seen()).toEqual([6, 6, 0, 0, 0]);
    await purged(id);
    expect(await seen()).toEqual([6, 6, 0, 0, 0]);
  });

  it('is filtered by knowledge base, actor, action and time, alone and together', async () => {
    const [alice, bob] = [newUserId('alice'), newUserId('bob')];
    const first = await as(alice).createKnowledgeBase('First');
    await as(alice).call('PUT', `/kbs/${first.id}/members/${bob}`, { role: 'owner' });
    await as(bob).createApiKey(first.id);
    const second = await as(alice).createKnowledgeBase('Second');
    await as(alice).createApiKey(second.id);
    const all = (await trail(alice)).body.data;
    expect(all).toHaveLength(5);
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());

    const filtered = async (search: string) => (await trail(alice, `&${search}`)).body.data;
    const where = (keep: (event: (typeof all)[number]) => boolean) => all.filter(keep);
    expect(await filtered(`kb_id=${first.id}`)).toEqual(where((one) => one.kb_id === first.id));
    expect(await filtered(`actor=${bob}`)).toEqual(where((one) => one.actor === bob));
    const created = where((one) => one.action === 'api_key.created');
    expect(await filtered('action=api_key.created')).toEqual(created);
    expect(await filtered(`action=api_key.created&actor=${alice}&kb_id=${second.id}`)).toEqual(
      created.filter((one) => one.actor === alice),
    );
    expect(await filtered('action=document.added')).toEqual([]);
    const middle = String(all[2]?.created_at);
    expect(await filtered(`from=${middle}`)).toEqual(where((one) => one.created_at >= middle));
    expect(await filtered(`to=${middle}`)).toEqual(where((one) => one.created_at < middle));
    expect(await filtered(`from=${middle}&to=${middle}`)).toEqual([]);

    type One = Page<AuditEvent>;
    const inOne = async (search: string) =>
      (await as(bob).get<One>(`/kbs/${first.id}/audit-events?${search}`)).body.data;
    const ofFirst = where((one) => one.kb_id === first.id);
    expect(await inOne('')).toEqual(ofFirst);
    expect(await inOne(`actor=${bob}`)).toEqual(ofFirst.filter((one) => one.actor === bob));
    expect(await inOne('action=member.added')).toEqual(
      ofFirst.filter((one) => one.action === 'member.added'),
    );
    expect(await inOne(`from=${middle}`)).toEqual(
      ofFirst.filter((one) => one.created_at >= middle),
    );
  });

  it('is read page by page, filters kept', async () => {
    const alice = newUserId('alice');
    for (let n = 0; n < 3; n++) await as(alice).createKnowledgeBase();
    await as(alice).createApiKey((await as(alice).createKnowledgeBase()).id);
    const search = 'action=knowledge_base.created&limit=3';
    const first = (await as(alice).get<Page<AuditEvent>>(`/audit-events?${search}`)).body;
    expect([first.data.length, first.total, first.has_more]).toEqual([3, 4, true]);
    const cursor = String(first.next_cursor);
    const second = await as(alice).get<Page<AuditEvent>>(
      `/audit-events?${search}&cursor=${cursor}`,
    );
    const all = (await trail(alice, '&action=knowledge_base.created')).body.data;
    expect([...first.data, ...second.body.data]).toEqual(all);
  });

  it.each([
    ['kb_id', 'kb_id=nonsense'],
    ['action', 'action=api_key.eaten'],
    ['actor', 'actor='],
    ['from', 'from=yesterday'],
    ['to', 'to=2026-13-01'],
    ['from', 'from=2026-02-01&to=2026-01-01'],
    ['target', 'target=x'],
  ])('names a bad %s', async (field, search) => {
    const alice = as(newUserId('alice'));
    const { id } = await alice.createKnowledgeBase();
    for (const path of ['/audit-events', `/kbs/${id}/audit-events`]) {
      const answer = await alice.get(`${path}?${search}`);
      expect(outcome(answer)).toBe('400 validation_failed');
      const { errors } = answer.body as { errors: { field: string }[] };
      expect(errors.map((one) => one.field)).toEqual([field]);
    }
  });
});

describe('AUDIT_RETENTION_DAYS', () => {
  it('is how long events outlive their knowledge base', async () => {
    const service = await Service.start({ AUDIT_RETENTION_DAYS: '7' });
    const alice = new Client(service, 'alice');
    const [kept, old, alive] = [
      await alice.createKnowledgeBase('Kept'),
      await alice.createKnowledgeBase('Old'),
      await alice.createKnowledgeBase('Alive'),
    ];
    for (const { id } of [kept, old]) await alice.call('DELETE', `/kbs/${id}`);
    const age = (id: string, days: number) =>
      sql(
        service.environment,
        `UPDATE former_owners SET deleted_at = ${databaseTime(-days * DAY_MS)} WHERE kb_id = '${id}'`,
      );
    await age(kept.id, 6.9);
    await age(old.id, 7.1);
    await sql(service.environment, `UPDATE events SET created_at = ${databaseTime(-400 * DAY_MS)}`);
    await service.stop();

    const again = await Service.start({ ...service.environment, AUDIT_RETENTION_DAYS: '7' });
    try {
      const rows = (table: string) =>
        sql<{ kb_id: string }>(again.environment, `SELECT DISTINCT kb_id FROM ${table}`);
      const ids = async (table: string) => (await rows(table)).map(({ kb_id: id }) => id).sort();
      await eventually(async () => (await ids('former_owners')).length === 1);
      expect(await ids('former_owners')).toEqual([kept.id]);
      expect(await ids('events')).toEqual([kept.id, alive.id].sort());
    } finally {
      await again.stop();
    }
  });
});
