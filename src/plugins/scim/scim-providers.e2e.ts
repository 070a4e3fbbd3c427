import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../../../test/support/client.js';
import {
  ACTIVATED,
  DEACTIVATED,
  DELETED,
  ENTRA,
  LEAVES_GROUP,
  OKTA,
  type ScimRequest,
} from '../../../test/support/scim-requests.js';
import { Service } from '../../../test/support/service.js';
import { sql } from '../../../test/support/sql.js';

const SEQUENCES = { Okta: OKTA, Entra: ENTRA };
const QUOTAS = {
  MAX_DIRECTORY_USERS: '3',
  MAX_DIRECTORY_GROUPS: '2',
  MAX_DIRECTORY_MEMBERSHIPS: '3',
};

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

describe('an identity provider', () => {
  let service: Service;
  let alice: Client;
  let kbId: string;
  let accountId: string;
  let secret: string;
  let names: Record<string, string>;

  beforeAll(async () => {
    service = await Service.start(QUOTAS);
    alice = new Client(service, 'alice');
  });

  afterAll(() => service.stop());

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    accountId = (await alice.createServiceAccount(kbId, 'owner')).id;
    secret = (await alice.createManagementKey(accountId, ['members:write'])).api_key;
    names = { userName: `${kbId}@example.com`, displayName: `Vertrieb, Süd ${kbId}` };
  });

  const named = (text: string, encode: (name: string) => string = (name) => name) =>
    text.replace(/(?:\{|%7B)(user|group|userName|displayName)(?:\}|%7D)/g, (_, name: string) =>
      encode(names[name] ?? ''),
    );
  const inJson = (name: string) => JSON.stringify(name).slice(1, -1);
  const filled = (body: object) => JSON.parse(named(JSON.stringify(body), inJson)) as object;

  const scim = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${service.url}/scim/v2/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body && { 'content-type': 'application/scim+json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text || '{}') as Answer['body'] };
  };

  const send = async ({ method, path, body, status, has = {} }: ScimRequest) => {
    const answer = await scim(method, named(path, encodeURIComponent), body && filled(body));
    const id = answer.body['id'];
    if (method === 'POST' && typeof id === 'string') {
      names[path === 'Users' ? 'user' : 'group'] = id;
    }
    const asked = `${method} ${path}`;
    expect({ asked, ...answer }).toMatchObject({ asked, status, body: filled(has) });
  };

  const member = (userId: string, role = 'member') =>
    alice.call('PUT', `/kbs/${kbId}/members/${encodeURIComponent(userId)}`, { role });
  const opens = async (userId: string) =>
    outcome(await new Client(service, userId).get(`/kbs/${kbId}`));
  const user = () => names['userName'] ?? '';

  it.each(['Okta', 'Entra'] as const)('is understood as it sends: %s', async (provider) => {
    for (const request of SEQUENCES[provider]) await send(request);
    await member(`group:${named('{displayName}')}`);
    expect(await opens(user())).toBe('200');
    await send(LEAVES_GROUP[provider]);
    expect(await opens(user())).toBe('404 not_found');
    await member(user());
    expect(await opens(user())).toBe('200');
    await send(DEACTIVATED[provider]);
    expect(await opens(user())).toBe('404 not_found');
    await send(ACTIVATED[provider]);
    await member(user());
    expect(await opens(user())).toBe('200');
    for (const request of DELETED) await send(request);
    expect(await opens(user())).toBe('404 not_found');
  });

  it('lets nobody in again by what it leaves out', async () => {
    const push = async (body: object) => scim('POST', 'Users', body);
    const { body: pushed } = await push({ userName: user() });
    const path = `Users/${String(pushed['id'])}`;
    await member(user());
    const patch = (operation: object) => scim('PATCH', path, { Operations: [operation] });
    const changes = [
      () => patch({ op: 'replace', path: 'active', value: false }),
      () => patch({ op: 'remove', path: 'active' }),
      () => scim('PUT', path, { userName: user(), displayName: 'Bob' }),
    ];
    for (const [index, change] of changes.entries()) {
      const { status, body } = await change();
      expect([index, status, body['active']]).toEqual([index, 200, false]);
    }
    await member(user());
    expect(await opens(user())).toBe('404 not_found');
  });

  it('leaves a knowledge base with an active owner', async () => {
    await member('carol', 'owner');
    await scim('POST', 'Users', { userName: 'carol', active: false });
    // Pushed before she owned it, she keeps a membership that opens nothing.
    await member('carol', 'owner');
    const leave = () => alice.call('DELETE', `/kbs/${kbId}/members/alice`);
    expect(outcome(await leave())).toBe('409 last_owner');
    expect(outcome(await member('alice', 'member'))).toBe('409 last_owner');
    expect(outcome(await member('dave', 'viewer'))).toBe('200');
    expect(outcome(await alice.call('DELETE', `/kbs/${kbId}/members/carol`))).toBe('200');
    await member('erin', 'owner');
    expect(outcome(await leave())).toBe('200');
  });

  it('pushes no more than the operator allows', async () => {
    const ids: string[] = [];
    const push = async (path: string, body: object) => {
      const answer = await scim('POST', path, body);
      if (answer.status === 201) ids.push(String(answer.body['id']));
      return answer.status;
    };
    const pushUsers = async (...numbers: number[]) =>
      Promise.all(numbers.map((number) => push('Users', { userName: `${kbId}-${number}` })));
    expect((await pushUsers(1, 2, 3, 4)).sort()).toEqual([201, 201, 201, 403]);
    expect(await scim('POST', 'Users', { userName: 'more' })).toMatchObject({
      status: 403,
      body: { status: '403', detail: expect.stringContaining('MAX_DIRECTORY_USERS is 3') },
    });
    const [first = '', second = ''] = ids;
    await scim('DELETE', `Users/${ids.pop() ?? ''}`);
    expect(await pushUsers(5)).toEqual([403]);
    const members = (...values: string[]) => values.map((value) => ({ value }));
    const groupOf = (name: string, ...values: string[]) =>
      push('Groups', { displayName: name, members: members(...values) });
    expect(await groupOf('A', first, second)).toBe(201);
    expect(await groupOf('B', first, second)).toBe(403);
    expect(await groupOf('B', first)).toBe(201);
    expect(await groupOf('C')).toBe(403);
    const group = `Groups/${ids.at(-1) ?? ''}`;
    const add = { op: 'add', path: 'members', value: members(second) };
    expect((await scim('PATCH', group, { Operations: [add] })).status).toBe(403);
    const { body } = await scim('GET', group);
    expect(body['members']).toMatchObject(members(first));
    const { body: page } = await alice.get<Page<object>>(`/kbs/${kbId}/members`);
    expect(page.data).toHaveLength(2);
  });

  it('takes people out of a group also above a limit that was lowered', async () => {
    const push = async (path: string, body: object) =>
      String((await scim('POST', path, body)).body['id']);
    const users: string[] = [];
    for (const n of [1, 2, 3]) users.push(await push('Users', { userName: `${kbId}-${n}` }));
    const members = (count: number) => users.slice(0, count).map((value) => ({ value }));
    await push('Groups', { displayName: 'A', members: members(3) });
    const id = await push('Groups', { displayName: 'B' });
    // As if the limit had been twice as high.
    const rows = users.map((userId) => `('${id}', '${userId}')`).join();
    await sql(
      service.environment,
      `INSERT INTO directory_memberships (group_id, user_id) VALUES ${rows}`,
    );
    const put = async (count: number) => {
      const body = { displayName: 'B', members: members(count) };
      return (await scim('PUT', `Groups/${id}`, body)).status;
    };
    const replace = async (count: number) => {
      const operation = { op: 'replace', path: 'members', value: members(count) };
      return (await scim('PATCH', `Groups/${id}`, { Operations: [operation] })).status;
    };
    expect([await put(2), await put(3), await replace(1), await replace(2)]).toEqual([
      ...[200, 403, 200, 403],
    ]);
    expect((await scim('GET', `Groups/${id}`)).body['members']).toMatchObject(members(1));
  });
});
