import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { type ChatAnswer, Client, outcome } from '../support/client.js';
import { answers, begin, chunk, line, ModelServer, USAGE } from '../support/model-server.js';
import { isPlan, plans, told } from '../support/planning-model.js';
import { Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';

const QUESTION = 'Who leads the office where the harbour crane stands?';
const CRANE = 'The harbour crane stands on the quay of the Oslo office.';
const LEADER = 'Oslo: Ingrid Berg is its manager.';
const SECRET = 'Oslo: nine thousand euros is the salary of its manager.';

type MembersAnswer = ChatAnswer & { steps?: { searches: string[]; passages: number }[] };

let model: ModelServer;
let service: Service;
let alice: Client;
let aliceId: string;
let partner: Client;
let kbId: string;
let secret: string;

beforeAll(async () => {
  model = await ModelServer.start();
  service = await Service.start(model.environment);
  partner = new Client(service);
});
beforeEach(async () => {
  aliceId = newUserId('alice');
  alice = new Client(service, aliceId);
  kbId = (await alice.createKnowledgeBase()).id;
  secret = (await alice.createApiKey(kbId)).api_key;
  await add('Quays', CRANE);
  await add('People', LEADER);
  model.calls.length = 0;
});
afterAll(async () => {
  await service.stop();
  await model.stop();
});

const add = (title: string, text: string, more: object = {}) =>
  alice.addDocument(kbId, { title, text, ...more });
const chat = async (more: object = {}) =>
  (await partner.chat(secret, QUESTION, { effort: 'medium', top_k: 1, ...more })).body;
const tryOut = async (more: object = {}, as = alice) => {
  const body = { message: QUESTION, effort: 'medium', top_k: 1, ...more };
  return (await as.post<MembersAnswer>(`/kbs/${kbId}/chat`, body)).body;
};
const open = (more: object, as?: Client) =>
  ChatStream.open(
    service,
    { message: QUESTION, effort: 'medium', top_k: 1, ...more },
    as ? { 'x-idp-user-id': aliceId } : {},
    as ? `/kbs/${kbId}/chat` : '/chat',
  );
const titles = ({ sources }: Pick<ChatAnswer, 'sources'>) =>
  sources.map(({ document_title }) => document_title);

/** Says this, and does not report its tokens. */
const unreported =
  (text: string): ModelServer['behave'] =>
  (response) => {
    begin(response);
    response.write(chunk(text));
    response.end(line({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  };

describe('effort', () => {
  it('has the question split, and what is missing searched for again', async () => {
    model.behave = plans([['manager of Oslo'], []], 'Ingrid Berg. [2]');
    const body = await tryOut();
    expect(body).toMatchObject({
      answer: 'Ingrid Berg. [2]',
      answered: true,
      grounded: true,
      steps: [
        { searches: ['manager of Oslo'], passages: 1 },
        { searches: [], passages: 0 },
      ],
    });
    expect(titles(body)).toEqual(['Quays', 'People']);
    // The next plan and the answer are made from what was found meanwhile.
    const [first = '', second = '', last = ''] = model.calls.map(told);
    expect([first.includes(CRANE), first.includes(LEADER)]).toEqual([true, false]);
    expect(second).toMatch(/Ingrid Berg[^]*Searched for:\n.*\n"manager of Oslo"\n/);
    expect(last.match(/Ingrid Berg/g)).toHaveLength(1);
    expect(model.calls.map(isPlan)).toEqual([true, true, false]);
  });

  it('searches once, and plans nothing, by default and with low', async () => {
    for (const effort of [undefined, 'low']) {
      const body = await tryOut({ effort });
      expect(titles(body)).toEqual(['Quays']);
      expect(body).not.toHaveProperty('steps');
    }
    expect(model.calls.map(isPlan)).toEqual([false, false]);
  });

  it('does nothing without a model, or for what needs none', async () => {
    for (const more of [{ settings: { model: 'extractive' } }, { message: 'Thanks!' }]) {
      const body = await tryOut({ effort: 'high', ...more });
      expect(body.model).toBe('extractive');
      expect(body).not.toHaveProperty('steps');
    }
    expect(model.calls).toHaveLength(0);
  });

  it.each(['most', 3, null, ''])('is no %j', async (effort) => {
    const answer = await partner.chat(secret, QUESTION, { effort });
    expect(outcome(answer)).toBe('400 validation_failed');
  });

  it('is limited in its rounds', async () => {
    for (const [effort, rounds] of [
      ['medium', 3],
      ['high', 6],
    ] as const) {
      model.calls.length = 0;
      model.behave = plans(Array.from({ length: 9 }, (_, round) => [`crane ${effort} ${round}`]));
      expect((await tryOut({ effort })).steps).toHaveLength(rounds);
      expect(model.calls.map(isPlan)).toEqual([...Array<boolean>(rounds).fill(true), false]);
    }
  });

  it('shows its steps to members alone, also in streams', async () => {
    const behave = () => (model.behave = plans([['manager of Oslo']], 'Ingrid Berg. [2]'));
    behave();
    const step = { searches: ['manager of Oslo'], passages: 1 };
    const last = { searches: [], passages: 0 };
    const members = await (await open({}, alice)).done();
    expect(members.names.slice(0, 4)).toEqual(['message_start', 'step', 'step', 'sources']);
    expect(members.events.slice(1, 3).map(({ data }) => data)).toEqual([step, last]);
    expect(members.end).toMatchObject({ steps: [step, last] });
    behave();
    const partners = await (await open({ api_key: secret })).done();
    expect(partners.names).toEqual(['message_start', 'sources', 'delta', 'message_end']);
    expect(titles(partners.end ?? { sources: [] })).toEqual(['Quays', 'People']);
    expect(partners.end).not.toHaveProperty('steps');
    behave();
    expect(await chat()).not.toHaveProperty('steps');
    const stored = (await alice.messages(String(partners.start?.conversation_id)))[1];
    expect(stored).toMatchObject({ status: 'complete', sources: partners.end?.sources });
  });

  it.each([
    ['nothing', ''],
    ['prose', 'I would look for the manager of Oslo.'],
    ['another shape', '["manager of Oslo"]'],
    ['no list', '{"searches": "manager of Oslo"}'],
    ['no texts', '{"searches": [1, null, {}, "  ", "?!"]}'],
    ['the question itself', JSON.stringify({ searches: [` ${QUESTION.toUpperCase()}`] })],
    ['broken JSON', '{"searches": ["manager of Oslo"'],
    ['far too much', 'manager of Oslo '.repeat(3000)],
  ])('answers from what was found if the model plans %s', async (_, reply) => {
    model.behave = plans([reply]);
    const body = await tryOut();
    expect(body).toMatchObject({
      answer: 'As the passages say. [1]',
      steps: [{ searches: [], passages: 0 }],
    });
    expect(titles(body)).toEqual(['Quays']);
    expect(model.calls.map(isPlan)).toEqual([true, false]);
  });

  it('finds what the words of the question do not', async () => {
    model.behave = plans([['manager of Oslo']]);
    expect(titles(await chat({ message: 'Zeppelins over Zanzibar?' }))).toEqual(['People']);
    model.behave = plans([['Gliders over Gibraltar']]);
    const message = 'Zeppelins over Zanzibar?';
    const body = await tryOut({ message });
    expect(body).toMatchObject({
      ...{ answered: false, sources: [], related: [], model: 'test-model' },
      steps: [
        { searches: ['Gliders over Gibraltar'], passages: 0 },
        { searches: [], passages: 0 },
      ],
    });
    // Without passages no answer is asked for.
    expect(isPlan(model.last)).toBe(true);
  });

  it('knows the earlier turns', async () => {
    model.behave = plans([]);
    const history = [{ question: 'What of Oslo?', answer: 'It has a crane. [1]' }];
    await tryOut({ message: 'And who leads that office?', history });
    expect(model.calls[0]?.body.messages.slice(1, 3)).toEqual([
      { role: 'user', content: 'What of Oslo?' },
      { role: 'assistant', content: 'It has a crane.' },
    ]);
  });

  it('reads no document that the caller may not read, whatever the model plans', async () => {
    await add('Salaries', SECRET, { access: { allow: ['user:board'] } });
    await add('Pay', `${SECRET} Each year.`, { metadata: { team: 'hr' } });
    const filter = { type: 'ne', key: 'team', value: 'hr' };
    const key = await alice.createApiKey(kbId, { filter });
    for (const ask of [
      () => chat({ api_key: key.api_key }),
      () => chat({ filter }),
      () => tryOut({ filter, principals: [`user:${aliceId}`] }),
    ]) {
      model.behave = plans([['salary of the manager of Oslo'], ['nine thousand euros']]);
      expect(titles(await ask())).toEqual(['Quays', 'People']);
    }
    expect(JSON.stringify(model.calls)).not.toContain('is the salary');
    model.behave = plans([['salary of the manager of Oslo']]);
    const board = await tryOut({ principals: ['user:board'], filter, top_k: 5 });
    expect(titles(board)).toContain('Salaries');
  });

  it('answers from what was found if the model fails while it plans', async () => {
    model.behave = plans([['manager of Oslo'], answers(500, {}), answers(500, {})]);
    const { body } = await partner.chat(secret, QUESTION, { effort: 'high' });
    expect(body).toMatchObject({ answer: 'As the passages say. [1]', partial: true });
  });

  it('is answered as without it if the model fails altogether', async () => {
    model.behave = answers(500, {});
    const answer = await partner.chat(secret, QUESTION, { effort: 'high' });
    expect(outcome(answer)).toBe('502 model_unavailable');
    await alice.set(kbId, { fallback_to_extractive: true });
    const message = 'Where does the harbour crane stand?';
    const stream = await (await open({ message, api_key: secret })).done();
    expect(stream.names).toEqual(['message_start', 'sources', 'delta', 'message_end']);
    expect(stream.text).toBe(`${CRANE} [1]`);
    expect(stream.end).toMatchObject({ answered: true, model: 'extractive' });
    expect(stream.end?.sources.map(({ chunk_id }) => chunk_id)).toEqual(
      stream.sources?.map(({ chunk_id }) => chunk_id),
    );
  });

  it('adds up the tokens of all calls, if the model reports each', async () => {
    model.behave = plans([['manager of Oslo']]);
    const calls = 3;
    expect((await chat()).usage).toEqual({
      prompt_tokens: calls * USAGE.prompt_tokens,
      completion_tokens: calls * USAGE.completion_tokens,
    });
    model.behave = plans([unreported('{"searches": []}')]);
    expect((await chat()).usage).toBeNull();
  });
});
