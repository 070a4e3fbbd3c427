import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client, type Message, outcome, type Page, type Problem } from '../support/client.js';
import { figure } from '../support/figure.js';
import {
  answers,
  begin,
  chunk,
  ending,
  line,
  type ModelCall,
  ModelServer,
  says,
  saysAndHangs,
  USAGE,
} from '../support/model-server.js';
import { Service } from '../support/service.js';

const QUESTION = 'How long may customers return an order?';
/** As long as a model that answers at once may take on a busy machine. */
const TIMEOUT_MS = 4000;
/** What the provider says of itself, and nobody is to read. */
const LEAK = 'org-4711 quota details';
const ERROR = { error: { message: LEAK, type: 'server_error', code: LEAK } };

let model: ModelServer;
let service: Service;
let alice: Client;
let partner: Client;
let kbId: string;
let secret: string;

beforeAll(async () => {
  model = await ModelServer.start();
  service = await Service.start({ ...model.environment, LLM_TIMEOUT_MS: String(TIMEOUT_MS) });
  alice = new Client(service, 'alice');
  partner = new Client(service);
  kbId = (await alice.createKnowledgeBase()).id;
  secret = (await alice.createApiKey(kbId)).api_key;
  await alice.addDocument(kbId, { title: 'Returns', text: 'Customers may return any order.' });
});
beforeEach(() => {
  model.calls.length = 0;
});
afterAll(async () => {
  await service.stop();
  await model.stop();
  for (const secretText of [LEAK, 'sk-of-the-provider']) {
    expect(service.logs).not.toContain(secretText);
  }
});

type Respond = (response: Parameters<ModelServer['behave']>[0], call: ModelCall) => void;

const cut: Respond = (response) => {
  begin(response);
  response.write(chunk('Within ') + chunk('30 '), () => response.socket?.destroy());
};
const withinStream =
  (...lines: string[]): Respond =>
  (response) => {
    begin(response);
    response.end(lines.join(''));
  };
const silent: Respond = () => undefined;
const nothing = says();
const whiteSpace = says(' ', '\n');

/** The answer's row, as the dashboard sees it. */
async function newestAnswer(): Promise<Message | undefined> {
  const { data } = (await alice.get<Page<{ id: string }>>(`/kbs/${kbId}/conversations`)).body;
  return (await alice.messages(String(data[0]?.id)))[1];
}

