import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatAnswer, Client, type Document, outcome, type Page } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';

const SALARIES = { title: 'Salaries', text: 'The director of the bank earns 9,000 euros a month.' };
const QUESTION = 'How much does the director of the bank earn?';
const STAFF = { allow: ['group:staff'] };
const EVERYONE = { allow: ['everyone'] };

describe('rules of documents', () => {
  let service: SharedService;
  let alice: Client;
  let viewer: Client;
  let kbId: string;
  let apiKey: string;
  let serial = 0;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    const viewerId = newUserId('viewer');
    viewer = new Client(service, viewerId);
    kbId = (await alice.createKnowledgeBase()).id;
    await alice.call('PUT', `/kbs/${kbId}/members/${viewerId}`, { role: 'viewer' });
    const scopes = ['query', 'chat', 'feedback', 'documents:read', 'documents:write'];
    apiKey = (await alice.createApiKey(kbId, { scopes })).api_key;
    await alice.addDocument(kbId, { title: 'Returns', text: 'Orders are returned for a month.' });
  });

  const add = (fields: object) =>
    alice.addDocument(kbId, {
      ...SALARIES,
      text: `${SALARIES.text} Number ${serial++}.`,
      external_id: newUserId('doc'),
      ...fields,
    });
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const token = async (endUserId: string) =>
    (await alice.createClientToken(apiKey, endUserId)).client_token;
  const finds = async (secret: string, id: string) => {
    const { body } = await alice.query(secret, QUESTION, { top_k: 50 });
    return body.results.some(({ document_id }) => document_id === id);
  };
  const patch = async (id: string, fields: object) =>
    outcome(await alice.call('PATCH', `/documents/${id}`, fields));

  it('are obeyed from the next question on, whoever asks', async () => {
    const document = await add({ access: { allow: ['user:anna', 'group:staff'] } });
    const [anna, bert] = [await token('anna'), await token('bert')];
    const found = async () =>
      Promise.all([apiKey, anna, bert].map((secret) => finds(secret, document.id)));
    expect(await found()).toEqual([false, true, false]);
    expect(await patch(document.id, { access: EVERYONE })).toBe('200');
    expect(await found()).toEqual([true, true, true]);
    await patch(document.id, { access: { allow: ['everyone'], deny: ['user:bert'] } });
    expect(await found()).toEqual([true, true, false]);
    await patch(document.id, { access: { allow: [] } });
    expect(await found()).toEqual([false, false, false]);
    await patch(document.id, { access: null });
    expect(await found()).toEqual([true, true, true]);
  });

  it('may be those of a set, which changes all its documents at once', async () => {
    const { status, body: set } = await alice.post<{ id: string }>(`/kbs/${kbId}/access-sets`, {
      ...{ name: 'Staff', ...STAFF, deny: ['user:bert'] },
    });
    expect(status).toBe(201);
    const documents = [await add({ access_set: set.id }), await add({ access_set: set.id })];
    const found = async () =>
      Promise.all(documents.map(async ({ id }) => finds(await token('anna'), id)));
    expect(await found()).toEqual([false, false]);
    const changed = await alice.call<object>('PATCH', `/access-sets/${set.id}`, {
      allow: ['user:anna'],
    });
    const kept = { name: 'Staff', allow: ['user:anna'], deny: ['user:bert'], document_count: 2 };
    expect(changed.body).toMatchObject(kept);
    const listed = await alice.get<Page<object>>(`/kbs/${kbId}/access-sets`);
    expect(listed.body).toMatchObject({ total: 1, data: [kept] });
    const ofSet = `/kbs/${kbId}/documents?access_set=${set.id}`;
    expect((await alice.get<Page<object>>(ofSet)).body).toMatchObject({
      ...{ total: 2, data: [{ access_set: set.id }, { access_set: set.id }] },
    });
    expect(await found()).toEqual([true, true]);
    const remove = () => alice.call('DELETE', `/access-sets/${set.id}`);
    expect(outcome(await remove())).toBe('409 access_set_in_use');
    for (const { id } of documents) await patch(id, { access: STAFF });
    expect(outcome(await remove())).toBe('200');
    expect(outcome(await remove())).toBe('404 not_found');
    expect(await found()).toEqual([false, false]);
    const events = await alice.get<Page<{ action: string }>>(`/kbs/${kbId}/audit-events?limit=10`);
    expect(events.body.data.map(({ action }) => action)).toContain('access_set.deleted');
  });

  it('close documents without any, if the knowledge base says so', async () => {
    const document = await add({});
    expect(await finds(apiKey, document.id)).toBe(true);
    await alice.set(kbId, { default_access: 'closed' });
    expect(await finds(apiKey, document.id)).toBe(false);
    const opened = await add({ access: EVERYONE });
    expect(await finds(apiKey, opened.id)).toBe(true);
    await alice.set(kbId, { default_access: 'members' });
    expect(await finds(apiKey, document.id)).toBe(true);
  });

  it('are shown to keepers with each document; readers see what they may read', async () => {
    const document = await add({ access: STAFF });
    const read = async (client: Client, path = '') =>
      outcome(await client.get(`/documents/${document.id}${path}`));
    const { body } = await alice.get<Document>(`/documents/${document.id}`);
    expect(body).toMatchObject({ access: { allow: ['group:staff'], deny: [] }, access_set: null });
    expect(await read(viewer)).toBe('404 not_found');
    for (const path of ['/chunks', '/content', '/original']) {
      expect([path, await read(alice, path)]).toEqual([path, '404 not_found']);
    }
    const listed = async (client: Client) => {
      const { body: page } = await client.get<Page<Document>>(`/kbs/${kbId}/documents?limit=100`);
      return { total: page.total, has: page.data.some(({ id }) => id === document.id) };
    };
    const [all, readable] = [await listed(alice), await listed(viewer)];
    expect([all.has, readable.has]).toEqual([true, false]);
    expect(readable.total).toBeLessThan(all.total);
    const byKey = `/ingest/documents/${String(document.external_id)}`;
    expect(outcome(await alice.call('GET', byKey, undefined, bearer(apiKey)))).toBe(
      '404 not_found',
    );
    await patch(document.id, { access: EVERYONE });
    expect(await read(viewer)).toBe('200');
    expect(await read(alice, '/chunks')).toBe('200');
    const { body: seen } = await viewer.get<object>(`/documents/${document.id}`);
    expect(seen).not.toHaveProperty('access');
  });

  it('stay when a document is replaced without one, and close its former content', async () => {
    const document = await add({ access: STAFF });
    const path = `/ingest/documents/${String(document.external_id)}`;
    const put = (fields: object) =>
      alice.call<Document>('PUT', path, { ...SALARIES, ...fields }, bearer(apiKey));
    const replaced = await put({ text: 'Other text.' });
    expect(replaced.body).toMatchObject({ access: { allow: ['group:staff'] } });
    await alice.readDocument(document.id);
    const opened = await put({ text: 'For everyone.', access: EVERYONE });
    expect(opened.body).toMatchObject({ id: document.id, access: EVERYONE });
    await alice.readDocument(document.id);
    const { body } = await alice.get<Page<{ text: string }>>(`/documents/${document.id}/chunks`);
    expect(body.data.map(({ text }) => text)).toEqual(['For everyone.']);
    const unchanged = await put({ text: 'For everyone.' });
    expect(unchanged.status).toBe(200);
  });

  it('stay when a document is deleted and added again by its external id', async () => {
    const document = await add({});
    const externalId = String(document.external_id);
    const path = `/ingest/documents/${externalId}`;
    const put = async (fields: object = {}) =>
      (await alice.call<Document>('PUT', path, { ...SALARIES, ...fields }, bearer(apiKey))).body;
    const remove = () => alice.call('DELETE', path, undefined, bearer(apiKey));
    await patch(document.id, { access: STAFF });
    await remove();
    const again = await put();
    expect(again).toMatchObject({ access: { allow: ['group:staff'] } });
    expect(again.id).not.toBe(document.id);
    // In the dashboard too, with a set.
    const set = { name: 'Directors', allow: ['group:directors'] };
    const { body } = await alice.post<{ id: string }>(`/kbs/${kbId}/access-sets`, set);
    await patch(again.id, { access_set: body.id });
    await alice.call('DELETE', `/documents/${again.id}`);
    const uploaded = await add({ external_id: externalId });
    expect(uploaded).toMatchObject({ access_set: body.id });
    // A set that was deleted meanwhile opens nothing either.
    await remove();
    expect(outcome(await alice.call('DELETE', `/access-sets/${body.id}`))).toBe('200');
    expect(await put()).toMatchObject({ access: { allow: [] } });
    // What is said when it is added again counts, and from then on.
    await remove();
    expect(await put({ access: EVERYONE })).toMatchObject({ access: EVERYONE });
    await remove();
    expect(await put({ access: null })).toMatchObject({ access: null });
    await remove();
    expect(await put()).toMatchObject({ access: null });
  });

  it('do not open the former content of a document whose new one is not indexed', async () => {
    const broken = { name: 'a.pdf', bytes: '%PDF-1.7 broken' };
    for (const isPatched of [true, false]) {
      const { id, external_id } = await add({ access: STAFF });
      const replace = async (access: object) => {
        const bytes = `${broken.bytes} ${String(external_id)}`;
        const fields = { external_id: String(external_id), on_duplicate: 'replace' };
        const rule = { access: JSON.stringify(access) };
        await uploadFile(alice, kbId, { ...broken, bytes }, { ...fields, ...rule });
        return alice.readDocument(id);
      };
      expect(await replace(STAFF)).toMatchObject({ id, status: 'failed', access: STAFF });
      if (isPatched) await patch(id, { access: EVERYONE });
      else await replace(EVERYONE);
      expect(await alice.readDocument(id)).toMatchObject({ access: EVERYONE });
      expect(await finds(apiKey, id)).toBe(false);

      const path = `/ingest/documents/${String(external_id)}`;
      const text = `${SALARIES.text} Public ${serial++}.`;
      const pending = { ...SALARIES, text, access: STAFF };
      await alice.call('PUT', path, pending, bearer(apiKey));
      await patch(id, { access: EVERYONE });
      expect(await alice.readDocument(id)).toMatchObject({ status: 'ready' });
      expect(await finds(apiKey, id)).toBe(true);
    }
  });

  it.each<[string, (kbId: string, setId: string) => Promise<unknown>]>([
    ['a set', (_, setId) => alice.call('PATCH', `/access-sets/${setId}`, EVERYONE)],
    ['the default', (kb) => alice.set(kb, { default_access: 'members' })],
  ])('do not open former content by %s that changes', async (which, open) => {
    const { id: kb } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(kb);
    const { id: setId } = await alice.createAccessSet(kb);
    await alice.set(kb, { default_access: 'closed' });
    const rule = which === 'a set' ? { access_set: setId } : {};
    const fields = { ...SALARIES, ...rule };
    const { id } = await alice.addDocument(kb, { ...fields, external_id: 'a' });
    const same = await alice.addDocument(kb, { ...fields, text: `${SALARIES.text} Too.` });
    const file = { name: 'a.pdf', bytes: `%PDF-1.7 broken ${kb}` };
    await uploadFile(alice, kb, file, { external_id: 'a', on_duplicate: 'replace' });
    expect(await alice.readDocument(id)).toMatchObject({ id, status: 'failed' });
    // Its content stays, whether it waits or not.
    await alice.post(`/documents/${same.id}/reindex`, undefined);
    await open(kb, setId);
    const { body } = await alice.query(secret, QUESTION, { top_k: 50 });
    expect(body.results.map(({ document_id }) => document_id)).toEqual([same.id]);
  });

  it.each<[string, (kbId: string, set: { id: string; allow: string[] }) => Promise<unknown>]>([
    [
      'a set with another name',
      (_, { id }) => alice.call('PATCH', `/access-sets/${id}`, { name: 'Other' }),
    ],
    ['a set', (_, { id, allow }) => alice.call('PATCH', `/access-sets/${id}`, { allow, deny: [] })],
    ['the default', (kb) => alice.set(kb, { default_access: 'members' })],
  ])('keep the former content where it is the same again: %s', async (which, repeat) => {
    const { id: kb } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(kb);
    const set = { ...EVERYONE, id: (await alice.createAccessSet(kb, EVERYONE)).id };
    const rule = which === 'the default' ? {} : { access_set: set.id };
    const { id } = await alice.addDocument(kb, { ...SALARIES, ...rule, external_id: 'a' });
    const file = { name: 'a.pdf', bytes: `%PDF-1.7 broken ${kb}` };
    await uploadFile(alice, kb, file, { external_id: 'a', on_duplicate: 'replace' });
    expect(await alice.readDocument(id)).toMatchObject({ id, status: 'failed' });
    await repeat(kb, set);
    const { body } = await alice.query(secret, QUESTION);
    expect(body.results.map(({ document_id }) => document_id)).toEqual([id]);
  });

  it.each<[string, (kbId: string, setId: string, documentId: string) => Promise<unknown>]>([
    [
      'its own',
      (_, __, documentId) => alice.call('PATCH', `/documents/${documentId}`, { access: EVERYONE }),
    ],
    ['a set', (_, setId) => alice.call('PATCH', `/access-sets/${setId}`, EVERYONE)],
    ['the default', (kb) => alice.set(kb, { default_access: 'members' })],
  ])('count no words of former content that they do not open: %s', async (which, open) => {
    const { id: kb } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(kb);
    const { id: setId } = await alice.createAccessSet(kb);
    await alice.set(kb, { default_access: 'closed' });
    const rule = {
      'its own': { access: STAFF },
      'a set': { access_set: setId },
    }[which];
    await alice.addDocument(kb, { ...SALARIES, access: EVERYONE });
    for (let number = 0; number < 5; number++) {
      const text = `Orders are returned for ${number} months.`;
      await alice.addDocument(kb, { title: `Returns ${number}`, text, access: EVERYONE });
    }
    const former = { title: 'Bonuses', text: `The director gets zwieback. ${SALARIES.text}` };
    const { id } = await alice.addDocument(kb, { ...former, ...rule, external_id: 'a' });
    const told = async () => {
      const { body } = await alice.query(secret, QUESTION, { top_k: 50 });
      const { body: misspelt } = await alice.query(secret, 'Who gets zwiebak for a director?');
      return [body, misspelt].map(({ results }) =>
        results.map(({ document_id, score }) => ({ document_id, score })),
      );
    };
    const before = await told();
    const file = { name: 'a.pdf', bytes: `%PDF-1.7 broken ${kb}` };
    await uploadFile(alice, kb, file, { external_id: 'a', on_duplicate: 'replace' });
    expect(await alice.readDocument(id)).toMatchObject({ id, status: 'failed' });
    await open(kb, setId, id);
    expect(await told()).toEqual(before);
    await alice.post(`/documents/${id}/reindex`, undefined);
    const content = { ...former, external_id: 'a', on_duplicate: 'replace' };
    await alice.post(`/kbs/${kb}/documents`, content);
    expect(await alice.readDocument(id)).toMatchObject({ id, status: 'ready' });
    const [found] = await told();
    expect(found?.map(({ document_id }) => document_id)).toContain(id);
  });

  it('are read anew only when they change', async () => {
    const versions = () =>
      sql(
        service.environment,
        `SELECT access_version, document_rules_version FROM knowledge_bases WHERE id = '${kbId}'`,
      );
    const { id } = await add({ access: STAFF });
    const before = await versions();
    expect(await patch(id, { access: STAFF, title: 'Pay' })).toBe('200');
    expect(await versions()).toEqual(before);
    expect(await patch(id, { access: EVERYONE })).toBe('200');
    expect(await versions()).not.toEqual(before);
  });

  it('hide figures of what they close', async () => {
    const { id: kb } = await alice.createKnowledgeBase();
    const memberId = newUserId('member');
    const member = new Client(service, memberId);
    await alice.call('PUT', `/kbs/${kb}/members/${memberId}`, { role: 'member' });
    const [{ id: theirs }, { id: own }] = [
      await alice.createEvaluation(kb),
      await member.createEvaluation(kb),
    ];
    const seen = async (client: Client) => {
      const { body } = await client.get<Page<{ id: string }>>(`/kbs/${kb}/evaluations`);
      const read = await client.get(`/evaluations/${theirs}`);
      return [body.data.map(({ id }) => id).sort(), outcome(read)];
    };
    const both = [[own, theirs].sort(), '200'];
    expect([await seen(alice), await seen(member)]).toEqual([both, both]);
    await alice.addDocument(kb, { ...SALARIES, access: STAFF });
    expect([await seen(alice), await seen(member)]).toEqual([both, [[own], '404 not_found']]);
    const remove = await member.call('DELETE', `/evaluations/${theirs}`);
    expect(outcome(remove)).toBe('404 not_found');
  });

  it('say who may read, and why', async () => {
    const document = await add({ access: { allow: ['group:a, b', 'everyone'], deny: ['user:é'] } });
    const check = async (...principals: string[]) =>
      (await alice.post(`/documents/${document.id}/access-check`, { principals })).body;
    expect(await check('group:a, b')).toEqual({ allowed: true, by: 'allow everyone' });
    expect(await check('user:e\u0301', 'group:a, b')).toEqual({
      allowed: false,
      by: 'deny user:é',
    });
    await patch(document.id, { access: { allow: ['group:x'] } });
    expect(await check()).toEqual({ allowed: false, by: 'no entry' });
    await patch(document.id, { access: null });
    expect(await check()).toEqual({ allowed: true, by: 'default_access members' });
  });

  it.each([
    ['access.allow', { access: {} }],
    ['access.allow', { access: { allow: 'everyone' } }],
    ['access.allow', { access: { allow: ['anna'] } }],
    ['access.allow', { access: { allow: ['group:'] } }],
    ['access.allow', { access: { allow: Array.from({ length: 501 }, (_, n) => `user:${n}`) } }],
    ['access.deny', { access: { allow: ['everyone'], deny: [null] } }],
    ['access', { access: 'everyone' }],
    ['access_set', { access_set: 'as_01kafdp6ygf4rs4s2cr5cvzwkc' }],
    ['access_set', { access_set: 'x' }],
    ['access_set', { access_set: '' }],
    ['access_set', { access_set: '', access: { allow: ['everyone'] } }],
    ['access_set', { access_set: 'as_01kafdp6ygf4rs4s2cr5cvz\0kc' }],
    ['access', { access: { allow: [] }, access_set: 'as_01kafdp6ygf4rs4s2cr5cvzwkc' }],
  ])('that are ill-formed are refused by naming %s', async (field, fields) => {
    const document = { ...SALARIES, text: `Ill-formed ${serial++}.` };
    const answer = await alice.post<{ errors: { field: string }[] }>(`/kbs/${kbId}/documents`, {
      ...document,
      ...fields,
    });
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.body.errors.map((error) => error.field)).toContain(field);
  });

  it('stay where the name of another set is empty', async () => {
    const document = await add({ access: STAFF });
    expect(await patch(document.id, { access_set: '' })).toBe('400 validation_failed');
    const file = { name: 'a.txt', bytes: `Empty ${serial++}.` };
    const fields = { external_id: String(document.external_id), on_duplicate: 'replace' };
    const answer = await uploadFile(alice, kbId, file, { ...fields, access_set: '' });
    expect(outcome(answer)).toBe('400 validation_failed');
    const { body } = await alice.get<Document>(`/documents/${document.id}`);
    expect(body).toMatchObject({ access: { allow: ['group:staff'] } });
  });

  it('come with files too, as JSON', async () => {
    const answer = await uploadFile(
      alice,
      kbId,
      { name: 'a.txt', bytes: `File ${serial++}.` },
      {
        access: JSON.stringify(STAFF),
      },
    );
    expect(answer.body).toMatchObject({ access: { allow: ['group:staff'], deny: [] } });
  });

  it('are asked in the name of others by owners alone, and that is recorded', async () => {
    const document = await add({ access: STAFF });
    const ask = (client: Client) =>
      client.post<ChatAnswer>(`/kbs/${kbId}/query`, {
        message: QUESTION,
        ...{ top_k: 50, principals: ['group:staff'] },
      });
    expect(outcome(await ask(viewer))).toBe('403 insufficient_role');
    const { body } = await ask(alice);
    expect(JSON.stringify(body)).toContain(document.id);
    const { body: own } = await alice.post(`/kbs/${kbId}/query`, { message: QUESTION, top_k: 50 });
    expect(JSON.stringify(own)).not.toContain(document.id);
    const events = await alice.get<Page<object>>(
      `/kbs/${kbId}/audit-events?action=knowledge_base.asked_as`,
    );
    expect(events.body.data).toMatchObject([{ details: { principals: ['group:staff'] } }]);
  });
});
