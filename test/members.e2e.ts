import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from './support/client.js';
import { Service } from './support/service.js';

interface Member {
  user_id: string;
  role: string;
}

describe('the members of a knowledge base', () => {
  let service: Service;
  let alice: Client;
  let bob: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
    bob = new Client(service, 'bob');
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(() => service.stop());

  const put = (as: Client, userId: string, role: unknown) =>
    as.call<Member>('PUT', `/kbs/${kbId}/members/${encodeURIComponent(userId)}`, { role });
  const remove = (as: Client, userId: string) =>
    as.call<object>('DELETE', `/kbs/${kbId}/members/${encodeURIComponent(userId)}`);
  const roles = async () => {
    const { body } = await alice.get<Page<Member>>(`/kbs/${kbId}/members`);
    return Object.fromEntries(body.data.map(({ user_id, role }) => [user_id, role]));
  };

  it('begin with the creator, as owner', async () => {
    expect(await roles()).toEqual({ alice: 'owner' });
    expect((await alice.get<object>(`/kbs/${kbId}`)).body).toMatchObject({ role: 'owner' });
  });

  it('are added, changed and removed by owners', async () => {
    const added = await put(alice, 'bob', 'member');
    expect([added.status, added.body]).toMatchObject([200, { user_id: 'bob', role: 'member' }]);
    expect((await bob.get<object>(`/kbs/${kbId}`)).body).toMatchObject({ role: 'member' });

    expect((await put(alice, 'bob', 'owner')).body).toMatchObject({ role: 'owner' });
    expect(outcome(await put(bob, 'carol', 'member'))).toBe('200');
    expect(await roles()).toEqual({ alice: 'owner', bob: 'owner', carol: 'member' });

    const removed = await remove(alice, 'carol');
    expect([removed.status, removed.body]).toEqual([200, { success: true }]);
    expect(outcome(await remove(alice, 'carol'))).toBe('404 not_found');
    expect(await roles()).toEqual({ alice: 'owner', bob: 'owner' });
  });

  it('use the knowledge base, but do not rule it', async () => {
    await put(alice, 'bob', 'member');
    const key = await bob.createApiKey(kbId);
    expect(key.created_by).toBe('bob');
    expect((await bob.addDocument(kbId, { title: 'Mine', text: 'All mine.' })).status).toBe(
      'ready',
    );
    const refused = [
      await put(bob, 'carol', 'member'),
      await put(bob, 'bob', 'owner'),
      await remove(bob, 'alice'),
      await bob.call('DELETE', `/kbs/${kbId}`),
    ];
    expect(refused.map(outcome)).toEqual(refused.map(() => '403 owner_required'));
    expect(await roles()).toEqual({ alice: 'owner', bob: 'member' });
  });

  it('keep their last owner', async () => {
    await put(alice, 'bob', 'member');
    expect(outcome(await remove(alice, 'alice'))).toBe('409 last_owner');
    expect(outcome(await put(alice, 'alice', 'member'))).toBe('409 last_owner');
    expect(await roles()).toEqual({ alice: 'owner', bob: 'member' });

    await put(alice, 'bob', 'owner');
    expect(outcome(await remove(alice, 'alice'))).toBe('200');
    expect(outcome(await alice.get(`/kbs/${kbId}`))).toBe('404 not_found');
  });

  it.each(['leave', 'step down'])('keep an owner when the last two %s at once', async (way) => {
    const go = (as: Client, userId: string) =>
      way === 'leave' ? remove(as, userId) : put(as, userId, 'member');
    for (let round = 0; round < 10; round++) {
      kbId = (await alice.createKnowledgeBase()).id;
      await put(alice, 'bob', 'owner');
      const answers = await Promise.all([go(alice, 'alice'), go(bob, 'bob')]);
      expect(answers.map(outcome).sort()).toEqual(['200', '409 last_owner']);
    }
  });

  it('are whoever the header can name', async () => {
    const ids = ['auth0|5f7c8ec7', 'a/b?c=d#e%2F', 'x'.repeat(255), '"<>\\^`{|}~', 'ALICE'];
    const answers = await Promise.all(ids.map((id) => put(alice, id, 'member')));
    expect(answers.map(outcome)).toEqual(ids.map(() => '200'));
    expect(Object.keys(await roles()).sort()).toEqual([...ids, 'alice'].sort());
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
  ])('are nobody %s, whom no header can name', async (_, id) => {
    expect(outcome(await put(alice, id, 'member'))).toBe('400 validation_failed');
    expect(await roles()).toEqual({ alice: 'owner' });
  });

  it.each([undefined, null, '', 'admin', 'OWNER', ['owner'], 1])(
    'have no role %j',
    async (role) => {
      expect(outcome(await put(alice, 'bob', role))).toBe('400 validation_failed');
      expect(await roles()).toEqual({ alice: 'owner' });
    },
  );
});
