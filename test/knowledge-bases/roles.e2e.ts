import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('a viewer', () => {
  let service: SharedService;
  let alice: Client;
  let vera: Client;
  let kbId: string;
  const VERA = newUserId('vera');

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    vera = new Client(service, VERA);
    kbId = (await alice.createKnowledgeBase()).id;
    const { body } = await alice.call('PUT', `/kbs/${kbId}/members/${VERA}`, { role: 'viewer' });
    expect(body).toMatchObject({ user_id: VERA, role: 'viewer' });
  });

  it('sees the knowledge base, with its role', async () => {
    expect((await vera.get(`/kbs/${kbId}`)).body).toMatchObject({ role: 'viewer' });
    expect((await vera.get<{ data: object[] }>('/kbs')).body.data).toMatchObject([
      { role: 'viewer' },
    ]);
  });

  it('is refused before the body is read', async () => {
    for (const [method, path] of [
      ['PATCH', `/kbs/${kbId}`],
      ['PATCH', `/kbs/${kbId}/settings`],
      ['POST', `/kbs/${kbId}/api-keys`],
      ['POST', `/kbs/${kbId}/documents`],
      ['PUT', `/kbs/${kbId}/members/${VERA}`],
      ['DELETE', `/kbs/${kbId}`],
    ] as const) {
      expect(outcome(await vera.call(method, path, '{ not json'))).toBe('403 insufficient_role');
    }
  });

  it('may leave and read no more; made a member, they change', async () => {
    await alice.call('PUT', `/kbs/${kbId}/members/${VERA}`, { role: 'member' });
    expect(outcome(await vera.call('PATCH', `/kbs/${kbId}`, { name: 'Changed' }))).toBe('200');
    await alice.call('PUT', `/kbs/${kbId}/members/${VERA}`, { role: 'viewer' });
    expect(outcome(await vera.call('PATCH', `/kbs/${kbId}`, { name: 'Again' }))).toBe(
      '403 insufficient_role',
    );
    await alice.call('DELETE', `/kbs/${kbId}/members/${VERA}`);
    expect(outcome(await vera.get(`/kbs/${kbId}`))).toBe('404 not_found');
  });

  it.each(['admin', 'Viewer', '', null])('%j is no role', async (role) => {
    const answer = await alice.call('PUT', `/kbs/${kbId}/members/${VERA}`, { role });
    expect(outcome(answer)).toBe('400 validation_failed');
  });
});
