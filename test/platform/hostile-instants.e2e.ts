import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey, outcome } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

/** Well-formed, and outside of the years 0001 to 9999 in UTC or in the time zone. */
const BEYOND = [
  ['9999-12-31T23:59:59-01:00', 'UTC'],
  ['0000-06-01T00:00:00Z', 'UTC'],
  ['0000-06-01', 'UTC'],
  ['0001-01-01T00:00:00+14:00', 'UTC'],
  ['9999-12-31T23:00:00Z', 'Asia/Tokyo'],
  ['0001-01-01', 'Asia/Tokyo'],
  ['0001-01-01T00:00:00Z', 'America/New_York'],
] as const;

describe('instants beyond years of four digits', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
  });

  it.each(BEYOND)('are refused by reports: %s in %s', async (instant, timezone) => {
    for (const report of [
      'analytics',
      'analytics/unanswered',
      'analytics/top-documents',
      'stale-documents',
      'gaps',
    ]) {
      for (const name of ['from', 'to']) {
        const query = new URLSearchParams({ timezone, [name]: instant }).toString();
        const answer = await alice.get(`/kbs/${kbId}/${report}?${query}`);
        expect([report, name, outcome(answer)]).toEqual([report, name, '400 validation_failed']);
      }
      const range = { timezone, from: instant, to: instant };
      const query = new URLSearchParams(range).toString();
      expect(outcome(await alice.get(`/kbs/${kbId}/${report}?${query}`))).toBe(
        '400 validation_failed',
      );
    }
  });

  it.each(['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+14:00', '0000-06-01'])(
    'are refused by the list of conversations: %s',
    async (instant) => {
      for (const name of ['from', 'to']) {
        const query = new URLSearchParams({ [name]: instant }).toString();
        const answer = await alice.get(`/kbs/${kbId}/conversations?${query}`);
        expect(outcome(answer)).toBe('400 validation_failed');
      }
    },
  );

  it('are refused as the end of a key, and the last one before is not', async () => {
    const body = { name: 'Late', environment: 'live' };
    const create = (expires_at: string) =>
      alice.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, { ...body, expires_at });
    expect(outcome(await create('9999-12-31T23:59:59-01:00'))).toBe('400 validation_failed');
    const { status, body: key } = await create('9999-12-31T23:59:59.999Z');
    expect([status, key.expires_at]).toEqual([201, '9999-12-31T23:59:59.999Z']);
    const patched = await alice.call('PATCH', `/api-keys/${key.id}`, {
      expires_at: '9999-12-31T23:59:59-01:00',
    });
    expect(outcome(patched)).toBe('400 validation_failed');
    const rotated = await alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {});
    expect([rotated.status, rotated.body.expires_at]).toEqual([201, '9999-12-31T23:59:59.999Z']);
    expect((await alice.get(`/kbs/${kbId}/api-keys`)).status).toBe(200);
  });

  it('do not keep reports of the last of those years from being read', async () => {
    const query = 'from=9999-12-01&to=9999-12-31T23:59:59.999Z';
    expect((await alice.get(`/kbs/${kbId}/analytics?${query}`)).status).toBe(200);
  });

  it('do not keep gaps from being read whose time before would begin before them', async () => {
    for (const query of ['from=1000-01-01', 'from=1000-01-01&to=9999-12-31T23:59:59.999Z']) {
      expect(outcome(await alice.get(`/kbs/${kbId}/gaps?${query}`))).toBe('200');
    }
  });
});
