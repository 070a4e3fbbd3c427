import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../../../test/support/chat-stream.js';
import {
  atOnce,
  type ChatAnswer,
  Client,
  type Document,
  outcome,
  outcomes,
  type Page,
} from '../../../test/support/client.js';
import { EmbeddingsServer } from '../../../test/support/embeddings-server.js';
import { eventually, Service } from '../../../test/support/service.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';
import { withPlugins } from '../../../test/support/requirement.js';
import { sql } from '../../../test/support/sql.js';
import { engine } from '../../../test/support/test-database.js';

const QUESTION = 'How long may I return an order?';
const ANSWER = 'Forty-two days, whatever the returns policy says.';
const WARRANTY = 'How long is the warranty on the X200?';

interface CuratedAnswer {
  readonly id: string;
  readonly kb_id: string;
  readonly questions: string[];
  readonly answer: string;
  readonly sources: string[];
  readonly access?: object | null;
  readonly review_at: string | null;
  readonly owner: string;
  readonly created_at: string;
  readonly updated_at: string;
}
type Curated = ChatAnswer & { readonly curated?: boolean; readonly model: string };

describe('curated answers', () => {
  let service: SharedService;
  let aliceId: string;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;
  let policy: Document;

  beforeAll(async () => {
    service = await sharedService();
    aliceId = newUserId('alice');
    alice = new Client(service, aliceId);
    partner = new Client(service);
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    policy = await alice.addDocument(kbId, {
      title: 'Returns policy',
      text: 'Customers may return an order within 30 days of delivery.',
      metadata: { department: 'support' },
    });
  });

  const write = async (more: object = {}, kb = kbId): Promise<CuratedAnswer> => {
    const body = { questions: [QUESTION], answer: ANSWER, ...more };
    const written = await alice.post<CuratedAnswer>(`/kbs/${kb}/curated-answers`, body);
    expect(outcome(written)).toBe('201');
    return written.body;
  };
  const ask = async (message: string, more: object = {}, credential = secret): Promise<Curated> => {
    const asked = await partner.chat(credential, message, more);
    expect(outcome(asked)).toBe('200');
    return asked.body;
  };
  /** A key that reads as a user in groups. */
  const keyOf = async (user: string, ...groups: string[]) => {
    const principals = [`user:${user}`, ...groups.map((group) => `group:${group}`)];
    return (await alice.createApiKey(kbId, { principals })).api_key;
  };
  const change = async (id: string, fields: object) =>
    outcome(await alice.call('PATCH', `/curated-answers/${id}`, fields));

  it('are written, listed, changed and deleted', async () => {
    const first = await write({ sources: [policy.id], review_at: '2031-01-01' });
    expect(first).toMatchObject({
      kb_id: kbId,
      questions: [QUESTION],
      answer: ANSWER,
      sources: [policy.id],
      access: null,
      review_at: '2031-01-01T00:00:00.000Z',
      owner: aliceId,
    });
    const second = await write({ questions: [WARRANTY] });
    const list = async (query = '') =>
      (await alice.get<Page<CuratedAnswer>>(`/kbs/${kbId}/curated-answers${query}`)).body;
    expect((await list()).data).toEqual([second, first]);
    const { next_cursor: cursor, ...page } = await list('?limit=1');
    expect(page).toMatchObject({ total: 2, has_more: true });
    expect((await list(`?cursor=${cursor}`)).data).toEqual([first]);
    expect(await change(first.id, { answer: 'Changed.', review_at: null })).toBe('200');
    const changed = (await alice.get<CuratedAnswer>(`/curated-answers/${first.id}`)).body;
    expect(changed).toMatchObject({ answer: 'Changed.', review_at: null, questions: [QUESTION] });
    expect(outcome(await alice.call('DELETE', `/curated-answers/${first.id}`))).toBe('200');
    expect(await change(first.id, {})).toBe('404 not_found');
    const actions = (await alice.get<Page<{ action: string }>>(`/kbs/${kbId}/audit-events`)).body;
    expect(actions.data.slice(0, 4).map(({ action }) => action)).toEqual([
      'curated_answer.deleted',
      'curated_answer.updated',
      'curated_answer.created',
      'curated_answer.created',
    ]);
  });

  it('are not deleted under legal hold', async () => {
    const { id } = await write();
    const remove = async () => outcome(await alice.call('DELETE', `/curated-answers/${id}`));
    await alice.set(kbId, { legal_hold: true });
    expect(await remove()).toBe('409 legal_hold');
    await alice.set(kbId, { legal_hold: false });
    expect(await remove()).toBe('200');
  });

  it('name only documents of the knowledge base', async () => {
    const other = await alice.createKnowledgeBase();
    const body = { questions: [QUESTION], answer: ANSWER, sources: [policy.id] };
    const refused = await alice.post(`/kbs/${other.id}/curated-answers`, body);
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'sources.0' }],
    });
  });

  it.each([
    { questions: [] },
    { questions: [' '] },
    { questions: Array.from({ length: 21 }, (_, index) => `Question ${index}`) },
    { questions: ['x'.repeat(1001)] },
    { answer: '' },
    { answer: 'x'.repeat(8001) },
    { sources: ['doc_1'] },
  ])('are refused: %#', async (fields) => {
    const body = { questions: [QUESTION], answer: ANSWER, ...fields };
    const refused = await alice.post(`/kbs/${kbId}/curated-answers`, body);
    expect(outcome(refused)).toBe('400 validation_failed');
  });

  it('win over what a search finds, and say so', async () => {
    expect((await ask(QUESTION)).answer).toContain('30 days');
    const { id } = await write({ sources: [policy.id] });
    const answer = await ask(QUESTION);
    expect(answer).toMatchObject({
      answer: ANSWER,
      answered: true,
      curated: true,
      model: id,
      usage: null,
      finish_reason: 'stop',
      sources: [
        { index: 1, document_id: policy.id, document_title: 'Returns policy', cited: true },
      ],
    });
    expect(answer).not.toHaveProperty('related');
    const [, message] = await alice.messages(answer.conversation_id);
    expect(message).toMatchObject({ content: ANSWER, curated: true, answered: true });
    expect(await change(id, { answer: 'Other words.' })).toBe('200');
    expect((await ask(QUESTION)).answer).toBe('Other words.');
    await alice.call('DELETE', `/curated-answers/${id}`);
    const found = await ask(QUESTION);
    expect(found.answer).toContain('30 days');
    expect(found).not.toHaveProperty('curated');
  });

  it.each([
    'how long may I return an order',
    'Hello! How long may I return an order?',
    'How long may we return orders?',
    'I bought a lamp last week. It is too big. How long may I return an order?',
  ])('are found by the same words: %s', async (message) => {
    await write();
    expect(await ask(message)).toMatchObject({ curated: true, answer: ANSWER });
  });

  it.each([
    'How long may I not return an order?',
    'How long may I return an order from 2024?',
    'Who may return an order?',
    'When may I return an order?',
    'How long may I exchange an order?',
  ])('are not found by others: %s', async (message) => {
    await write();
    expect(await ask(message)).not.toHaveProperty('curated');
  });

  it('are not found by a text that is longer than their questions may be', async () => {
    await write();
    const long = (length: number) => `How long may I return ${'the '.repeat(length / 4)}order?`;
    expect(await ask(long(900))).toHaveProperty('curated');
    expect(await ask(long(1000))).not.toHaveProperty('curated');
  });

  it('answer each question of a message, or none of them', async () => {
    await write({ sources: [policy.id] });
    const two = `${QUESTION} And ${WARRANTY.toLowerCase()}`;
    expect(await ask(two)).not.toHaveProperty('curated');
    await write({ questions: [WARRANTY], answer: 'Three years.' });
    expect(await ask(two)).toMatchObject({ curated: true, answer: `${ANSWER}\n\nThree years.` });
    const both = await write({ questions: [two], answer: 'Both.' });
    expect(await ask(two)).toMatchObject({ model: both.id, answer: 'Both.' });
  });

  it('answer a question that goes on from the one before', async () => {
    await write({ questions: [WARRANTY], answer: 'Three years.' });
    const { conversation_id } = await ask('How long is the warranty on the X300?');
    expect(await ask('And on the X200?', { conversation_id })).toMatchObject({
      curated: true,
      answer: 'Three years.',
    });
    expect(await ask('And on the X400?', { conversation_id })).not.toHaveProperty('curated');
    expect(await ask('And on the X200?')).not.toHaveProperty('curated');
  });

  it('are streamed', async () => {
    const { id } = await write({ sources: [policy.id] });
    const stream = await ChatStream.open(service, { api_key: secret, message: QUESTION });
    const { names, events } = await stream.done();
    expect(names).toEqual(['message_start', 'sources', 'delta', 'message_end']);
    expect(events.at(-1)?.data).toMatchObject({ curated: true, model: id, answer: ANSWER });
  });

  withPlugins('analytics').it('count as answered messages', async () => {
    await write();
    await ask(QUESTION);
    const figures = (await alice.get<Record<string, unknown>>(`/kbs/${kbId}/analytics`)).body;
    expect(figures).toMatchObject({ totals: { chats: 1, answered: 1, unanswered: 0 } });
    const costs = await alice.get<{ data: object[] }>(`/kbs/${kbId}/costs?group_by=model`);
    expect(costs.body.data).toMatchObject([{ model: 'curated', messages: 1, cost: 0 }]);
  });

  it('are given in playgrounds, and by no search', async () => {
    const { id } = await write();
    const body = { message: QUESTION };
    const played = await alice.post<Curated>(`/kbs/${kbId}/chat`, body);
    expect(played.body).toMatchObject({ curated: true, model: id });
    const { results } = (await partner.query(secret, QUESTION)).body;
    expect(results.map(({ document_id }) => document_id)).toEqual([policy.id]);
  });

  withPlugins('openai-api').it('are given by the door of OpenAI', async () => {
    await write();
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'latchkey',
        messages: [{ role: 'user', content: QUESTION }],
      }),
    });
    expect(await response.json()).toMatchObject({
      model: 'latchkey',
      curated: true,
      choices: [{ message: { content: ANSWER } }],
    });
  });

  withPlugins('evaluations').it('are given to evaluations', async () => {
    await write();
    const questions = [{ question: QUESTION, answer_contains: ['Forty-two days'] }];
    const begun = await alice.post<{ id: string }>(`/kbs/${kbId}/evaluations`, { questions });
    const read = () =>
      alice.get<{ status: string; figures: object }>(`/evaluations/${begun.body.id}`);
    await eventually(async () => (await read()).body.status === 'complete');
    expect((await read()).body.figures).toMatchObject({ right_rate: 1 });
  });

  it('are given to those whom their rule allows; others get a search', async () => {
    const { id } = await write({
      access: { allow: ['user:anna', 'user:bob'], deny: ['user:bob'] },
    });
    const asked = async (user: string) => (await ask(QUESTION, {}, await keyOf(user))).answer;
    expect(await asked('anna')).toBe(ANSWER);
    expect(await asked('bob')).toContain('30 days');
    expect((await ask(QUESTION)).answer).toContain('30 days');
    expect(await change(id, { access: { allow: ['user:bob'] } })).toBe('200');
    expect(await asked('anna')).toContain('30 days');
    expect(await asked('bob')).toBe(ANSWER);
    expect(await change(id, { access: null })).toBe('200');
    expect(await asked('anna')).toBe(ANSWER);
    await alice.set(kbId, { default_access: 'closed' });
    expect(await asked('anna')).not.toBe(ANSWER);
  });

  withPlugins('client-tokens').it('are given to the users of tokens, too', async () => {
    const body = { api_key: secret, end_user_id: 'anna', groups: ['board'] };
    const { client_token: token } = (
      await partner.post<{ client_token: string }>('/client-tokens', body)
    ).body;
    for (const [allowed, isGiven] of [
      ['user:anna', true],
      ['group:board', true],
      ['user:bob', false],
    ] as const) {
      const { id } = await write({ access: { allow: [allowed] } });
      expect('curated' in (await ask(QUESTION, {}, token))).toBe(isGiven);
      await alice.call('DELETE', `/curated-answers/${id}`);
    }
  });

  it('are given if one of many for the same question is open to the asker', async () => {
    for (let group = 0; group < 60; group++) {
      await write({ answer: `Of ${group}.`, access: { allow: [`group:${group}`] } });
    }
    const asked = async (...groups: string[]) => ask(QUESTION, {}, await keyOf('anna', ...groups));
    expect(await asked('0')).toMatchObject({ answer: 'Of 0.' });
    expect(await asked('0', '9')).toMatchObject({ answer: 'Of 9.' });
    expect(await asked()).not.toHaveProperty('curated');
  });

  it('are hidden in old conversations when their rule has changed', async () => {
    const viewerId = newUserId('viewer');
    const viewer = new Client(service, viewerId);
    await alice.call('PUT', `/kbs/${kbId}/members/${viewerId}`, { role: 'viewer' });
    await alice.set(kbId, { refusal_text: 'No idea.' });
    const { id } = await write({ access: { allow: ['everyone'] } });
    const { conversation_id } = await ask(QUESTION);
    const shown = async () => {
      const [, message] = await viewer.messages(conversation_id);
      expect(message && 'curated' in message).toBe(message?.content === ANSWER);
      return message?.content;
    };
    expect(await shown()).toBe(ANSWER);
    expect(await change(id, { access: { allow: ['user:anna'] } })).toBe('200');
    expect(await shown()).toBe('No idea.');
    expect(outcome(await viewer.get(`/curated-answers/${id}`))).toBe('404 not_found');
    const list = await viewer.get<Page<CuratedAnswer>>(`/kbs/${kbId}/curated-answers`);
    expect(list.body).toMatchObject({ data: [], total: 0 });
    expect(await change(id, { access: { allow: [`user:${viewerId}`] } })).toBe('200');
    expect(await shown()).toBe(ANSWER);
    const { body } = await viewer.get<CuratedAnswer>(`/curated-answers/${id}`);
    expect(body).toMatchObject({ answer: ANSWER });
    expect(body).not.toHaveProperty('access');
  });

  it('show only the sources that the asker may read', async () => {
    const secretPlan = await alice.addDocument(kbId, {
      title: 'Plan',
      text: 'Returns end in May.',
      access: { allow: ['user:anna'] },
    });
    const access = { allow: ['everyone'] };
    await write({ sources: [secretPlan.id, policy.id], access });
    const { sources } = await ask(QUESTION);
    expect(sources.map(({ document_id, index }) => [document_id, index])).toEqual([[policy.id, 2]]);
  });

  describe('without a rule, that name documents', () => {
    let viewer: Client;
    let plan: Document;
    const isGiven = async (user: string) =>
      'curated' in (await ask(QUESTION, {}, await keyOf(user)));
    const patch = async (id: string, access: object | null) => {
      expect(outcome(await alice.call('PATCH', `/documents/${id}`, { access }))).toBe('200');
    };

    beforeEach(async () => {
      const viewerId = newUserId('viewer');
      viewer = new Client(service, viewerId);
      await alice.call('PUT', `/kbs/${kbId}/members/${viewerId}`, { role: 'viewer' });
      plan = await alice.addDocument(kbId, {
        title: 'Plan',
        text: 'Returns end in May.',
        access: { allow: ['user:anna'] },
      });
    });

    it('are given to those who may read all of them', async () => {
      const { id } = await write({ sources: [policy.id, plan.id] });
      const listed = async () =>
        (await viewer.get<Page<CuratedAnswer>>(`/kbs/${kbId}/curated-answers`)).body.total;
      expect([await isGiven('anna'), await isGiven('bert')]).toEqual([true, false]);
      expect(await listed()).toBe(0);
      expect(outcome(await viewer.get(`/curated-answers/${id}`))).toBe('404 not_found');
      await patch(plan.id, null);
      expect([await isGiven('bert'), await listed()]).toEqual([true, 1]);
      await alice.set(kbId, { default_access: 'closed' });
      expect(await isGiven('anna')).toBe(false);
      await patch(policy.id, { allow: ['user:bert'] });
      await patch(plan.id, { allow: ['everyone'] });
      expect([await isGiven('anna'), await isGiven('bert')]).toEqual([false, true]);
    });

    it('are hidden in old conversations together with their documents', async () => {
      await alice.set(kbId, { refusal_text: 'No idea.' });
      await patch(plan.id, { allow: ['everyone'] });
      await write({ sources: [plan.id] });
      const { conversation_id: id } = await ask(QUESTION);
      const shown = async () => (await viewer.messages(id))[1]?.content;
      expect(await shown()).toBe(ANSWER);
      await patch(plan.id, { allow: ['user:anna'] });
      expect(await shown()).toBe('No idea.');
    });

    it('end when one of them is deleted, unless they have a rule of their own', async () => {
      const { id } = await write({ sources: [policy.id, plan.id] });
      const own = await write({
        questions: [WARRANTY],
        sources: [plan.id],
        access: { allow: ['everyone'] },
      });
      expect(await isGiven('anna')).toBe(true);
      await alice.call('DELETE', `/documents/${plan.id}`);
      expect(await isGiven('anna')).toBe(false);
      expect(await ask(WARRANTY)).toMatchObject({ model: own.id, sources: [] });
      const left = (await alice.get<CuratedAnswer>(`/curated-answers/${id}`)).body;
      expect(left.sources).toEqual([policy.id]);
      expect(await change(id, { sources: left.sources })).toBe('200');
      expect(await isGiven('bert')).toBe(true);
    });
  });

  it('are given to a restricted key only if it opens all their sources', async () => {
    const filter = { key: 'department', type: 'eq', value: 'support' };
    const key = await alice.createApiKey(kbId, { filter });
    const { id } = await write();
    expect(await ask(QUESTION, {}, key.api_key)).not.toHaveProperty('curated');
    await change(id, { sources: [policy.id] });
    expect(await ask(QUESTION, {}, key.api_key)).toMatchObject({ curated: true });
    expect(await ask(QUESTION, { filter: { ...filter, value: 'hr' } })).not.toHaveProperty(
      'curated',
    );
  });

  it('are given to a restricted key if it opens the sources of one of many answers', async () => {
    const filter = { key: 'department', type: 'eq', value: 'support' };
    const key = await alice.createApiKey(kbId, { filter });
    const { id } = await write({ sources: [policy.id] });
    for (let index = 0; index < 60; index++) await write();
    expect(await ask(QUESTION, {}, key.api_key)).toMatchObject({ curated: true, model: id });
  });

  it('are given from each knowledge base that is asked', async () => {
    const other = await alice.createKnowledgeBase('Other');
    const { id } = await write({}, other.id);
    const kbs = [{ kb_id: kbId }, { kb_id: other.id }];
    const body = { name: 'Both', environment: 'live', kbs };
    const { api_key } = (await alice.post<{ api_key: string }>('/api-keys', body)).body;
    expect(await ask(QUESTION, {}, api_key)).toMatchObject({ curated: true, model: id });
    expect(await ask(QUESTION, { kb_ids: [kbId] }, api_key)).not.toHaveProperty('curated');
  });

  describe('of a knowledge base to which the conversation does not belong', () => {
    let otherId: string;
    let shared: string;

    beforeEach(async () => {
      otherId = (await alice.createKnowledgeBase('Other')).id;
      const kbs = [{ kb_id: kbId }, { kb_id: otherId }];
      const body = { name: 'Both', environment: 'live', kbs };
      shared = (await alice.post<{ api_key: string }>('/api-keys', body)).body.api_key;
    });

    const askOther = (message: string, more: object = {}) =>
      ask(message, { kb_ids: [otherId], ...more }, shared);

    it('are hidden from readers who are not its members', async () => {
      const bobId = newUserId('bob');
      const bob = new Client(service, bobId);
      await alice.call('PUT', `/kbs/${kbId}/members/${bobId}`, { role: 'viewer' });
      await alice.set(kbId, { refusal_text: 'No idea.' });
      await write({}, otherId);
      const { conversation_id: id } = await askOther(QUESTION);
      const shown = async () => (await bob.messages(id))[1]?.content;
      expect(await shown()).toBe('No idea.');
      expect((await alice.messages(id))[1]?.content).toBe(ANSWER);
      await alice.call('PUT', `/kbs/${otherId}/members/${bobId}`, { role: 'viewer' });
      expect(await shown()).toBe(ANSWER);
    });

    it('are earlier turns to the next question', async () => {
      await write({ questions: [WARRANTY], answer: 'Three years.' }, otherId);
      await write({ questions: [WARRANTY.replace('X200', 'X400')], answer: 'Four.' }, otherId);
      const { conversation_id } = await askOther(WARRANTY);
      const next = await askOther('And on the X400?', { conversation_id });
      expect(next).toMatchObject({ curated: true, answer: 'Four.' });
    });
  });
});

