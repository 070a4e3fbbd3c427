import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

const KEYS = 'urn:latchkey:params:scim:schemas:extension:api-keys:2.0:User';
const TEXT = 'Lamps burn whale oil.';
const QUESTION = 'What do lamps burn?';

type Resource = Record<string, unknown> & { id: string };

/** What an end user is counted by. */
const numberOf = (kbId: string, name: string) =>
  parseInt(hash('sha256', `${kbId}\n${name}`).slice(0, 13), 16).toString(36);

/** Calls SCIM with the key of a service account. */
const scimOf =
  (url: string, secret: string) => async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/scim/v2/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body && { 'content-type': 'application/scim+json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text || '{}') as Resource };
  };

describe('the name of a person in other spellings', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;
  let scim: ReturnType<typeof scimOf>;
  let BOB: string;
  let JOSE: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('Alice'));
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    BOB = newUserId('Bob@Example.org');
    JOSE = newUserId('Jos\u00e9');
    const { id } = await alice.createServiceAccount(kbId, 'owner');
    const { api_key: secret } = await alice.createManagementKey(id, ['members:write']);
    scim = scimOf(service.url, secret);
  });

  const as = (userId: string) => new Client(service, userId);
  const member = (id: string, role: string) =>
    alice.call('PUT', `/kbs/${kbId}/members/${encodeURIComponent(id)}`, { role });
  const members = async () =>
    (await alice.get<Page<{ user_id: string; role: string }>>(`/kbs/${kbId}/members`)).body.data;

  it('is one member, shown as it was written first', async () => {
    await member(BOB, 'member');
    await member(BOB.toUpperCase(), 'viewer');
    const others = [expect.anything(), expect.anything()];
    expect(await members()).toEqual(
      expect.arrayContaining([expect.objectContaining({ user_id: BOB, role: 'viewer' })]),
    );
    expect(await members()).toHaveLength(1 + others.length);
    for (const id of [BOB, BOB.toLowerCase(), BOB.toUpperCase()]) {
      expect(outcome(await as(id).get(`/kbs/${kbId}`))).toBe('200');
    }
    await member(BOB.toLowerCase(), 'member');
    const key = await as(BOB).createApiKey(kbId);
    expect(key.created_by).toBe(BOB);
    const left = `/kbs/${kbId}/members/${encodeURIComponent(BOB.toUpperCase())}`;
    expect(outcome(await as(BOB.toLowerCase()).call('DELETE', left))).toBe('200');
    expect(outcome(await as(BOB).get(`/kbs/${kbId}`))).toBe('404 not_found');
  });

  it('names no group and no service account', async () => {
    await member('group:admins', 'owner');
    const { id } = await alice.createServiceAccount(kbId, 'owner');
    for (const name of ['GROUP:admins', 'Group:admins', id.toUpperCase()]) {
      expect(outcome(await as(name).get(`/kbs/${kbId}`))).toBe('400 invalid_user_id');
    }
  });

  it('is taken in the directory', async () => {
    const push = async (userName: string) => (await scim('POST', 'Users', { userName })).status;
    expect([await push(BOB), await push(BOB.toUpperCase()), await push(BOB.toLowerCase())]).toEqual(
      [201, 409, 409],
    );
    expect([await push(JOSE), await push(JOSE.normalize('NFD'))]).toEqual([201, 409]);
    const find = async (name: string) => {
      const filter = encodeURIComponent(`userName eq "${name}"`);
      return (await scim('GET', `Users?filter=${filter}`)).body['Resources'];
    };
    expect(await find(JOSE.normalize('NFD').toUpperCase())).toMatchObject([{ userName: JOSE }]);
    expect(await find(BOB.toLowerCase())).toMatchObject([{ userName: BOB }]);
    const { body } = await scim('POST', 'Users', { userName: newUserId('eve') });
    const rename = { op: 'replace', path: 'userName', value: BOB.toLowerCase() };
    expect((await scim('PATCH', `Users/${body.id}`, { Operations: [rename] })).status).toBe(409);
  });

  it('is deactivated in every spelling', async () => {
    await member(BOB, 'member');
    const key = await as(BOB).createApiKey(kbId);
    const partner = new Client(service);
    const ask = async (name: string) => {
      const { client_token: token } = await partner.createClientToken(key.api_key, name);
      return async () => outcome(await partner.query(token, QUESTION));
    };
    const spellings = [BOB, BOB.toUpperCase(), BOB.toLowerCase()];
    const asked = await Promise.all([...spellings, JOSE, JOSE.normalize('NFD')].map(ask));
    const deactivate = async (userName: string) => {
      const { body } = await scim('POST', 'Users', { userName });
      const operation = { op: 'replace', path: 'active', value: false };
      return scim('PATCH', `Users/${body.id}`, { Operations: [operation] });
    };
    for (const one of asked) expect(await one()).toBe('200');
    const { body } = await deactivate(BOB.toUpperCase());
    expect(body[KEYS]).toMatchObject({ apiKeys: [{ id: key.id }] });
    await deactivate(JOSE.normalize('NFD').toUpperCase());
    for (const one of asked) expect(await one()).toBe('401 invalid_api_key');
    await member(BOB, 'member');
    for (const id of spellings) {
      expect(outcome(await as(id).get(`/kbs/${kbId}`))).toBe('404 not_found');
    }
  });

  it('is one reader of rules, which show it as it was written', async () => {
    const document = await alice.addDocument(kbId, {
      ...{ title: 'Lamps', text: TEXT, access: { allow: [`user:${BOB}`, `user:${JOSE}`] } },
    });
    expect(document).toMatchObject({ access: { allow: [`user:${BOB}`, `user:${JOSE}`] } });
    const key = await alice.createApiKey(kbId, { principals: [`user:${BOB.toUpperCase()}`] });
    const partner = new Client(service);
    const found = async (credential: string) =>
      (await partner.query(credential, QUESTION)).body.results.length;
    expect(await found(key.api_key)).toBe(1);
    const names = [BOB, BOB.toUpperCase(), JOSE.normalize('NFD'), JOSE.toUpperCase()];
    const tokens = await Promise.all(
      names.map(async (name) => (await partner.createClientToken(key.api_key, name)).client_token),
    );
    for (const token of tokens) expect(await found(token)).toBe(1);
    await member(BOB.toLowerCase(), 'viewer');
    expect(outcome(await as(BOB.toUpperCase()).get(`/documents/${document.id}`))).toBe('200');
    const check = async (principal: string) =>
      (await alice.post(`/documents/${document.id}/access-check`, { principals: [principal] }))
        .body;
    expect(await check(`user:${BOB.toUpperCase()}`)).toEqual({
      allowed: true,
      by: `allow user:${BOB}`,
    });
    const access = { allow: ['everyone'], deny: [`user:${BOB}`, `user:${BOB.toUpperCase()}`] };
    await alice.call('PATCH', `/documents/${document.id}`, { access });
    const [token = ''] = tokens;
    expect([await found(token), await found(key.api_key)]).toEqual([0, 0]);
    expect(await check(`user:${BOB.toLowerCase()}`)).toMatchObject({ allowed: false });
    const { client_token: other } = await partner.createClientToken(key.api_key, 'carol');
    expect(await found(other)).toBe(1);
  });

  it('has one budget, and may be named in a request by its token', async () => {
    await alice.set(kbId, { budget_per_end_user: { messages: 2, period: 'day' } });
    await alice.addDocument(kbId, { title: 'Lamps', text: TEXT });
    const { api_key: secret } = await alice.createApiKey(kbId);
    const partner = new Client(service);
    const ask = async (name: string, named = name) => {
      const { client_token: token } = await partner.createClientToken(secret, name);
      return outcome(await partner.chat(token, QUESTION, { end_user_id: named }));
    };
    expect(await ask(JOSE)).toBe('200');
    expect(await ask(JOSE.normalize('NFD'), JOSE.toUpperCase())).toBe('200');
    expect(await ask(JOSE.toUpperCase())).toBe('429 budget_reached');
    expect(await ask(JOSE, BOB)).toBe('403 end_user_mismatch');
    expect(await ask(BOB)).toBe('200');
  });
});

