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
    const { body } = await client.get<Page<ChatAnswer & { content: string }>>(
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

  it('are in no answer that was not told before', async () => {
    await rule(EVERYONE);
    model.behave = async (response, call) => {
      await rule({ allow: [] });
      await says('Nine thousand. [1]')(response, call);
    };
    const answer = await alice.chat(apiKey, QUESTION);
    expect(outcome(answer)).toBe('409 access_changed');
    expect(answer.text).not.toContain('Nine');
  });

  it('are in no old answer, neither as it is shown nor in what a model is told of it', async () => {
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

    await rule(ANNA);
    for (const client of [viewer, alice]) {
      const messages = await messagesFor(client, id);
      expect(messages[1]).toMatchObject({ content: 'No idea.', sources: [], answered: false });
      expect(JSON.stringify(messages)).not.toMatch(/thousand|Salaries/);
    }
    expect(await original()).toBe(404);
    await rule(EVERYONE);
    await alice.addDocument(kbId, { title: 'Hours', text: 'The director works on Mondays.' });
    // What was said of it is repeated by an answer that rests on another document.
    model.behave = says('On Tuesdays, for nine thousand euros. [1]');
    const hours = 'On which Mondays does she work?';
    const { body: later } = await alice.chat(token, hours, { conversation_id: id, top_k: 1 });
    expect(later.sources.map(({ document_id }) => document_id)).not.toContain(document.id);
    await rule(ANNA);
    model.behave = says('On Mondays. [1]');
    const calls = model.calls.length;
    await alice.chat(token, 'When does the director work?', { conversation_id: id });
    expect(model.calls.length).toBeGreaterThan(calls);
    expect(JSON.stringify(model.last.body)).not.toMatch(/thousand|Salaries/);

    await rule(EVERYONE);
    expect((await messagesFor(viewer, id))[1]).toMatchObject({ content: body.answer });
    await rule(ANNA);
    await alice.call('DELETE', `/documents/${document.id}`);
    await eventually(async () => {
      const [, answer] = await messagesFor(viewer, id);
      return !/thousand|Salaries/.test(JSON.stringify(answer));
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
