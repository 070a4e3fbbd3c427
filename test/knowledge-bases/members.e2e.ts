import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');
const BOB = newUserId('bob');
const CAROL = newUserId('carol');

interface Member {
  user_id: string;
  role: string;
}

describe('the members of a knowledge base', () => {
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

  const put = (as: Client, userId: string, role: unknown) =>
    as.call<Member>('PUT', `/kbs/${kbId}/members/${encodeURIComponent(userId)}`, { role });
  const remove = (as: Client, userId: string) =>
    as.call<object>('DELETE', `/kbs/${kbId}/members/${encodeURIComponent(userId)}`);
  const roles = async () => {
    const { body } = await alice.get<Page<Member>>(`/kbs/${kbId}/members`);
    return Object.fromEntries(body.data.map(({ user_id, role }) => [user_id, role]));
  };

  it('begin with the creator, as owner', async () => {
    expect(await roles()).toEqual({ [ALICE]: 'owner' });
    expect((await alice.get<object>(`/kbs/${kbId}`)).body).toMatchObject({ role: 'owner' });
  });

  it('are added, changed and removed by owners', async () => {
    const added = await put(alice, BOB, 'member');
    expect([added.status, added.body]).toMatchObject([200, { user_id: BOB, role: 'member' }]);
    expect((await bob.get<object>(`/kbs/${kbId}`)).body).toMatchObject({ role: 'member' });

    expect((await put(alice, BOB, 'owner')).body).toMatchObject({ role: 'owner' });
    expect(outcome(await put(bob, CAROL, 'member'))).toBe('200');
    expect(await roles()).toEqual({ [ALICE]: 'owner', [BOB]: 'owner', [CAROL]: 'member' });

    const removed = await remove(alice, CAROL);
    expect([removed.status, removed.body]).toEqual([200, { success: true }]);
    expect(outcome(await remove(alice, CAROL))).toBe('404 not_found');
    expect(await roles()).toEqual({ [ALICE]: 'owner', [BOB]: 'owner' });
  });

  it('can use the knowledge base, but not manage it', async () => {
    await put(alice, BOB, 'member');
    const key = await bob.createApiKey(kbId);
    expect(key.created_by).toBe(BOB);
    expect((await bob.addDocument(kbId, { title: 'Mine', text: 'All mine.' })).status).toBe(
      'ready',
    );
    const refused = [
      await put(bob, CAROL, 'member'),
      await put(bob, BOB, 'owner'),
      await remove(bob, ALICE),
      await bob.call('DELETE', `/kbs/${kbId}`),
    ];
    expect(refused.map(outcome)).toEqual(refused.map(() => '403 owner_required'));
    expect(await roles()).toEqual({ [ALICE]: 'owner', [BOB]: 'member' });
  });

  it.each(['viewer', 'member', 'owner'])('may leave, as %s', async (role) => {
    await put(alice, BOB, role);
    expect(outcome(await remove(bob, BOB))).toBe('200');
    expect(outcome(await bob.get(`/kbs/${kbId}`))).toBe('404 not_found');
    expect(outcome(await remove(bob, BOB))).toBe('404 not_found');
    expect(await roles()).toEqual({ [ALICE]: 'owner' });
    const events = await alice.get<Page<object>>(`/kbs/${kbId}/audit-events?action=member.removed`);
    expect(events.body.data).toMatchObject([{ actor: BOB, target_id: BOB }]);
  });

  it.each([
    ['viewer', '403 insufficient_role'],
    ['member', '403 owner_required'],
  ])('may, as %s, remove nobody else', async (role, refusal) => {
    await put(alice, BOB, role);
    await put(alice, CAROL, 'viewer');
    for (const other of [ALICE, CAROL, newUserId('nobody'), `${BOB}.x`]) {
      expect(outcome(await remove(bob, other))).toBe(refusal);
    }
    expect(outcome(await put(bob, BOB, 'owner'))).toBe(refusal);
    expect(await roles()).toEqual({ [ALICE]: 'owner', [BOB]: role, [CAROL]: 'viewer' });
  });

  it('keep their last owner', async () => {
    await put(alice, BOB, 'member');
    expect(outcome(await remove(alice, ALICE))).toBe('409 last_owner');
    expect(outcome(await put(alice, ALICE, 'member'))).toBe('409 last_owner');
    expect(await roles()).toEqual({ [ALICE]: 'owner', [BOB]: 'member' });

    await put(alice, BOB, 'owner');
    expect(outcome(await remove(alice, ALICE))).toBe('200');
    expect(outcome(await alice.get(`/kbs/${kbId}`))).toBe('404 not_found');
  });

  it.each(['leave', 'step down'])('keep an owner when the last two %s at once', async (way) => {
    const go = (as: Client, userId: string) =>
      way === 'leave' ? remove(as, userId) : put(as, userId, 'member');
    for (let round = 0; round < 10; round++) {
      kbId = (await alice.createKnowledgeBase()).id;
      await put(alice, BOB, 'owner');
      const answers = await Promise.all([go(alice, ALICE), go(bob, BOB)]);
      expect(answers.map(outcome).sort()).toEqual(['200', '409 last_owner']);
    }
  });

  it('may be anybody whom the header can name', async () => {
    const ids = ['auth0|5f7c8ec7', 'a/b?c=d#e%2F', 'x'.repeat(255), '"<>\\^`{|}~', `${ALICE}.x`];
    const answers = await Promise.all(ids.map((id) => put(alice, id, 'member')));
    expect(answers.map(outcome)).toEqual(ids.map(() => '200'));
    expect(Object.keys(await roles()).sort()).toEqual([...ids, ALICE].sort());
    for (const id of ids) {
      expect(outcome(await new Client(service, id).get(`/kbs/${kbId}`))).toBe('200');
      expect(outcome(await remove(alice, id))).toBe('200');
    }
  });

  it.each([
    ['256 characters long', 'x'.repeat(256)],
    ['with a comma', 'bob,carol'],
    ['with a space', 'bob carol'],
    ['not ASCII', 'bób'],
    ['with a control character', 'bob\u0001'],
  ])('cannot have an id %s, which no header can name', async (_, id) => {
    expect(outcome(await put(alice, id, 'member'))).toBe('400 validation_failed');
    expect(await roles()).toEqual({ [ALICE]: 'owner' });
  });

  it.each([undefined, null, '', 'admin', 'OWNER', ['owner'], 1])(
    'have no role %j',
    async (role) => {
      expect(outcome(await put(alice, BOB, role))).toBe('400 validation_failed');
      expect(await roles()).toEqual({ [ALICE]: 'owner' });
    },
  );
});
