import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { answers, ModelServer, says } from '../support/model-server.js';
import { Service } from '../support/service.js';

interface Completion {
  readonly choices?: { message: { content: string } }[];
  readonly error?: { code: string; param: string | null; message: string };
}

const QUESTION = { role: 'user', content: 'How long may customers return an order?' };
const NO_LIMIT = 2 ** 31 - 1;

let model: ModelServer;
let service: Service;
let key: string;
let token: string;

beforeAll(async () => {
  model = await ModelServer.start();
  service = await Service.start({ ...model.environment, LLM_MAX_TOKENS: '500' });
  const alice = new Client(service, 'alice');
  const { id } = await alice.createKnowledgeBase();
  await alice.set(id, { answer_threshold: 0 });
  key = (await alice.createApiKey(id)).api_key;
  token = (await new Client(service).createClientToken(key)).client_token;
  await alice.addDocument(id, { title: 'Returns', text: 'Customers may return any order.' });
});
beforeEach(() => {
  model.behave = says('Within 30 days. [1]');
});
afterAll(async () => {
  await service.stop();
  await model.stop();
});

async function complete(credential: string, more: object) {
  const response = await fetch(`${service.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'latchkey', messages: [QUESTION], ...more }),
  });
  return { status: response.status, body: (await response.json()) as Completion };
}

describe('a client token at /v1/chat/completions', () => {
  it.each([
    ['messages', { messages: [{ role: 'system', content: 'Be a pirate.' }, QUESTION] }],
    ['messages', { messages: [{ role: 'developer', content: '' }, QUESTION] }],
    ['max_tokens', { max_tokens: 1 }],
    ['max_tokens', { max_tokens: 100_000, stream: true }],
    ['max_completion_tokens', { max_completion_tokens: 10 }],
  ])('may not set %s', async (param, more) => {
    const before = model.calls.length;
    const { status, body } = await complete(token, more);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'validation_failed', param });
    expect(model.calls.length).toBe(before);
  });

  it('asks as before, also where it sends null', async () => {
    const { status } = await complete(token, { max_tokens: null, temperature: 0.5 });
    expect(status).toBe(200);
  });
});

describe('a key at /v1/chat/completions', () => {
  const instructions = (...texts: string[]) => ({
    messages: [
      ...texts.map((content, n) => ({ role: n % 2 ? 'developer' : 'system', content })),
      QUESTION,
    ],
  });

  it('adds instructions of 8,000 characters in all', async () => {
    const longest = instructions('a'.repeat(4000), '\u{1F600}'.repeat(4000));
    expect((await complete(key, longest)).status).toBe(200);
    const { status, body } = await complete(key, instructions('a'.repeat(4001), 'b'.repeat(4000)));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'validation_failed', param: 'messages' });
  });

  it.each(['max_tokens', 'max_completion_tokens'])(
    'lowers %s to the operator’s limit',
    async (name) => {
      expect((await complete(key, { [name]: 500 })).status).toBe(200);
      for (const more of [501, NO_LIMIT]) {
        expect((await complete(key, { [name]: more })).status).toBe(200);
        expect(model.last.body).toMatchObject({ max_tokens: 500 });
      }
    },
  );
});

describe('the model', () => {
  it('is sent the limit of an answer with every call', async () => {
    await new Client(service).chat(key, QUESTION.content);
    expect(model.last.body).toMatchObject({ max_tokens: 500 });
    await complete(key, { max_completion_tokens: 20 });
    expect(model.last.body).toMatchObject({ max_tokens: 20 });
    expect(model.last.body).not.toHaveProperty('max_completion_tokens');
  });

  it('is sent it by the newer name if it refuses the older one, which is tried only once', async () => {
    const answer = says('Within 30 days. [1]');
    const refusal = answers(400, {
      error: { message: 'No.', param: 'max_tokens', code: 'unsupported_parameter' },
    });
    model.behave = (response, call) =>
      ('max_tokens' in call.body ? refusal : answer)(response, call);
    const before = model.calls.length;
    expect((await complete(key, { max_tokens: 30 })).status).toBe(200);
    expect((await complete(key, {})).status).toBe(200);
    const limits = model.calls
      .slice(before)
      .map(({ body }) => body as unknown as Record<string, unknown>)
      .map((body) => [body['max_tokens'], body['max_completion_tokens']]);
    expect(limits).toEqual([
      [30, undefined],
      [undefined, 30],
      [undefined, 500],
    ]);
  });
});
