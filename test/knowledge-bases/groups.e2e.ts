import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AuditEvent,
  Client,
  type KnowledgeBase,
  outcome,
  type Page,
} from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');

describe('a group as a member', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;
  let BOB: string;
  let SUPPORT: string;
  let SALES: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    BOB = newUserId('bob');
    SUPPORT = newUserId('Vertrieb, Süd / 法務');
    SALES = newUserId('sales');
  });

  const bobIn = (...groups: string[]) => new Client(service, BOB, groups);
  const memberPath = (id: string) => `/kbs/${kbId}/members/${encodeURIComponent(id)}`;
  const put = (id: string, role: string, as = alice) => as.call('PUT', memberPath(id), { role });
  const rename = async (as: Client) =>
    outcome(await as.call('PATCH', `/kbs/${kbId}`, { name: 'Renamed' }));
  const listed = async (as: Client) =>
    (await as.get<Page<KnowledgeBase>>('/kbs')).body.data.map(({ id, role }) => [id, role]);

  it('opens the knowledge base to its members, and to nobody else', async () => {
    expect(outcome(await bobIn(SUPPORT).get(`/kbs/${kbId}`))).toBe('404 not_found');
    expect((await put(`group:${SUPPORT}`, 'member')).body).toMatchObject({
      user_id: `group:${SUPPORT}`,
      role: 'member',
    });
    expect(await rename(bobIn(SALES, SUPPORT))).toBe('200');
    expect(await listed(bobIn(SUPPORT))).toEqual([[kbId, 'member']]);

    const others = [bobIn(), bobIn(SALES), bobIn(SUPPORT.toUpperCase()), bobIn(`group:${SUPPORT}`)];
    for (const other of others) {
      expect(outcome(await other.get(`/kbs/${kbId}`))).toBe('404 not_found');
      expect(await listed(other)).toEqual([]);
    }
  });

  it('gives the highest role of user and groups', async () => {
    await put(BOB, 'viewer');
    await put(`group:${SALES}`, 'member');
    await put(`group:${SUPPORT}`, 'owner');
    const roleIn = async (...groups: string[]) =>
      (await bobIn(...groups).get<KnowledgeBase>(`/kbs/${kbId}`)).body.role;
    expect(await roleIn()).toBe('viewer');
    expect(await roleIn(SALES)).toBe('member');
    expect(await roleIn(SUPPORT, SALES)).toBe('owner');
    expect(await rename(bobIn())).toBe('403 insufficient_role');
    expect(await rename(bobIn(SALES))).toBe('200');
    expect(await listed(bobIn(SALES))).toEqual([[kbId, 'member']]);
    expect(outcome(await put('carol', 'viewer', bobIn(SALES)))).toBe('403 owner_required');
    expect(outcome(await put('carol', 'viewer', bobIn(SUPPORT)))).toBe('200');
  });

  it('is the same in each spelling of Unicode', async () => {
    await put(`group:${SALES}-Cafe\u0301`, 'viewer');
    await put(`group:${SALES}-Caf\u00e9`, 'member');
    expect(await listed(bobIn(`${SALES}-Cafe\u0301`))).toEqual([[kbId, 'member']]);
  });

  it('ends with the next request', async () => {
    await put(`group:${SUPPORT}`, 'owner');
    const bob = bobIn(SUPPORT);
    expect(await rename(bob)).toBe('200');
    await alice.call('DELETE', memberPath(`group:${SUPPORT}`));
    expect(await rename(bob)).toBe('404 not_found');
    const { body } = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events?limit=1`);
    expect(body.data).toMatchObject([{ action: 'member.removed', target_id: `group:${SUPPORT}` }]);
  });

  it('ends for changes that run: none is made after the removal’s answer', async () => {
    const late: string[] = [];
    for (let round = 0; round < repetitions(10, 2000); round++) {
      await put(`group:${SUPPORT}`, 'member');
      const bob = bobIn(SUPPORT);
      const change = (index: number) =>
        bob.call('PATCH', `/kbs/${kbId}`, { name: `${round}-${index}` });
      const before = [0, 1, 2, 3].map(change);
      if (round % 2 === 1) await Promise.race(before);
      const removal = alice.call('DELETE', memberPath(`group:${SUPPORT}`));
      const meanwhile = [4, 5].map(change);
      expect(outcome(await removal)).toBe('200');
      const nameOf = async () => (await alice.get<KnowledgeBase>(`/kbs/${kbId}`)).body.name;
      const name = await nameOf();
      await Promise.all([...before, ...meanwhile, change(6)]);
      if ((await nameOf()) !== name) late.push(name);
    }
    expect(late).toEqual([]);
  });

  it('cannot be left, but is removed by owners', async () => {
    await put(`group:${SUPPORT}`, 'member');
    const bob = bobIn(SUPPORT);
    const removal = await bob.call('DELETE', memberPath(`group:${SUPPORT}`));
    expect(outcome(removal)).toBe('403 owner_required');
    expect(outcome(await bob.call('DELETE', memberPath(BOB)))).toBe('404 not_found');
    expect(await rename(bob)).toBe('200');
  });

  it('is not the last owner, since it may be empty', async () => {
    await put(`group:${SUPPORT}`, 'owner');
    expect(outcome(await alice.call('DELETE', memberPath(ALICE)))).toBe('409 last_owner');
    expect(outcome(await put(ALICE, 'member', bobIn(SUPPORT)))).toBe('409 last_owner');
    expect(outcome(await alice.call('DELETE', memberPath(`group:${SUPPORT}`)))).toBe('200');
  });

  it('still reads the events of what it owned', async () => {
    await put(`group:${SUPPORT}`, 'owner');
    await alice.call('DELETE', `/kbs/${kbId}`);
    const eventsFor = async (as: Client) =>
      (await as.get<Page<AuditEvent>>(`/audit-events?kb_id=${kbId}`)).body.data.length;
    expect(await eventsFor(bobIn(SUPPORT))).toBeGreaterThan(0);
    expect(await eventsFor(bobIn(SALES))).toBe(0);
  });

  it('may be one of 500', async () => {
    await put(`group:${SUPPORT}`, 'member');
    const names = Array.from({ length: 499 }, (_, index) => `g${index}`);
    expect(await rename(bobIn(...names, SUPPORT))).toBe('200');
    expect(await listed(bobIn(...names, SUPPORT))).toEqual([[kbId, 'member']]);
    expect(outcome(await bobIn(...names, 'one more', SUPPORT).get('/kbs'))).toBe(
      '400 invalid_groups',
    );
  });

  it.each(['group:', 'group:a\0', `group:${'x'.repeat(256)}`])('is not %j', async (id) => {
    expect(outcome(await put(id, 'viewer'))).toBe('400 validation_failed');
  });

  it('is no user, whatever the header says', async () => {
    await put(`group:${SALES}`, 'owner');
    const group = new Client(service, `group:${SALES}`);
    expect(outcome(await group.get(`/kbs/${kbId}`))).toBe('400 invalid_user_id');
  });
});
