import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AuditEvent,
  Client,
  type ClientToken,
  created,
  type IssuedApiKey,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { repetitions } from '../../../test/support/repetitions.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';
import { withPlugins } from '../../../test/support/requirement.js';

type Resource = Record<string, unknown> & { id: string };
interface ScimAnswer {
  status: number;
  type: string | null;
  body: Resource;
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const KEYS = 'urn:latchkey:params:scim:schemas:extension:api-keys:2.0:User';

describe('SCIM', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;
  let accountId: string;
  let secret: string;
  let BOB: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    BOB = newUserId('bob@example.com');
    accountId = (await alice.createServiceAccount(kbId, 'owner')).id;
    secret = await keyWith('members:write');
  });

  const keyWith = async (scope: string) => {
    const body = { name: 'Okta', scopes: [scope] };
    const { body: key } = await alice.post<IssuedApiKey>(
      `/service-accounts/${accountId}/api-keys`,
      body,
    );
    return key.api_key;
  };

  const scim = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${secret}` },
  ): Promise<ScimAnswer> => {
    const response = await fetch(`${service.url}/scim/v2/${path}`, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      type,
      body: (text === '' ? {} : JSON.parse(text)) as Resource,
    };
  };

  /** As Okta sends a new user. */
  const push = async (userName: string) =>
    (
      await scim('POST', 'Users', {
        schemas: [USER],
        userName,
        name: { givenName: 'Bob', familyName: 'Miller' },
        emails: [{ primary: true, value: userName, type: 'work' }],
        displayName: 'Bob Miller',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        active: true,
      })
    ).body;
  const patch = (path: string, ...Operations: object[]) =>
    scim('PATCH', path, { schemas: [PATCH], Operations });
  const member = (id: string, role = 'member') =>
    alice.call('PUT', `/kbs/${kbId}/members/${encodeURIComponent(id)}`, { role });
  const access = async (userId: string) =>
    outcome(await new Client(service, userId).get(`/kbs/${kbId}`));

  it('keeps what Okta sends, and finds it by its filter', async () => {
    expect(
      (await scim('GET', `Users?filter=userName%20eq%20%22${BOB}%22&startIndex=1&count=100`)).body,
    ).toMatchObject({ totalResults: 0, Resources: [] });
    const { id } = await push(BOB);
    const { status, type, body } = await scim('GET', `Users/${id}`);
    expect([status, type]).toEqual([200, 'application/scim+json; charset=utf-8']);
    expect(body).toMatchObject({
      userName: BOB,
      name: { givenName: 'Bob', familyName: 'Miller' },
      active: true,
      meta: { resourceType: 'User', location: `/scim/v2/Users/${id}` },
      [KEYS]: { apiKeys: [], trustedIssuers: [] },
    });
    const found = await scim('GET', `Users?filter=userName%20eq%20%22${BOB.toUpperCase()}%22`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect((await scim('POST', 'Users', { userName: BOB })).status).toBe(409);
  });

  it.each([
    ['Okta', [{ op: 'replace', value: { active: false } }]],
    ['Entra', [{ op: 'Replace', path: 'active', value: 'False' }]],
  ])('ends everything a deactivated person could do, in the form of %s', async (_, operations) => {
    await member(BOB);
    const { id } = await push(BOB);
    const key = await new Client(service, BOB).createApiKey(kbId);
    const trust = created(
      await new Client(service, BOB).post<{ id: string }>(`/kbs/${kbId}/trusted-issuers`, {
        ...{ issuer: 'https://issuer.example.com', audience: 'latchkey', scopes: ['query'] },
      }),
      201,
    );
    const { client_token: token } = await new Client(service).createClientToken(key.api_key, BOB);
    const other = await new Client(service).createClientToken(key.api_key, 'carol');
    const ask = async ({ client_token }: Pick<ClientToken, 'client_token'>) =>
      outcome(await new Client(service).query(client_token, 'Anything?'));
    expect([await access(BOB), await ask({ client_token: token })]).toEqual(['200', '200']);

    const { status, body } = await patch(`Users/${id}`, ...operations);
    expect([status, body['active']]).toEqual([200, false]);
    // For review: whoever has left may still know its secret.
    expect(body[KEYS]).toMatchObject({
      apiKeys: [{ id: key.id, kb_id: kbId }],
      trustedIssuers: [{ id: trust.id, kb_id: kbId, issuer: 'https://issuer.example.com' }],
    });
    expect(await access(BOB)).toBe('404 not_found');
    expect(await ask({ client_token: token })).toBe('401 invalid_api_key');
    expect(await ask(other)).toBe('200');
    const { body: events } = await alice.get<Page<AuditEvent>>(
      `/kbs/${kbId}/audit-events?action=member.removed`,
    );
    expect(events.data).toMatchObject([
      {
        actor: accountId,
        target_id: BOB,
        details: { left: true, api_keys: [key.id], trusted_issuers: [trust.id] },
      },
    ]);
    await member(BOB);
    expect(await access(BOB)).toBe('404 not_found');
    await patch(`Users/${id}`, { op: 'replace', path: 'active', value: true });
    expect(await access(BOB)).toBe('200');
  });

  it('keeps the last owner’s membership, which opens nothing', async () => {
    const carol = newUserId('carol');
    await member(carol, 'owner');
    const aliceId = (await alice.get<Page<{ user_id: string }>>(`/kbs/${kbId}/members`)).body.data
      .map(({ user_id }) => user_id)
      .find((id) => id.includes('alice'));
    const { id } = await push(carol);
    await scim('DELETE', `Users/${id}`);
    expect(await access(carol)).toBe('404 not_found');
    expect((await scim('GET', `Users/${id}`)).status).toBe(404);
    expect(await access(aliceId ?? '')).toBe('200');
  });

  const membersOf = async () =>
    (await alice.get<Page<{ user_id: string }>>(`/kbs/${kbId}/members`)).body.data.map(
      ({ user_id: userId }) => userId,
    );

  it('counts neither a service account nor a deactivated person as another owner', async () => {
    const carol = newUserId('carol');
    await member(carol, 'owner');
    const persons = (await membersOf()).filter((id) => id !== accountId);
    for (const person of persons) {
      const { id } = await push(person);
      await patch(`Users/${id}`, { op: 'replace', path: 'active', value: false });
    }
    const rows = await sql<{ user_id: string }>(
      service.environment,
      `SELECT user_id FROM knowledge_base_members WHERE kb_id = '${kbId}' AND role = 'owner'`,
    );
    const owners = rows.map(({ user_id: userId }) => userId);
    expect(owners.sort()).toEqual([accountId, persons.at(-1)].sort());
    expect(await access(carol)).toBe('404 not_found');
  });

  it('takes the service accounts of a group from a deactivated person', async () => {
    const group = newUserId('admins');
    const bob = new Client(service, BOB, [group]);
    await member(`group:${group}`, 'owner');
    const { id: other } = await alice.createServiceAccount(kbId, 'owner');
    const list = async () => (await bob.get<Page<{ id: string }>>('/service-accounts')).body.data;
    const makeKey = async () =>
      outcome(
        await bob.post(`/service-accounts/${other}/api-keys`, {
          name: 'Backdoor',
          scopes: ['members:write'],
        }),
      );
    expect(await makeKey()).toBe('201');
    const { id } = await push(BOB);
    await patch(`Users/${id}`, { op: 'replace', value: { active: false } });
    expect([await makeKey(), await list()]).toEqual(['404 not_found', []]);
  });

  it('keeps a person out who is renamed after being deactivated', async () => {
    const { id } = await push(BOB);
    await patch(`Users/${id}`, { op: 'replace', value: { active: false } });
    const userName = newUserId('deleted');
    const { body } = await patch(`Users/${id}`, {
      op: 'replace',
      path: 'userName',
      value: userName,
    });
    expect(body).toMatchObject({ userName, active: false });
    await scim('PUT', `Users/${id}`, { userName, active: false });
    await member(BOB);
    expect(await access(BOB)).toBe('404 not_found');
  });

  it('keeps a person out who is renamed while being deactivated', async () => {
    await member(BOB);
    const { id } = await push(BOB);
    await scim('PUT', `Users/${id}`, { userName: newUserId('deleted'), active: false });
    await member(BOB);
    expect(await access(BOB)).toBe('404 not_found');
  });

  withPlugins('originals').it('revokes original links when a user is deprovisioned', async () => {
    const { id: other } = await alice.createKnowledgeBase();
    const message = 'What do lamps burn?';
    for (const [at, oil] of [
      [kbId, 'whale'],
      [other, 'olive'],
    ] as const) {
      await alice.set(at, { originals: 'readers' });
      await alice.addDocument(at, { title: 'Lamps', text: `Lamps burn ${oil} oil.` });
    }
    const linksOf = async (user: string, ...kbIds: string[]) => {
      const { body: key } = await alice.post<IssuedApiKey>('/api-keys', {
        ...{ name: 'Links', environment: 'live', kbs: kbIds.map((kb_id) => ({ kb_id })) },
      });
      const { client_token: token } = await alice.createClientToken(key.api_key, user);
      const answer = await new Client(service).query(token, message);
      expect(outcome(answer)).toBe('200');
      const { body } = answer;
      const links = (body.results as unknown as { kb_id: string; original_url: string }[]).map(
        ({ kb_id, original_url }) => [kb_id, original_url] as const,
      );
      return new Map(links);
    };
    const open = async (url: string | undefined) => (await fetch(service.url + String(url))).status;
    const mains = await linksOf(BOB, kbId, other);
    const others = await linksOf(BOB, other, kbId);
    const annas = await linksOf('anna', kbId, other);
    const statuses = async () => {
      const links = [mains, others, annas].flatMap((map) => [map.get(kbId), map.get(other)]);
      return Promise.all(links.map(open));
    };
    const { id } = await push(BOB);
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
    await patch(`Users/${id}`, { op: 'replace', value: { active: false } });
    expect(await statuses()).toEqual([404, 404, 404, 200, 200, 200]);
  });

  it('reads the names of attributes in any case', async () => {
    const { status, body } = await scim('POST', 'Users', { UserName: BOB, ACTIVE: 'True' });
    expect([status, body]).toEqual([201, expect.objectContaining({ userName: BOB, active: true })]);
    const setActive = async (operation: object) =>
      (await scim('PATCH', `Users/${body.id}`, { operations: [operation] })).body['active'];
    await member(BOB);
    expect(await setActive({ op: 'Replace', path: 'Active', value: 'False' })).toBe(false);
    expect(await access(BOB)).toBe('404 not_found');
    expect(await setActive({ Op: 'replace', Value: { aCTIVE: true } })).toBe(true);
    expect(await setActive({ op: 'replace', path: `${USER}:Active`, value: false })).toBe(false);
  });

  it('ends with the service account', async () => {
    const { id } = await push(BOB);
    const members = [{ value: id }];
    const group = await scim('POST', 'Groups', { displayName: newUserId('sales'), members });
    expect(outcome(await alice.call('DELETE', `/service-accounts/${accountId}`))).toBe('200');
    for (const [table, column, value] of [
      ['directory_users', 'id', id],
      ['directory_groups', 'id', group.body.id],
      ['directory_memberships', 'user_id', id],
    ]) {
      const query = `SELECT * FROM ${table} WHERE ${column} = '${value}'`;
      expect(await sql(service.environment, query)).toEqual([]);
    }
  });

  it.each(['Users', 'Groups'])('knows no %s with NUL in the id', async (path) => {
    const patched = { Operations: [] };
    const answers = await Promise.all([
      scim('GET', `${path}/%00`),
      scim('PUT', `${path}/%00`, { userName: 'x', displayName: 'x' }),
      scim('PATCH', `${path}/%00`, patched),
      scim('DELETE', `${path}/%00`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  describe('a group', () => {
    const pushGroup = async (name: string, ...ids: string[]) =>
      (
        await scim('POST', 'Groups', {
          schemas: [GROUP],
          displayName: name,
          members: ids.map((value) => ({ value })),
        })
      ).body.id;

    it('opens what it is a member of, until it is left', async () => {
      const { id } = await push(BOB);
      const name = newUserId('Vertrieb, Süd');
      const groupId = await pushGroup(name, id);
      expect(await access(BOB)).toBe('404 not_found');
      await member(`group:${name}`);
      expect(await access(BOB)).toBe('200');
      const listed = await new Client(service, BOB).get<Page<{ id: string }>>('/kbs');
      expect(listed.body.data.map((kb) => kb.id)).toEqual([kbId]);

      // As Okta removes one.
      await patch(`Groups/${groupId}`, { op: 'remove', path: `members[value eq "${id}"]` });
      expect(await access(BOB)).toBe('404 not_found');
      // As Entra adds and removes.
      await patch(`Groups/${groupId}`, { op: 'Add', path: 'members', value: [{ value: id }] });
      expect(await access(BOB)).toBe('200');
      const change = async () =>
        outcome(await new Client(service, BOB).call('PATCH', `/kbs/${kbId}`, { name: 'Renamed' }));
      expect(await change()).toBe('200');
      await patch(`Groups/${groupId}`, { op: 'Remove', path: 'members', value: [{ value: id }] });
      expect(await change()).toBe('404 not_found');
    });

    withPlugins('originals').it('opens by a link what it may read', async () => {
      const { id } = await push(BOB);
      const name = newUserId('support');
      const groupId = await pushGroup(name, id);
      await member(`group:${name}`, 'viewer');
      await alice.set(kbId, { originals: 'readers' });
      const text = 'Lamps burn whale oil.';
      const access = { allow: [`group:${name}`] };
      await alice.addDocument(kbId, { title: 'Lamps', text, access });
      const { body } = await new Client(service, BOB).post<{
        results: { original_url: string }[];
      }>(`/kbs/${kbId}/query`, { message: 'What do lamps burn?' });
      const open = async () => {
        const response = await fetch(service.url + String(body.results[0]?.original_url));
        return response.status === 200 ? response.text() : response.status;
      };
      expect(await open()).toBe(text);
      await member(BOB, 'viewer');
      await patch(`Groups/${groupId}`, { op: 'Remove', path: 'members', value: [{ value: id }] });
      expect(await open()).toBe(404);
    });

    it('has another member instead of the one that is replaced', async () => {
      const ids: string[] = [];
      for (const name of ['anna', 'bert', 'carl']) ids.push((await push(newUserId(name))).id);
      const [anna = '', bert = '', carl = ''] = ids;
      const groupId = await pushGroup(newUserId('support'), anna, bert);
      const replace = (id: string, value: unknown) =>
        patch(`Groups/${groupId}`, { op: 'replace', path: `members[value eq "${id}"]`, value });
      const members = async () =>
        ((await scim('GET', `Groups/${groupId}`)).body['members'] as { value: string }[]).map(
          ({ value }) => value,
        );
      expect((await replace(bert, { value: carl })).status).toBe(200);
      expect(await members()).toEqual([anna, carl].sort());
      expect(await replace(bert, { value: anna })).toMatchObject({
        status: 400,
        body: { scimType: 'noTarget' },
      });
      expect((await replace(anna, undefined)).status).toBe(400);
      expect(await members()).toEqual([anna, carl].sort());
    });

    it('is answered without its members to a change that asks for none', async () => {
      const { id } = await push(BOB);
      const groupId = await pushGroup(newUserId('support'));
      const add = { op: 'add', path: 'members', value: [{ value: id }] };
      const { status, body } = await patch(`Groups/${groupId}?excludedAttributes=members`, add);
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('members');
      const listed = await patch(`Groups/${groupId}`, add);
      expect(listed.body['members']).toEqual([
        { value: id, $ref: `/scim/v2/Users/${id}`, display: BOB, type: 'User' },
      ]);
    });

    it('is listed with at most 50,000 members of all groups on a page', async () => {
      const { id } = await push(BOB);
      const groupId = await pushGroup(newUserId('support'), id);
      const run = (statement: string) => sql(service.environment, statement);
      // As if 300 users were in each of 200 groups.
      const copies = (count: number) =>
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
      await run(`INSERT INTO directory_users (id, service_account_id, user_name, user_id, active,
          profile, created_at, updated_at)
        ${copies(300)} SELECT id || '-' || i, service_account_id, user_name || '-' || i,
          user_id || '-' || i, active, profile, created_at, updated_at
        FROM directory_users, n WHERE id = '${id}'`);
      await run(`INSERT INTO directory_groups (id, service_account_id, display_name, principal,
          created_at, updated_at)
        ${copies(200)} SELECT id || '-' || i, service_account_id, display_name || '-' || i,
          principal || '-' || i, created_at, updated_at
        FROM directory_groups, n WHERE id = '${groupId}'`);
      await run(`INSERT INTO directory_memberships (group_id, user_id)
        SELECT grp.id, person.id FROM directory_groups grp
        JOIN directory_users person ON person.service_account_id = grp.service_account_id
        WHERE grp.service_account_id = '${accountId}'
          AND (grp.id <> '${groupId}' OR person.id <> '${id}')`);
      const counts = [];
      const found = new Set<string>();
      for (let start = 1; start <= 200;) {
        const { body } = await scim('GET', `Groups?count=200&startIndex=${start}`);
        const groups = body['Resources'] as { id: string; members: object[] }[];
        for (const group of groups) found.add(group.id);
        expect(body).toMatchObject({ totalResults: 200, itemsPerPage: groups.length });
        expect(new Set(groups.map(({ members }) => members.length))).toEqual(new Set([300]));
        counts.push(groups.length);
        start += groups.length;
      }
      expect(counts).toEqual([166, 34]);
      expect(found.size).toBe(200);
      const { body } = await scim('GET', 'Groups?count=200&excludedAttributes=members');
      expect(body['itemsPerPage']).toBe(200);
    });

    it('is left at once: no change is made after the provider’s answer', async () => {
      const { id } = await push(BOB);
      const name = newUserId('support');
      const groupId = await pushGroup(name, id);
      await member(`group:${name}`);
      const late: string[] = [];
      for (let round = 0; round < repetitions(10, 2000); round++) {
        const bob = new Client(service, BOB);
        const change = (index: number) =>
          bob.call('PATCH', `/kbs/${kbId}`, { name: `${round}-${index}` });
        const before = [0, 1, 2, 3].map(change);
        if (round % 2 === 1) await Promise.race(before);
        const left = patch(`Groups/${groupId}`, { op: 'remove', path: 'members' });
        const meanwhile = [4, 5].map(change);
        expect((await left).status).toBe(200);
        const nameOf = async () => (await alice.get<{ name: string }>(`/kbs/${kbId}`)).body.name;
        const now = await nameOf();
        await Promise.all([...before, ...meanwhile, change(6)]);
        if ((await nameOf()) !== now) late.push(now);
        await patch(`Groups/${groupId}`, { op: 'add', path: 'members', value: [{ value: id }] });
      }
      expect(late).toEqual([]);
    });

    it('counts in no knowledge base that the service account does not own', async () => {
      const stranger = new Client(service, newUserId('mallory'));
      const { id: theirs } = await stranger.createKnowledgeBase();
      const { id: account } = await stranger.createServiceAccount(theirs, 'owner');
      const made = await stranger.post<IssuedApiKey>(`/service-accounts/${account}/api-keys`, {
        name: 'Fake',
        scopes: ['members:write'],
      });
      const name = newUserId('admins');
      await member(`group:${name}`, 'owner');
      await member(BOB);
      secret = made.body.api_key;
      const { id } = await push(newUserId('eve'));
      await pushGroup(name, id);
      const { userName } = (await scim('GET', `Users/${id}`)).body as { userName?: string };
      expect(await access(userName ?? '')).toBe('404 not_found');
      const { id: bobs } = await push(BOB);
      await patch(`Users/${bobs}`, { op: 'replace', value: { active: false } });
      expect(await access(BOB)).toBe('200');
    });

    it('is renamed and replaced', async () => {
      const { id } = await push(BOB);
      const groupId = await pushGroup('Sales', id);
      const name = newUserId('support');
      await member(`group:${name}`);
      await patch(`Groups/${groupId}`, {
        op: 'replace',
        value: { id: groupId, displayName: name },
      });
      expect(await access(BOB)).toBe('200');
      await scim('PUT', `Groups/${groupId}`, { displayName: name, members: [] });
      expect(await access(BOB)).toBe('404 not_found');
      const path = `Groups?excludedAttributes=members&filter=displayName%20eq%20%22${name}%22`;
      const { body } = await scim('GET', path);
      expect(body['Resources']).toEqual([
        expect.not.objectContaining({ members: expect.anything() as unknown }),
      ]);
    });
  });

  it.each<[string, string, unknown]>([
    ['POST', 'Users', {}],
    ['POST', 'Users', { userName: '' }],
    ['POST', 'Users', { userName: 'x', active: 'perhaps' }],
    ['POST', 'Users', { userName: 'x', displayName: '\ud800' }],
    ['POST', 'Users', [1]],
    ['POST', 'Users', { userName: 'group:sales' }],
    ['POST', 'Users', { userName: 'sa_01h2xcejqtf2nbrexx3vqjhp41' }],
    ['POST', 'Groups', { displayName: 'x', members: [{ value: 'usr_1' }] }],
    ['POST', 'Groups', { displayName: 'x', members: ['usr_1'] }],
    ['POST', 'Groups', { displayName: 'x', members: [{ value: '\0' }] }],
    ['GET', 'Users?filter=id%20eq%20%22%5Cu0000%22', undefined],
    ['GET', 'Groups?filter=id%20eq%20%22%5Cu0000%22', undefined],
    ['GET', 'Users?filter=userName%20sw%20%22a%22', undefined],
    ['GET', 'Users?filter=userName%20eq%20%22', undefined],
  ])('answers a bad request in its own form: %s %s %j', async (method, path, body) => {
    expect(await scim(method, path, body)).toMatchObject({
      status: 400,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '400' },
    });
  });

  it('answers the attributes that are asked for, of a user, of a list and of a search', async () => {
    const { body: user } = await scim('POST', 'Users', { userName: BOB, active: true });
    const always = { schemas: user['schemas'], id: user.id };
    const only = await scim('GET', `Users/${user.id}?attributes=USERNAME,a%20b`);
    expect(only.body).toEqual({ ...always, userName: BOB });
    const without = await scim('GET', `Users/${user.id}?excludedAttributes=userName,meta`);
    expect(without.body).toMatchObject({ ...always, active: true });
    expect(without.body).not.toHaveProperty('userName');
    expect(without.body).not.toHaveProperty('meta');
    const filter = `userName eq "${BOB}"`;
    const query = new URLSearchParams({ filter, attributes: 'userName' }).toString();
    const listed = {
      totalResults: 1,
      Resources: [{ schemas: [USER], id: user.id, userName: BOB }],
    };
    expect((await scim('GET', `Users?${query}`)).body).toMatchObject(listed);
    const search = { filter, attributes: ['userName'], startIndex: 1, count: 5 };
    const found = await scim('POST', 'Users/.search', search);
    expect([found.status, found.body['Resources']]).toEqual([200, listed.Resources]);
  });

  it('is opened by keys with members:write alone', async () => {
    const statusWith = async (headers: Record<string, string>) =>
      (await scim('GET', 'Users', undefined, headers)).status;
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    const { api_key: partners } = await alice.createApiKey(kbId);
    expect(await statusWith(bearer(secret))).toBe(200);
    expect(await statusWith(bearer(await keyWith('audit:read')))).toBe(403);
    expect(await statusWith(bearer(partners))).toBe(401);
    expect(await statusWith(bearer('rag_admin_x'))).toBe(401);
    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ 'x-idp-user-id': BOB })).toBe(403);
  });

  it.each(['ServiceProviderConfig', 'ResourceTypes', 'Schemas'])(
    'describes itself: %s',
    async (path) => {
      expect((await scim('GET', path)).status).toBe(200);
    },
  );

  it('describes each schema and resource type', async () => {
    for (const id of [USER, GROUP, KEYS]) {
      expect(await scim('GET', `Schemas/${id}`)).toMatchObject({ status: 200, body: { id } });
    }
    const { body } = await scim('GET', `Schemas/${USER}`);
    const primary = expect.objectContaining({ name: 'primary', type: 'boolean' }) as unknown;
    expect(body['attributes']).toContainEqual(
      expect.objectContaining({ name: 'emails', subAttributes: expect.arrayContaining([primary]) }),
    );
    for (const [id, schema] of [
      ['User', USER],
      ['Group', GROUP],
    ] as const) {
      const answer = await scim('GET', `ResourceTypes/${id}`);
      expect(answer).toMatchObject({ status: 200, body: { id, schema } });
    }
    const unknown = await Promise.all([
      scim('GET', 'Schemas/urn:example'),
      scim('GET', 'ResourceTypes/Role'),
    ]);
    expect(unknown.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('refuses what it would not do, and then changes nothing', async () => {
    const { id } = await push(BOB);
    const { body: group } = await scim('POST', 'Groups', {
      ...{ displayName: newUserId('sales'), members: [{ value: id }] },
    });
    const refused = async (path: string, operation: object) => {
      const first = { op: 'replace', path: 'displayName', value: 'Changed' };
      const { status, body } = await patch(path, first, operation);
      return [status, body['scimType']];
    };
    const ofGroup = (operation: object) => refused(`Groups/${group.id}`, operation);
    expect([
      await ofGroup({ op: 'remove', path: 'members.value' }),
      await ofGroup({ op: 'remove', path: 'members[type eq "User"].value' }),
      await refused(`Users/${id}`, { op: 'replace', value: [{ active: false }] }),
    ]).toEqual([
      [400, 'invalidPath'],
      [400, 'invalidPath'],
      [400, 'invalidValue'],
    ]);
    const now = await scim('GET', `Groups/${group.id}`);
    expect(now.body).toMatchObject({ displayName: group['displayName'], members: [{ value: id }] });
    const { body } = await patch(`Users/${id}`, {
      op: 'replace',
      value: { [USER]: { active: false } },
    });
    expect(body['active']).toBe(false);
  });
});