it('are also hidden where versions before have stored them without their knowledge base', async () => {
  const before = await Service.start();
  const { environment } = before;
  const alice = new Client(before, 'alice');
  const partner = new Client(before);
  const [own, other] = [await alice.createKnowledgeBase(), await alice.createKnowledgeBase()];
  await alice.call('PUT', `/kbs/${own.id}/members/bob`, { role: 'viewer' });
  await alice.set(own.id, { refusal_text: 'No idea.' });
  const kbs = [{ kb_id: own.id }, { kb_id: other.id }];
  const body = { name: 'Both', environment: 'live', kbs };
  const { api_key } = (await alice.post<{ api_key: string }>('/api-keys', body)).body;
  const answerFrom = async (kbId: string) => {
    const curated = { questions: [QUESTION], answer: ANSWER };
    const { id } = (await alice.post<CuratedAnswer>(`/kbs/${kbId}/curated-answers`, curated)).body;
    const { conversation_id } = (await partner.chat(api_key, QUESTION, { kb_ids: [kbId] })).body;
    return { id, conversation_id, remove: () => alice.call('DELETE', `/curated-answers/${id}`) };
  };
  const deleted = await answerFrom(other.id);
  await deleted.remove();
  const forgotten = await answerFrom(other.id);
  await forgotten.remove();
  const existing = await answerFrom(other.id);
  const ownDeleted = await answerFrom(own.id);
  await ownDeleted.remove();
  const ownExisting = await answerFrom(own.id);
  await before.stop();

  const json = engine === 'postgres' ? 'jsonb' : 'text';
  await sql(environment, `DELETE FROM events WHERE target_id = '${forgotten.id}'`);
  await sql(
    environment,
    `UPDATE messages SET told_document_ids = CAST('["' || model || '"]' AS ${json})
     WHERE model LIKE 'cur_%'`,
  );
  await sql(environment, `DELETE FROM migrations WHERE name LIKE 'CiteCuratedAnswers%'`);
  const service = await Service.start(environment);
  const shownTo = async (userId: string) => {
    const conversations = [deleted, forgotten, existing, ownDeleted, ownExisting];
    const read = conversations.map(async ({ conversation_id: id }) => {
      const [, answer] = await new Client(service, userId).messages(id);
      return answer?.content === ANSWER;
    });
    return Promise.all(read);
  };
  expect(await shownTo('bob')).toEqual([false, false, false, true, true]);
  expect(await shownTo('alice')).toEqual([true, false, true, true, true]);
  await service.stop();
});

