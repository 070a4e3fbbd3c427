import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { type ChatAnswer, Client, type Document, outcome, type Page } from '../support/client.js';
import { ModelServer, says, saysAndHangs } from '../support/model-server.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const QUESTION = 'How much does the director earn?';
const SECRET = 'The director earns nine thousand euros.';
const ANNA = { allow: ['user:anna'] };
const EVERYONE = { allow: ['everyone'] };

describe('documents that are closed later', () => {
  let model: ModelServer;
  let service: Service;
  let other: Service;
  let alice: Client;
  let viewer: Client;
  let kbId: string;
  let apiKey: string;
  let document: Document;

  beforeAll(async () => {
    model = await ModelServer.start();
    service = await Service.start(model.environment);
    other = await service.beside();
    alice = new Client(other, 'alice');
    viewer = new Client(service, 'viewer');
    ({ id: kbId } = await alice.createKnowledgeBase());
    await alice.call('PUT', `/kbs/${kbId}/members/viewer`, { role: 'viewer' });
    await alice.set(kbId, { refusal_text: 'No idea.', originals: 'readers' });
    document = await alice.addDocument(kbId, { title: 'Salaries', text: SECRET });
    ({ api_key: apiKey } = await alice.createApiKey(kbId));
  });

  afterAll(async () => {
    await Promise.all([service.stop(), other.stop()]);
    await model.stop();
  });

  const rule = async (access: object | null) =>
    outcome(await alice.call('PATCH', `/documents/${document.id}`, { access }));
  const tokenOf = async (user: string) =>
    (await alice.createClientToken(apiKey, user)).client_token;
  const messagesFor = async (client: Client, id: string) => {
    const { body } = await client.get<Page<ChatAnswer & { role: string; content: string }>>(
      `/conversations/${id}/messages`,
    );
    return body.data;
  };

  it('end a stream that rests on them, and no other', async () => {
    await rule(EVERYONE);
    const open = async (user: string) => {
      model.behave = saysAndHangs('Nine thousand');
      const asked = { api_key: await tokenOf(user), message: QUESTION };
      const stream = await ChatStream.open(service, asked);
      await eventually(() => stream.text === 'Nine thousand');
      return stream;
    };
    const [anna, bert] = [await open('anna'), await open('bert')];
    await rule(ANNA);
    const at = Date.now();
    await bert.done();
    expect(Date.now() - at).toBeLessThan(STALLED_MS);
    expect(bert.error).toMatchObject({ status: 409, code: 'access_changed' });
    expect(anna.names).not.toContain('error');
    anna.leave();
  });

  it('end a stream of a key that no longer has the principals for them', async () => {
    await rule({ allow: ['group:staff'] });
    const key = await alice.createApiKey(kbId, { principals: ['group:staff', 'group:other'] });
    model.behave = saysAndHangs('Nine thousand');
    const stream = await ChatStream.open(service, { api_key: key.api_key, message: QUESTION });
    await eventually(() => stream.text === 'Nine thousand');
    const principals = ['group:other'];
    expect(outcome(await alice.call('PATCH', `/api-keys/${key.id}`, { principals }))).toBe('200');
    await stream.done();
    expect(stream.error).toMatchObject({ status: 409, code: 'access_changed' });
  });

  describe('end the stream', () => {
    const hang = async (body: object, headers: Record<string, string> = {}, path?: string) => {
      model.behave = saysAndHangs('Nine thousand');
      const asked = { message: QUESTION, ...body };
      const stream = await ChatStream.open(service, asked, headers, path);
      await eventually(() => stream.text === 'Nine thousand');
      return stream;
    };
    const endOf = async (stream: ChatStream) => {
      const at = Date.now();
      await stream.done();
      expect(Date.now() - at).toBeLessThan(STALLED_MS);
      return stream.error;
    };
    const playground = (user: string) => hang({}, { 'x-idp-user-id': user }, `/kbs/${kbId}/chat`);
    let secret: string;
    const scim = async (method: string, path: string, body: object) => {
      const response = await fetch(`${other.url}/scim/v2/${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
        body: JSON.stringify(body),
      });
      expect(response.status).toBeLessThan(300);
      return (await response.json()) as { id: string };
    };
    const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { Operations });
    const member = (id: string) =>
      alice.call('PUT', `/kbs/${kbId}/members/${id}`, { role: 'viewer' });

    beforeAll(async () => {
      const account = await alice.createServiceAccount(kbId, 'owner');
      secret = (await alice.createManagementKey(account.id, ['members:write'])).api_key;
    });

    it('when its reader is no longer a member, directly or by a group', async () => {
      await rule(EVERYONE);
      const { id } = await scim('POST', 'Users', { userName: 'dora' });
      const name = 'testers';
      const group = await scim('POST', 'Groups', { displayName: name, members: [{ value: id }] });
      const leave = [
        () => alice.call('DELETE', `/kbs/${kbId}/members/dora`),
        () => alice.call('DELETE', `/kbs/${kbId}/members/group:${name}`),
        () => patch(`Groups/${group.id}`, { op: 'remove', path: 'members' }),
      ];
      for (const [index, end] of leave.entries()) {
        await member(index === 0 ? 'dora' : `group:${name}`);
        const [stream, alices] = [await playground('dora'), await playground('alice')];
        await end();
        expect(await endOf(stream)).toMatchObject({ status: 404, code: 'not_found' });
        expect(alices.names).not.toContain('error');
        alices.leave();
      }
    });

    it('when its reader has left the group that may read them', async () => {
      await rule({ allow: ['group:payroll'] });
      const { id } = await scim('POST', 'Users', { userName: 'emil' });
      const { id: groupId } = await scim('POST', 'Groups', {
        ...{ displayName: 'payroll', members: [{ value: id }] },
      });
      await member('emil');
      const stream = await playground('emil');
      await patch(`Groups/${groupId}`, { op: 'remove', path: `members[value eq "${id}"]` });
      expect(await endOf(stream)).toMatchObject({ status: 409, code: 'access_changed' });
    });

    it('when the identity provider has deactivated its reader', async () => {
      await rule(EVERYONE);
      const { id } = await scim('POST', 'Users', { userName: 'fritz' });
      await member('fritz');
      const own = await hang({ api_key: await tokenOf('fritz') });
      const others = await hang({ api_key: await tokenOf('gerda') });
      const dashboard = await playground('fritz');
      await patch(`Users/${id}`, { op: 'replace', path: 'active', value: false });
      expect(await endOf(own)).toMatchObject({ status: 401, code: 'invalid_api_key' });
      expect(await endOf(dashboard)).toMatchObject({ status: 404, code: 'not_found' });
      expect(others.names).not.toContain('error');
      others.leave();
    });

    it('when its reader has left another knowledge base that the question searched', async () => {
      const name = 'Left';
      const { id: left } = await alice.createKnowledgeBase(name);
      await alice.addDocument(left, { title: 'Salaries', text: SECRET });
      const account = await alice.createServiceAccount(left, 'owner');
      secret = (await alice.createManagementKey(account.id, ['members:write'])).api_key;
      const { id: main } = await alice.createKnowledgeBase();
      await alice.addDocument(main, { title: 'Salaries', text: SECRET });
      const kbs = [{ kb_id: main }, { kb_id: left }];
      const { body: key } = await alice.post<{ api_key: string }>('/api-keys', {
        ...{ name, environment: 'live', kbs },
      });
      const { id } = await scim('POST', 'Users', { userName: 'hanna' });
      const { client_token } = await alice.createClientToken(key.api_key, 'hanna');
      const both = await hang({ api_key: client_token });
      const one = await hang({ api_key: client_token, kb_ids: [main] });
      await patch(`Users/${id}`, { op: 'replace', path: 'active', value: false });
      expect(await endOf(both)).toMatchObject({ status: 409, code: 'access_changed' });
      expect(one.names).not.toContain('error');
      one.leave();
    });
  });

  it('are in no answer that was not sent before', async () => {
    await rule(EVERYONE);
    model.behave = async (response, call) => {
      await rule({ allow: [] });
      await says('Nine thousand. [1]')(response, call);
    };
    const answer = await alice.chat(apiKey, QUESTION);
    expect(outcome(answer)).toBe('409 access_changed');
    expect(answer.text).not.toContain('Nine');
  });

  it('are in no old answer, neither in the history nor in what a model is sent of it', async () => {
    await rule(EVERYONE);
    model.behave = says('Nine thousand euros. [1]');
    const token = await tokenOf('bert');
    const { body } = await alice.chat(token, QUESTION);
    const { conversation_id: id } = body;
    const url = String(body.sources[0]?.['original_url' as 'snippet']);
    const original = async () => (await fetch(service.url + url)).status;
    expect(body).toMatchObject({ answered: true, sources: [{ document_id: document.id }] });
    expect((await messagesFor(viewer, id))[1]).toMatchObject({ content: body.answer });
    expect(await original()).toBe(200);
    const comment = 'Nine thousand is too much.';
    const rating = { api_key: token, rating: 'down', comment };
    expect(outcome(await alice.post(`/messages/${body.message_id}/feedback`, rating))).toBe('200');
    expect((await messagesFor(viewer, id))[1]).toMatchObject({ feedback: { comment } });

    await rule(ANNA);
    for (const client of [viewer, alice]) {
      const messages = await messagesFor(client, id);
      expect(messages[1]).toMatchObject({
        ...{ content: 'No idea.', sources: [], answered: false },
        feedback: { rating: 'down', comment: null },
      });
      expect(JSON.stringify(messages)).not.toMatch(/thousand|Salaries/);
    }
    expect(await original()).toBe(404);
    await rule(EVERYONE);
    await alice.addDocument(kbId, { title: 'Hours', text: 'The director works on Mondays.' });
    // What was said of it is repeated by an answer that rests on another document, and by one after that.
    model.behave = says('On Tuesdays, for nine thousand euros. [1]');
    const hours = 'On which Mondays does she work?';
    const go = { conversation_id: id, top_k: 1 };
    const repeated = [];
    for (const question of [hours, hours]) {
      const { body: later } = await alice.chat(token, question, go);
      expect(later.sources.map(({ document_id }) => document_id)).not.toContain(document.id);
      repeated.push(later.answer);
    }
    await rule(ANNA);
    model.behave = says('On Mondays. [1]');
    const calls = model.calls.length;
    const { body: fresh } = await alice.chat(token, hours, go);
    expect(model.calls.length).toBeGreaterThan(calls);
    expect(JSON.stringify(model.last.body)).not.toMatch(/thousand|Salaries/);
    const answersFor = async (client: Client) =>
      (await messagesFor(client, id)).flatMap(({ role, content }) =>
        role === 'assistant' ? [content] : [],
      );
    for (const client of [viewer, alice]) {
      expect(await answersFor(client)).toEqual([
        ...['No idea.', 'No idea.', 'No idea.'],
        fresh.answer,
      ]);
    }
    // One whose model was told of nothing that is closed is told to the next.
    await alice.chat(token, hours, go);
    expect(JSON.stringify(model.last.body)).toContain(fresh.answer.replace(' [1]', ''));

    await rule(EVERYONE);
    expect((await answersFor(viewer)).slice(0, 4)).toEqual([
      body.answer,
      ...repeated,
      fresh.answer,
    ]);
    await rule(ANNA);
    await alice.call('DELETE', `/documents/${document.id}`);
    await eventually(async () => {
      const [, answer] = await messagesFor(viewer, id);
      return !/thousand|Salaries/.test(JSON.stringify(answer));
    });
  });

  it('are in no old answer that was cut because it repeated its instructions', async () => {
    document = await alice.addDocument(kbId, { title: 'Wages', text: `${SECRET} Every month.` });
    const told = 'She earns nine thousand a month. ';
    model.behave = (response, call) =>
      says(told, call.body.messages[0]?.content ?? '')(response, call);
    const token = await tokenOf('bert');
    // Without a stream nobody has received it.
    expect((await alice.chat(token, QUESTION)).body).toMatchObject({ answer: 'No idea.' });
    const stream = await ChatStream.open(service, { api_key: token, message: QUESTION });
    const { end } = await stream.done();
    expect(end).toMatchObject({ finish_reason: 'content_filter', sources: [] });
    const id = String(end?.conversation_id);
    expect((await messagesFor(viewer, id))[1]?.content).toContain(told.trim());
    await rule(ANNA);
    expect((await messagesFor(viewer, id))[1]).toMatchObject({ content: 'No idea.' });
    await alice.addDocument(kbId, { title: 'Office', text: 'The office opens at eight.' });
    model.behave = says('At eight. [1]');
    const go = { conversation_id: id, top_k: 1 };
    await alice.chat(token, 'When does the office open?', go);
    expect(JSON.stringify(model.last.body)).not.toContain('thousand a month');
  });

  it('are named by no old greeting', async () => {
    const title = 'Plans of the board';
    await alice.addDocument(kbId, {
      title,
      text: 'We sell it.',
      access: { allow: ['group:board'] },
    });
    const { body: issued } = await alice.post<{ client_token: string }>('/client-tokens', {
      ...{ api_key: apiKey, end_user_id: 'anna', groups: ['board'] },
    });
    const { body } = await alice.chat(issued.client_token, 'Hello');
    expect(body).toMatchObject({ kind: 'smalltalk', sources: [] });
    expect(body.answer).toContain(title);
    const [, shown] = await messagesFor(viewer, body.conversation_id);
    expect(shown).toMatchObject({ content: 'No idea.' });
    await alice.addDocument(kbId, { title: 'Opening', text: 'The shop opens at nine.' });
    model.behave = says('At nine. [1]');
    const go = { conversation_id: body.conversation_id };
    const { body: next } = await alice.chat(apiKey, 'When does the shop open?', go);
    expect(next.answer).toBe('At nine. [1]');
    expect(JSON.stringify(model.last.body)).not.toContain(title);
  });

  it('are named by no greeting of another knowledge base of the key', async () => {
    const main = await alice.createKnowledgeBase('Main');
    const hidden = await alice.createKnowledgeBase('Hidden');
    await alice.call('PUT', `/kbs/${main.id}/members/viewer`, { role: 'viewer' });
    await alice.addDocument(hidden.id, { title: 'Takeover', text: 'We buy it.' });
    const { body: key } = await alice.post<{ api_key: string }>('/api-keys', {
      ...{ name: 'Both', environment: 'live', kbs: [{ kb_id: main.id }, { kb_id: hidden.id }] },
    });
    const { body } = await alice.chat(key.api_key, 'Hello', { kb_ids: [hidden.id] });
    expect(body.answer).toContain('Takeover');
    const [, shown] = await messagesFor(alice, body.conversation_id);
    expect(shown).toMatchObject({ content: body.answer });
    const seen = JSON.stringify(await messagesFor(viewer, body.conversation_id));
    expect(seen).not.toMatch(/Takeover|Hidden/);
    const { body: bare } = await alice.chat(key.api_key, 'Hello', { kb_ids: [main.id] });
    const [, own] = await messagesFor(viewer, bare.conversation_id);
    expect(own).toMatchObject({ content: bare.answer });
    expect(bare.answer).toContain('Main');
  });

  describe('where there was never a rule', () => {
    const HR = { type: 'eq', key: 'department', value: 'hr' };
    const TOLD = 'Nine thousand. [1]';

    const create = async (name = 'Other', end?: End) => {
      const { id } = await alice.createKnowledgeBase(name);
      const add = (title: string, text: string) =>
        alice.addDocument(id, {
          ...{ title, text, external_id: title, on_duplicate: 'replace' },
          metadata: { department: 'hr' },
        });
      const key = await alice.createApiKey(id, { filter: HR });
      return { name, end, kbId: id, add, salaries: await add('Salaries', SECRET), key };
    };
    type Place = Awaited<ReturnType<typeof create>>;
    type End = (place: Place) => Promise<unknown>;
    const change = async (method: string, path: string, body?: object) => {
      expect(outcome(await alice.call(method, path, body))).toMatch(/^20\d$/);
    };
    const changeKey = (fields: object) => (place: Place) =>
      change('PATCH', `/api-keys/${place.key.id}`, fields);
    const changeDocument = (fields: object) => (place: Place) =>
      change('PATCH', `/documents/${place.salaries.id}`, fields);
    const ENDS: Record<string, End> = {
      deleted: ({ salaries }) => change('DELETE', `/documents/${salaries.id}`),
      replaced: ({ add }) => add('Salaries', 'The director earns nothing at all.'),
      'moved out of the filter': changeDocument({ metadata: { department: 'sales' } }),
      'without the metadata': changeDocument({ metadata: {} }),
      'no longer opened by the filter': changeKey({ filter: { ...HR, value: 'sales' } }),
      'closed by a first rule': changeDocument({ access: { allow: [] } }),
      'closed by default': ({ kbId: id }) => alice.set(id, { default_access: 'closed' }),
    };
    const open = async ({ key }: Place) => {
      const stream = await ChatStream.open(service, { api_key: key.api_key, message: QUESTION });
      await eventually(() => stream.text === TOLD);
      return stream;
    };

    it('end every answer that rests on them, and are in no later one', async () => {
      const places = await Promise.all(Object.entries(ENDS).map((end) => create(...end)));
      const beside = await create();
      model.behave = says(TOLD);
      const told = await Promise.all(
        places.map(async ({ key }) => (await alice.chat(key.api_key, QUESTION)).body),
      );
      expect(told.map(({ answer }) => answer)).toEqual(places.map(() => TOLD));
      model.behave = saysAndHangs(TOLD);
      const before = model.calls.length;
      const streams = await Promise.all(places.map(open));
      const wholes = places.map(({ key }) => alice.chat(key.api_key, QUESTION));
      const goesOn = await open(beside);
      await eventually(() => model.calls.length === before + 2 * places.length + 1);
      const at = Date.now();
      await Promise.all(places.map(async (place) => place.end?.(place)));
      const ended = async (place: Place, index: number) => [
        place.name,
        (await streams[index]?.done())?.error?.code,
        ...(await Promise.all(wholes.slice(index, index + 1))).map(outcome),
      ];
      expect(await Promise.all(places.map(ended))).toEqual(
        places.map(({ name }) => [name, 'access_changed', '409 access_changed']),
      );
      expect(Date.now() - at).toBeLessThan(STALLED_MS);
      expect(goesOn.names).not.toContain('error');
      goesOn.leave();

      model.behave = says('On Mondays. [1]');
      const asked = model.calls.length;
      await Promise.all(
        places.map(async ({ key, add }, index) => {
          await add('Hours', 'The director works on Mondays.');
          const { conversation_id } = told[index] ?? {};
          await alice.chat(key.api_key, 'When does the director work?', { conversation_id });
        }),
      );
      const later = model.calls.slice(asked).map(({ body }) => JSON.stringify(body.messages));
      expect(later.length).toBeGreaterThan(places.length / 2);
      expect(later.filter((messages) => messages.includes('Nine thousand'))).toEqual([]);
    });

    it('end the answer with what the credential would be told, where that ends too', async () => {
      const places = await Promise.all([0, 1, 2].map(() => create()));
      const [first, second, third] = places;
      model.behave = saysAndHangs(TOLD);
      const streams = await Promise.all(places.map(open));
      const playground = await ChatStream.open(
        service,
        { message: QUESTION },
        { 'x-idp-user-id': 'alice' },
        `/kbs/${String(first?.kbId)}/chat`,
      );
      await change('DELETE', `/kbs/${String(first?.kbId)}`);
      await change('PATCH', `/api-keys/${String(second?.key.id)}`, { scopes: ['query'] });
      await change('PATCH', `/api-keys/${String(third?.key.id)}/revoke`);
      const codes = [...streams, playground].map(async (one) => (await one.done()).error?.code);
      expect(await Promise.all(codes)).toEqual([
        ...['invalid_api_key', 'insufficient_scope', 'api_key_revoked', 'not_found'],
      ]);
    });

    it('end answers of every door', async () => {
      const { salaries, key, kbId: id } = await create();
      model.behave = saysAndHangs(TOLD);
      const before = model.calls.length;
      const post = async (path: string, headers: Record<string, string>, body: object) => {
        const response = await fetch(service.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
        return response.text();
      };
      const bearer = { authorization: `Bearer ${key.api_key}` };
      const completion = { model: 'latchkey', messages: [{ role: 'user', content: QUESTION }] };
      const accept = 'application/json, text/event-stream';
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
      const answers = [
        post('/v1/chat/completions', bearer, completion),
        post('/v1/chat/completions', bearer, { ...completion, stream: true }),
        post(
          '/mcp',
          { ...bearer, accept },
          {
            ...call,
            params: { name: 'ask', arguments: { question: QUESTION } },
          },
        ),
        post(`/api/v1/kbs/${id}/chat`, { 'x-idp-user-id': 'alice' }, { message: QUESTION }),
      ];
      await eventually(() => model.calls.length === before + answers.length);
      await change('DELETE', `/documents/${salaries.id}`);
      for (const text of await Promise.all(answers)) expect(text).toContain('changed');
    });
  });

  it('are neither counted nor named for viewers', async () => {
    document = await alice.addDocument(kbId, { title: 'Bonuses', text: `${SECRET} Again.` });
    const { body: before } = await viewer.get<{ document_count: number }>(`/kbs/${kbId}`);
    model.behave = says('Nine thousand euros. [1]');
    await alice.chat(apiKey, QUESTION);
    const top = `/kbs/${kbId}/analytics/top-documents`;
    await eventually(async () => (await viewer.get(top)).text.includes('Bonuses'));
    await rule(ANNA);
    const { body: after } = await viewer.get<{ document_count: number }>(`/kbs/${kbId}`);
    expect(after.document_count).toBe(before.document_count - 1);
    for (const path of [top, `/kbs/${kbId}/audit-events?limit=100`, '/kbs']) {
      const answer = await viewer.get(path);
      expect([path, answer.status, answer.text.includes('Bonuses')]).toEqual([path, 200, false]);
    }
    expect((await alice.get(top)).text).toContain('Bonuses');
  });
});
