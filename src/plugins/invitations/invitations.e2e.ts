import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type AuditEvent,
  Client,
  outcome,
  outcomes,
  type Page,
  type Problem,
} from '../../../test/support/client.js';
import { withPlugins } from '../../../test/support/requirement.js';
import { databaseTime, sql } from '../../../test/support/sql.js';
import {
  newUserId,
  type SharedService,
  sharedService,
} from '../../../test/support/shared-service.js';
import type {
  AcceptedInvitationDto,
  CreatedInvitationDto,
  InvitationDto,
  InvitationPreviewDto,
} from './invitation.dto.js';

interface Member {
  user_id: string;
  role: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

describe('invitations by link', () => {
  let service: SharedService;
  let alice: Client;
  let owner: string;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    owner = newUserId('alice');
    alice = new Client(service, owner);
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const person = (name: string) => {
    const id = newUserId(name);
    return { id, client: new Client(service, id) };
  };
  const invite = async (body: object = {}, by = alice) => {
    const answer = await by.post<CreatedInvitationDto>(`/kbs/${kbId}/invitations`, {
      role: 'member',
      ...body,
    });
    expect(outcome(answer)).toBe('201');
    return { ...answer.body, token: answer.body.url.split('#')[1] ?? '' };
  };
  const accept = (client: Client, token: string) =>
    client.post<AcceptedInvitationDto>('/invitations/accept', { token });
  const preview = (client: Client, token: string) =>
    client.post<InvitationPreviewDto>('/invitations/preview', { token });
  const list = async () =>
    (await alice.get<Page<InvitationDto>>(`/kbs/${kbId}/invitations`)).body.data;
  const stateOf = async (id: string) => (await list()).find((each) => each.id === id)?.state;
  const roleOf = async (userId: string) =>
    (await alice.get<Page<Member>>(`/kbs/${kbId}/members?limit=100`)).body.data.find(
      ({ user_id }) => user_id === userId,
    )?.role;
  const put = (userId: string, role: string) =>
    alice.call('PUT', `/kbs/${kbId}/members/${userId}`, { role });
  const reason = ({ body }: Answer<unknown>) => (body as Problem & { reason?: string }).reason;

  it('shows what it opens, and makes the invited a member', async () => {
    const bob = person('bob');
    const { token, id, url, ...made } = await invite();
    expect(url).toBe(`${service.url}/console/invitation#${token}`);
    expect(made).toMatchObject({ role: 'member', state: 'open', max_uses: 1, uses: 0 });
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(7 * DAY_MS);
    const { body: kb } = await alice.get<{ name: string }>(`/kbs/${kbId}`);
    expect((await preview(bob.client, token)).body).toEqual({
      ...{ kb_id: kbId, kb_name: kb.name, role: 'member', created_by: owner },
      ...{ expires_at: made.expires_at, current_role: null },
    });
    expect(outcome(await bob.client.get(`/kbs/${kbId}`))).toBe('404 not_found');
    const accepted = await accept(bob.client, token);
    expect([accepted.status, accepted.body]).toEqual([200, { kb_id: kbId, role: 'member' }]);
    expect(outcome(await bob.client.get(`/kbs/${kbId}`))).toBe('200');
    expect(await roleOf(bob.id)).toBe('member');
    expect(await stateOf(id)).toBe('used');
  });

  it('lets one in of many who accept at the same time', async () => {
    const people = Array.from({ length: 8 }, (_, index) => person(`crowd-${index}`));
    const { token, id } = await invite();
    const answers = await Promise.all(people.map(({ client }) => accept(client, token)));
    expect(outcomes(answers)).toEqual({ '200': 1, '410 invitation_ended': 7 });
    const roles = await Promise.all(people.map((each) => roleOf(each.id)));
    expect(roles.filter((role) => role !== undefined)).toEqual(['member']);
    expect(await stateOf(id)).toBe('used');
  });

  it('lets in as many as it is for, and counts each once', async () => {
    const [one, other, third] = [person('one'), person('other'), person('third')];
    const { token, id } = await invite({ max_uses: 2, role: 'viewer' });
    const twice = await Promise.all([accept(one.client, token), accept(one.client, token)]);
    expect(outcomes(twice)).toEqual({ '200': 2 });
    expect(outcome(await accept(other.client, token))).toBe('200');
    const refused = await accept(third.client, token);
    expect([outcome(refused), reason(refused)]).toEqual(['410 invitation_ended', 'used']);
    // Whoever has accepted it is not refused for that.
    expect(outcome(await accept(one.client, token))).toBe('200');
    expect((await list()).find((each) => each.id === id)?.uses).toBe(2);
  });

  it('never lowers a role, and raises a lower one', async () => {
    const [bob, carol] = [person('bob'), person('carol')];
    await put(bob.id, 'owner');
    await put(carol.id, 'viewer');
    const { token, id } = await invite();
    expect((await accept(bob.client, token)).body.role).toBe('owner');
    expect([await roleOf(bob.id), await stateOf(id)]).toEqual(['owner', 'open']);
    expect((await accept(carol.client, token)).body.role).toBe('member');
    expect([await roleOf(carol.id), await stateOf(id)]).toEqual(['member', 'used']);
  });

  it('opens nothing once it is withdrawn, has expired, or never was', async () => {
    const { client } = person('late');
    const withdrawn = await invite();
    expect(outcome(await alice.call('DELETE', `/invitations/${withdrawn.id}`))).toBe('200');
    expect(outcome(await alice.call('DELETE', `/invitations/${withdrawn.id}`))).toBe('200');
    const expired = await invite({ valid_days: 1 });
    const past = databaseTime(-1);
    await sql(
      service.environment,
      `UPDATE invitations SET expires_at = ${past} WHERE id = '${expired.id}'`,
    );
    const ended = [
      [withdrawn.token, 'withdrawn'],
      [expired.token, 'expired'],
      ['x'.repeat(43), 'unknown'],
    ] as const;
    for (const [token, why] of ended) {
      for (const answer of [await preview(client, token), await accept(client, token)]) {
        expect([outcome(answer), reason(answer)]).toEqual(['410 invitation_ended', why]);
      }
    }
    expect([await stateOf(withdrawn.id), await stateOf(expired.id)]).toEqual([
      'withdrawn',
      'expired',
    ]);
  });

  it('ends when whoever made it owns the knowledge base no more, or it is deleted', async () => {
    const [bob, carol] = [person('bob'), person('carol')];
    await put(bob.id, 'owner');
    const { token } = await invite({}, bob.client);
    await put(bob.id, 'member');
    const refused = await accept(carol.client, token);
    expect([outcome(refused), reason(refused)]).toEqual(['410 invitation_ended', 'maker_left']);
    expect(reason(await preview(carol.client, token))).toBe('maker_left');
    await put(bob.id, 'owner');
    expect(outcome(await preview(carol.client, token))).toBe('200');

    const other = await alice.createKnowledgeBase();
    const made = await alice.post<CreatedInvitationDto>(`/kbs/${other.id}/invitations`, {
      role: 'viewer',
    });
    await alice.call('DELETE', `/kbs/${other.id}`);
    const lost = await accept(carol.client, made.body.url.split('#')[1] ?? '');
    expect([outcome(lost), reason(lost)]).toEqual(['410 invitation_ended', 'unknown']);
  });

  it('is for owners to make, see and withdraw', async () => {
    const [member, stranger] = [person('member'), person('stranger')];
    await put(member.id, 'member');
    const { id, token } = await invite();
    for (const [client, refusal] of [
      [member.client, '403 owner_required'],
      [stranger.client, '404 not_found'],
    ] as const) {
      const answers = [
        await client.call('POST', `/kbs/${kbId}/invitations`, { role: 'owner' }),
        await client.get(`/kbs/${kbId}/invitations`),
        await client.call('DELETE', `/invitations/${id}`),
      ];
      expect(answers.map(outcome)).toEqual([refusal, refusal, refusal]);
    }
    expect(JSON.stringify(await list())).not.toContain(token);
  });

  it('refuses roles, days and numbers that there are not', async () => {
    const bodies = [
      {},
      { role: 'admin' },
      { role: 'viewer', valid_days: 31 },
      { role: 'viewer', valid_days: 0 },
      { role: 'viewer', max_uses: 101 },
    ];
    for (const body of bodies) {
      expect(outcome(await alice.post(`/kbs/${kbId}/invitations`, body))).toBe(
        '400 validation_failed',
      );
    }
  });

  it('limits how often somebody tries', async () => {
    const { client } = person('guesser');
    const answers: Answer<unknown>[] = [];
    for (let count = 0; count < 32; count++) {
      answers.push(await preview(client, String(count).padStart(43, 'a')));
    }
    expect(outcomes(answers)).toEqual({ '410 invitation_ended': 30, '429 rate_limited': 2 });
  });

  it('is in the audit, without the link', async () => {
    const bob = person('bob');
    const { id, token } = await invite();
    await accept(bob.client, token);
    await alice.call('DELETE', `/invitations/${id}`);
    const { body } = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`);
    const events = body.data.filter(({ target_id }) => target_id === id);
    expect(events.map(({ action, actor }) => [action, actor])).toEqual([
      ['invitation.withdrawn', owner],
      ['invitation.accepted', bob.id],
      ['invitation.created', owner],
    ]);
    expect(JSON.stringify(body)).not.toContain(token);
    const added = body.data.find(({ target_id }) => target_id === bob.id);
    expect([added?.action, added?.actor]).toEqual(['member.added', bob.id]);
  });

  withPlugins('service-accounts').it(
    'is made by service accounts that own, and accepted by persons only',
    async () => {
      const { id } = await alice.createServiceAccount(kbId, 'owner');
      const path = `/service-accounts/${id}/api-keys`;
      const { body: key } = await alice.post<{ api_key: string }>(path, {
        ...{ name: 'Onboarding', scopes: ['members:write'] },
      });
      const program = new Client(service);
      const bearer = { authorization: `Bearer ${key.api_key}` };
      const made = await program.post<CreatedInvitationDto>(
        ...([`/kbs/${kbId}/invitations`, { role: 'viewer' }, bearer] as const),
      );
      expect(outcome(made)).toBe('201');
      const token = made.body.url.split('#')[1] ?? '';
      const refused = await program.post('/invitations/accept', { token }, bearer);
      expect(outcome(refused)).toBe('403 insufficient_scope');
      const bob = person('bob');
      expect(outcome(await accept(bob.client, token))).toBe('200');
    },
  );
});