describe('conversations of a person in other spellings', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;
  let secret: string;
  const WRITTEN = 'Jos\u00e9@X.org';
  const SPELLINGS = [WRITTEN, 'JOS\u00c9@x.ORG', 'jose\u0301@x.org'];

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    ({ api_key: secret } = await alice.createApiKey(kbId));
    await alice.addDocument(kbId, { title: 'Lamps', text: TEXT });
  });

  /** @returns what a token of that name gets, and the conversation */
  const chat = async (name: string, conversationId?: string) => {
    const partner = new Client(service);
    const { client_token: token } = await partner.createClientToken(secret, name);
    return partner.chat(token, QUESTION, conversationId ? { conversation_id: conversationId } : {});
  };
  const ofName = (name: string, more = '') =>
    `/kbs/${kbId}/conversations?end_user_id=${encodeURIComponent(name)}${more}`;
  const found = async (name: string, more?: string) =>
    (await alice.get<Page<{ end_user_id: string }>>(ofName(name, more))).body.data.map(
      ({ end_user_id: id }) => id,
    );

  it('are theirs, shown as they were begun', async () => {
    const { conversation_id: id } = (await chat(WRITTEN)).body;
    for (const name of SPELLINGS) {
      expect(outcome(await chat(name, id))).toBe('200');
      expect([await found(name), await found(name, '&q=lamps')]).toEqual([[WRITTEN], [WRITTEN]]);
    }
    const named = { conversation_id: id, end_user_id: SPELLINGS[1] };
    expect(outcome(await new Client(service).chat(secret, QUESTION, named))).toBe('200');
    expect(await found(WRITTEN)).toEqual([WRITTEN]);
    expect(outcome(await chat('carol', id))).toBe('404 not_found');
    expect(await found('carol')).toEqual([]);
  });

  it('are erased together', async () => {
    for (const name of SPELLINGS) await chat(name);
    await chat('carol');
    expect(await found(WRITTEN)).toHaveLength(SPELLINGS.length);
    expect(outcome(await alice.call('DELETE', ofName(SPELLINGS[2] ?? '')))).toBe('200');
    expect([await found(WRITTEN), await found('carol')]).toEqual([[], ['carol']]);
  });

  it('are theirs as before where a process of the version before began them', async () => {
    const { conversation_id: id } = (await chat(WRITTEN)).body;
    await sql(
      service.environment,
      `UPDATE conversations SET compared_end_user_id = NULL WHERE id = '${id}'`,
    );
    expect([await found(WRITTEN), await found(WRITTEN, '&q=lamps')]).toEqual([
      [WRITTEN],
      [WRITTEN],
    ]);
    expect(outcome(await chat(WRITTEN, id))).toBe('200');
    expect(outcome(await alice.call('DELETE', ofName(WRITTEN)))).toBe('200');
    expect(await found(WRITTEN)).toEqual([]);
  });
});