describe('curated answers of several processes', () => {
  let embeddings: EmbeddingsServer;
  let service: Service;
  let other: Service;
  let alice: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    embeddings = await EmbeddingsServer.start();
    service = await Service.start({
      EMBEDDINGS_BASE_URL: embeddings.url,
      EMBEDDINGS_MODEL: 'synonyms',
      EMBEDDINGS_API_KEY: 'secret',
      // Long enough for a busy machine.
      EMBEDDINGS_TIMEOUT_MS: '60000',
      MAX_CURATED_ANSWERS_PER_KNOWLEDGE_BASE: '2',
    });
    other = await service.beside();
    alice = new Client(service, 'alice');
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
  });
  afterAll(async () => {
    await Promise.all([service.stop(), other.stop()]);
    await embeddings.stop();
  });

  const write = (question: string) =>
    alice.post<CuratedAnswer>(`/kbs/${kbId}/curated-answers`, {
      questions: [question],
      answer: ANSWER,
    });
  const askedOf = async (process: Service, message: string) =>
    (await new Client(process).chat(secret, message)).body as Curated;

  it('are given by each of them from the next question on', async () => {
    expect(await askedOf(other, QUESTION)).not.toHaveProperty('curated');
    const { id } = (await write(QUESTION)).body;
    expect(await askedOf(other, QUESTION)).toMatchObject({ model: id, answer: ANSWER });
    await alice.call('PATCH', `/curated-answers/${id}`, { questions: [WARRANTY] });
    expect(await askedOf(other, QUESTION)).not.toHaveProperty('curated');
    expect(await askedOf(other, WARRANTY)).toMatchObject({ model: id });
  });

  it('are found by their meaning where no number, name or negation differs', async () => {
    const { id } = (await write('Where may I park my car in zone 7?')).body;
    await eventually(
      async () => (await askedOf(other, 'Where may I park my vehicle in zone 7?')).model === id,
    );
    for (const message of [
      'Where may I park my vehicle in zone 8?',
      'Where may I not park my vehicle in zone 7?',
      'When may I park my vehicle in zone 7?',
      'Where may I park my lorry in zone 7?',
    ]) {
      expect(await askedOf(other, message)).not.toHaveProperty('curated');
    }
  });

  it('are at most as many as the quota', async () => {
    const written = await atOnce(4, (index) => write(`Question ${index}?`));
    expect(outcomes(written)).toEqual({ '201': 2, '409 quota_reached': 2 });
  });
});