describe('a model provider that', () => {
  it.each<[string, Respond, string, string, number]>([
    ['refuses the API key', answers(401, ERROR), '502 model_unavailable', '', 1],
    ['refuses the request', answers(400, ERROR), '502 model_unavailable', '', 1],
    ['fails', answers(500, ERROR), '502 model_unavailable', '', 2],
    ['is busy', answers(429, ERROR, { 'retry-after': '0' }), '502 model_unavailable', '', 2],
    [
      'is busy for long',
      answers(429, ERROR, { 'retry-after': '60' }),
      '502 model_unavailable',
      '',
      1,
    ],
    ['drops the connection', (r) => r.socket?.destroy(), '502 model_unavailable', '', 2],
    ['answers 200 with an error', answers(200, ERROR), '502 model_unavailable', '', 1],
    ['answers 200 with no stream', answers(200, { choices: [] }), '502 model_unavailable', '', 1],
    ['begins with an error', withinStream(line(ERROR)), '502 model_unavailable', '', 1],
    [
      'says an error after a word',
      withinStream(chunk('Within '), line(ERROR), ending()),
      '502 model_unavailable',
      'Within ',
      1,
    ],
    ['cuts the stream after two chunks', cut, '502 model_unavailable', 'Within 30 ', 1],
    [
      'ends the stream without an end of the answer',
      withinStream(chunk('Within '), chunk('30 '), 'data: [DONE]\n\n'),
      '502 model_unavailable',
      'Within 30 ',
      1,
    ],
    [
      'sends no JSON',
      withinStream(chunk('Within '), `data: {${LEAK}\n\n`),
      '502 model_unavailable',
      'Within ',
      1,
    ],
    [
      'sends what has no choices',
      withinStream(line({ hello: LEAK })),
      '502 model_unavailable',
      '',
      1,
    ],
    ['says nothing at all', nothing, '502 model_unavailable', '', 1],
    ['says white space', whiteSpace, '502 model_unavailable', ' \n', 1],
    ['is silent', silent, '504 model_timeout', '', 1],
    ['is silent once it has begun', saysAndHangs(), '504 model_timeout', '', 1],
    ['falls silent', saysAndHangs('Within ', '30 '), '504 model_timeout', 'Within 30 ', 1],
  ])('%s', async (fault, behave, expected, said, calls) => {
    model.behave = behave;
    const answer = await partner.chat(secret, QUESTION);
    expect(outcome(answer)).toBe(expected);
    expect(answer.text).not.toMatch(new RegExp(`${LEAK}|Within`));
    expect(model.calls).toHaveLength(calls);
    // These end as they should, and report what they used.
    const used = { prompt_tokens: USAGE.prompt_tokens, completion_tokens: USAGE.completion_tokens };
    const usage = [nothing, whiteSpace].includes(behave) ? used : null;
    const stored = { role: 'assistant', status: 'failed', answered: false, usage };
    expect(await newestAnswer()).toMatchObject(stored);

    const stream = await ChatStream.open(service, { api_key: secret, message: QUESTION });
    expect(stream.response.status).toBe(200);
    await stream.done();
    const deltas = stream.names.filter((name) => name === 'delta');
    expect(stream.names).toEqual(['message_start', 'sources', ...deltas, 'error']);
    const { status, code, request_id: requestId } = stream.error as Problem;
    expect(`${status} ${code}`).toBe(expected);
    expect(requestId).toBe(stream.response.headers.get('x-request-id'));
    expect(JSON.stringify(stream.events)).not.toContain(LEAK);
    // What is held back may still be cut off.
    expect(said.trimEnd()).toBe(stream.text.trimEnd());
    expect(await newestAnswer()).toMatchObject({
      ...stored,
      id: stream.start?.message_id,
      content: stream.text,
      sources: stream.sources,
    });
    expect(model.calls).toHaveLength(2 * calls);
    figure(`a model provider that ${fault}: ${expected}, stored as failed`);
  });

  it.each<[string, Respond]>([
    ['fails once', answers(503, ERROR)],
    ['is busy for a moment', answers(429, ERROR, { 'retry-after': '1' })],
    ['drops one connection', (r) => r.socket?.destroy()],
  ])('%s is asked again, and leaves one answer', async (_, fail) => {
    model.behave = (response, call) => {
      void (model.calls.length === 1 ? fail : says('Yes. [1]'))(response, call);
    };
    const { body } = await partner.chat(secret, QUESTION);
    expect(body.answer).toBe('Yes. [1]');
    expect(model.calls).toHaveLength(2);
    expect(await alice.messages(body.conversation_id)).toHaveLength(2);
  });

  it('asks for a pause gets it', async () => {
    model.behave = (response, call) => {
      const again = model.calls.length > 1;
      const respond = again ? says('Yes. [1]') : answers(503, ERROR, { 'retry-after': '1' });
      void respond(response, call);
    };
    expect((await partner.chat(secret, QUESTION)).status).toBe(200);
    const [first, second] = model.calls;
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(950);
  });

  it('does not stop is stopped', async () => {
    model.behave = says(...Array.from({ length: 30 }, () => 'word '.repeat(2000)));
    const { status, body } = await partner.chat(secret, QUESTION);
    expect([status, body]).toMatchObject([200, { finish_reason: 'length' }]);
    expect(body.answer.length).toBeLessThan(100_000);
    expect(await newestAnswer()).toMatchObject({ status: 'complete' });
  });

  it('refuses the API key is told to the operator, once until it is mended', async () => {
    const complaints = () => service.logs.split('refuses LLM_API_KEY').length;
    model.behave = says('Yes. [1]');
    await partner.chat(secret, QUESTION);
    const before = complaints();
    model.behave = answers(401, ERROR);
    for (let n = 0; n < 3; n++) await partner.chat(secret, QUESTION);
    expect(complaints()).toBe(before + 1);
  });
});

it('counts a failed answer as no part of what was said', async () => {
  model.behave = says('Yes. [1]');
  const { conversation_id } = (await partner.chat(secret, QUESTION)).body;
  model.behave = cut;
  await partner.chat(secret, 'May customers return half an order?', { conversation_id });
  model.behave = says('Well. [1]');
  await partner.chat(secret, 'May customers return an opened order?', { conversation_id });
  const history = model.last.body.messages.slice(1, -1).map(({ content }) => content);
  // Without its citation, which counts the passages of another question.
  expect(history).toEqual([QUESTION, 'Yes.']);
});