describe('names written by an earlier version', () => {
  let service: Service;
  const run = (statement: string) => sql<Record<string, unknown>>(service.environment, statement);

  beforeAll(async () => {
    service = await Service.start({});
  });
  afterAll(() => service.stop());

  it('are deactivated even if a process of the version before wrote them', async () => {
    const alice = new Client(service, 'alice');
    const { id: kbId } = await alice.createKnowledgeBase();
    const { id: accountId } = await alice.createServiceAccount(kbId, 'owner');
    const { api_key: secret } = await alice.createManagementKey(accountId, ['members:write']);
    const scim = scimOf(service.url, secret);
    const key = await alice.createApiKey(kbId);
    const partner = new Client(service);
    const ask = async (user: string) => {
      const { client_token: token } = await partner.createClientToken(key.api_key, user);
      return outcome(await partner.query(token, QUESTION));
    };
    const inactive = { Operations: [{ op: 'replace', path: 'active', value: false }] };
    const leavings: Record<string, (path: string) => Promise<{ status: number }>> = {
      'Ben@X.org': (path) => scim('PATCH', path, inactive),
      'Ze\u0301': (path) => scim('PUT', path, { userName: 'Ze\u0301', active: false }),
      'Una@X.org': (path) => scim('DELETE', path),
    };
    for (const [written, leave] of Object.entries(leavings)) {
      const { body } = await scim('POST', 'Users', { userName: written });
      await alice.call('PUT', `/kbs/${kbId}/members/${encodeURIComponent('Una@X.org')}`, {
        role: 'viewer',
      });
      await run(
        `UPDATE directory_users SET user_id = '${written}', compared_name = NULL WHERE id = '${body.id}'`,
      );
      expect(await ask(written)).toBe('200');
      expect((await scim('POST', 'Users', { userName: written })).status).toBe(409);
      const rename = { Operations: [{ op: 'replace', path: 'userName', value: written }] };
      const { body: other } = await scim('POST', 'Users', { userName: `${written} Miller` });
      expect((await scim('PATCH', `Users/${other.id}`, rename)).status).toBe(409);
      expect((await leave(`Users/${body.id}`)).status).toBeLessThan(300);
      expect([await ask(written), await ask(written.toUpperCase())]).toEqual([
        '401 invalid_api_key',
        '401 invalid_api_key',
      ]);
    }
    expect(outcome(await new Client(service, 'una@x.org').get(`/kbs/${kbId}`))).toBe(
      '404 not_found',
    );
  });

  /** As the database was before the migration. */
  const undo = async () => {
    if (engine === 'sqlite') {
      const indexes = await run(
        `SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%compared_%'`,
      );
      for (const index of indexes) await run(`DROP INDEX "${String(index['name'])}"`);
    }
    await run('ALTER TABLE conversations DROP COLUMN compared_end_user_id');
    await run('ALTER TABLE directory_users DROP COLUMN compared_name');
    await run('ALTER TABLE knowledge_base_members DROP COLUMN written_id');
    await run(`DELETE FROM migrations WHERE name LIKE 'Compare%'`);
  };

  it('are kept by the migration, and two spellings become one person', async () => {
    const alice = new Client(service, 'Alice');
    const { id: kbId } = await alice.createKnowledgeBase();
    const { id: accountId } = await alice.createServiceAccount(kbId, 'owner');
    const { api_key: secret } = await alice.createManagementKey(accountId, ['members:write']);
    const push = async (userName: string) =>
      (await scimOf(service.url, secret)('POST', 'Users', { userName })).body.id;
    const ids = [await push('u1'), await push('u2'), await push('u3'), await push('u4')];
    const [upper = '', lower = '', gone = '', back = ''] = ids;
    const dotted = await push('u5');
    for (const name of ['m1', 'm2', 'dave']) {
      await alice.call('PUT', `/kbs/${kbId}/members/${name}`, { role: 'viewer' });
    }
    await alice.set(kbId, { budget_per_end_user: { messages: 2, period: 'day' } });
    await alice.addDocument(kbId, {
      ...{ title: 'Lamps', text: TEXT, access: { allow: ['everyone'], deny: ['user:eve'] } },
    });
    const key = await alice.createApiKey(kbId);
    await new Client(service).chat(key.api_key, QUESTION, { end_user_id: 'frank' });
    const counted = (member: string) =>
      run(`SELECT requests FROM usage_members WHERE member = '${member}'`);
    await eventually(async () => (await counted(numberOf(kbId, 'frank'))).length === 1);
    await service.stop();

    await undo();
    const name = (id: string, to: string) =>
      run(`UPDATE directory_users SET user_name = '${to}', user_id = '${to}' WHERE id = '${id}'`);
    await name(upper, 'Jos\u00c9');
    await name(lower, 'jose\u0301');
    await name(gone, 'Gina');
    await name(back, 'gina');
    await name(dotted, '\u0130nci');
    const off = engine === 'sqlite' ? '0' : 'false';
    await run(
      `UPDATE directory_users SET active = ${off} WHERE id IN ('${upper}', '${gone}', '${dotted}')`,
    );
    await run(`UPDATE directory_users SET removed_at = created_at WHERE id = '${gone}'`);
    await run(`UPDATE knowledge_base_members SET user_id = 'Alice' WHERE user_id = 'alice'`);
    await run(`UPDATE knowledge_base_members SET user_id = 'Bob' WHERE user_id = 'm1'`);
    await run(
      `UPDATE knowledge_base_members SET user_id = 'bob', role = 'member' WHERE user_id = 'm2'`,
    );
    await run(`UPDATE access_entries SET principal = 'user:Eve' WHERE principal = 'user:eve'`);

    await run(`UPDATE conversations SET end_user_id = 'Frank'`);
    const [former, number] = [numberOf(kbId, 'Frank'), numberOf(kbId, 'frank')];
    await run(`UPDATE usage_members SET member = '${former}' WHERE member = '${number}'`);
    await run(
      `UPDATE budget_counts SET subject = 'user:${former}' WHERE subject = 'user:${number}'`,
    );

    service = await Service.start(service.environment);
    const kept = 'SELECT end_user_id, compared_end_user_id FROM conversations';
    expect(await run(kept)).toEqual([{ end_user_id: 'Frank', compared_end_user_id: 'frank' }]);
    expect((await counted(number)).map(({ requests }) => Number(requests))).toEqual([1]);
    const again = new Client(service, 'aLiCe');
    const { body } = await again.get<Page<{ user_id: string; role: string }>>(
      `/kbs/${kbId}/members`,
    );
    const shown = body.data.map(({ user_id: id, role }) => `${id} ${role}`).sort();
    expect(shown).toEqual(
      ['Alice owner', 'bob member', 'dave viewer', `${accountId} owner`].sort(),
    );
    const scim = scimOf(service.url, secret);
    const statuses = await Promise.all(ids.map((id) => scim('GET', `Users/${id}`)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
    expect((await scim('POST', 'Users', { userName: 'JOSÉ' })).status).toBe(409);
    const partner = new Client(service);
    const chat = async () =>
      outcome(await partner.chat(key.api_key, QUESTION, { end_user_id: 'FRANK' }));
    expect([await chat(), await chat()]).toEqual(['200', '429 budget_reached']);
    const ask = async (user: string) => {
      const { client_token: token } = await partner.createClientToken(key.api_key, user);
      const answer = await partner.query(token, QUESTION);
      return answer.status === 200 ? answer.body.results.length : outcome(answer);
    };
    // One of the two spellings has left, until the provider takes it back or deletes it.
    expect([await ask('josé'), await ask('GINA'), await ask('eve')]).toEqual([
      ...['401 invalid_api_key', 1, 0],
    ]);
    expect(await ask('\u0130nci')).toBe('401 invalid_api_key');
    await scim('DELETE', `Users/${upper}`);
    expect(await ask('José')).toBe(1);
    await scim('DELETE', `Users/${lower}`);
    expect(await ask('José')).toBe('401 invalid_api_key');
  });
});
