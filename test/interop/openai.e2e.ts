import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { Client, type IssuedApiKey, type KnowledgeBase } from '../support/client.js';
import { ModelServer, says } from '../support/model-server.js';
import { newUserId, sharedService } from '../support/shared-service.js';
import { Service } from '../support/service.js';

const QUESTION = 'How long may customers return an order?';
const ANSWER = 'Customers may return any order within 30 days of delivery.';
const messages = [{ role: 'user' as const, content: QUESTION }];

describe('the unmodified OpenAI client', () => {
  let url: string;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;
  let openai: OpenAI;

  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });

  beforeAll(async () => {
    ({ url } = await sharedService());
    alice = new Client({ url }, newUserId('openai'));
    kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, {
      title: 'Returns policy',
      text: ANSWER,
      source_url: 'https://shop.example.com/returns',
      metadata: { department: 'support' },
    });
    key = await alice.createApiKey(kb.id);
    openai = clientOf(key.api_key);
  });

  it('completes a chat', async () => {
    const completion = await openai.chat.completions.create({ model: 'latchkey', messages });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'latchkey',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: `${ANSWER} [1]` },
          finish_reason: 'stop',
        },
      ],
      usage: { total_tokens: expect.any(Number) },
      sources: [{ index: 1, document_title: 'Returns policy' }],
    });
    const [annotation] = completion.choices[0]?.message.annotations ?? [];
    expect(annotation?.url_citation).toMatchObject({
      url: 'https://shop.example.com/returns',
      title: 'Returns policy',
    });
  });

  it('streams a chat, with its sources and usage', async () => {
    const stream = await openai.chat.completions.create({
      model: kb.id,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    const chunks = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe(`${ANSWER} [1]`);
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-2)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      sources: [{ document_title: 'Returns policy' }],
    });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) },
    });
  });

  it('keeps the exchange, of what is sent, for the end user', async () => {
    const completion = await openai.chat.completions.create({
      model: 'latchkey',
      user: 'customer-7',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Good morning' },
        { role: 'assistant', content: 'Good morning. What may I look up?' },
        ...messages,
      ],
    } as never);
    const { conversation_id } = completion as unknown as { conversation_id: string };
    const kept = await alice.messages(conversation_id);
    expect(kept.map(({ content }) => content)).toEqual([QUESTION, `${ANSWER} [1]`]);
    const { body } = await alice.get(`/conversations/${conversation_id}`);
    expect(body).toMatchObject({ end_user_id: 'customer-7' });
  });

  it('does not find a model of another knowledge base', async () => {
    const other = await alice.createKnowledgeBase();
    for (const model of [other.id, 'gpt-4', '']) {
      const refused = openai.chat.completions.create({ model, messages });
      await expect(refused).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    }
  });

  it.each([
    [{ rewrite_query: true }, 'rewrite_query'],
    [{ ranking_options: { ranker: 'default-2024-11-15' } }, 'ranking_options.ranker'],
    [{ max_num_results: 51 }, 'max_num_results'],
    [{ more: 1 }, 'more'],
  ])('gets the name of what a search does not support: %j', async (more, param) => {
    const body = { query: QUESTION, ...more } as never;
    await expect(openai.vectorStores.search(kb.id, body)).rejects.toMatchObject({
      ...{ status: 400, code: 'validation_failed', param },
    });
  });

  it('lists the model by both of its names, and gets it by either', async () => {
    const models = [];
    for await (const { id } of openai.models.list()) models.push(id);
    expect(models).toEqual(['latchkey', kb.id]);
    for (const id of models) {
      expect(await openai.models.retrieve(id)).toMatchObject({ id, object: 'model' });
    }
    await expect(openai.models.retrieve('gpt-4')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });

  it('searches a vector store', async () => {
    const page = await openai.vectorStores.search(kb.id, {
      query: QUESTION,
      filters: { type: 'eq', key: 'department', value: 'support' },
    });
    expect(page.data).toMatchObject([
      {
        filename: 'Returns policy',
        attributes: { department: 'support' },
        content: [{ type: 'text', text: ANSWER }],
      },
    ]);
    expect(page.data[0]?.score).toBeGreaterThan(0.5);
    expect(page.data[0]?.score).toBeLessThanOrEqual(1);
    const filters = { type: 'eq' as const, key: 'department', value: 'sales' };
    expect((await openai.vectorStores.search(kb.id, { query: QUESTION, filters })).data).toEqual(
      [],
    );
    const other = await alice.createKnowledgeBase();
    await expect(openai.vectorStores.search(other.id, { query: QUESTION })).rejects.toMatchObject({
      status: 404,
    });
  });

  it.each([
    [{ tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] }, 'tools'],
    [{ functions: [{ name: 'f' }] }, 'functions'],
    [{ n: 2 }, 'n'],
    [{ logprobs: true }, 'logprobs'],
    [{ user: 'a\0b' }, 'user'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ reasoning: 'much' }, 'reasoning'],
    [
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
          },
        ],
      },
      'messages.0.content',
    ],
    [{ messages: [{ role: 'assistant', content: 'Hello.' }] }, 'messages'],
    [{ messages: [] }, 'messages'],
  ])('gets the name of a parameter that is not supported: %j', async (more, param) => {
    const body = { model: 'latchkey', messages, ...more } as never;
    await expect(openai.chat.completions.create(body)).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
      param,
      type: 'invalid_request_error',
    });
  });

  it('may send what asks for nothing', async () => {
    const completion = await openai.chat.completions.create({
      ...{ model: 'latchkey', messages, n: 1, tools: [], logprobs: false, user: 'customer-1' },
      ...{ temperature: 0, top_p: 1, max_tokens: 50, stop: ['END'], seed: 1 },
      ...{ presence_penalty: 0, frequency_penalty: 0, response_format: { type: 'text' } },
    } as never);
    expect(completion.choices[0]?.message.content).toBe(`${ANSWER} [1]`);
  });

  it('gets errors in the form of its protocol where there is nothing', async () => {
    await expect(
      openai.embeddings.create({ model: 'latchkey', input: QUESTION }),
    ).rejects.toMatchObject({ status: 404, code: 'not_found', type: 'not_found_error' });
    await expect(openai.get('/chat/completions')).rejects.toMatchObject({
      ...{ status: 405, code: 'method_not_allowed' },
    });
    await expect(openai.get('/models/%ff')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused in its own words with a wrong key or without the scope', async () => {
    await expect(clientOf('rag_live_wrong').models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    const { api_key } = await alice.createApiKey(kb.id, { scopes: ['query'] });
    const refused = clientOf(api_key).chat.completions.create({ model: 'latchkey', messages });
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
  });
});

describe('a language model behind OpenAI’s protocol', () => {
  let model: ModelServer;
  let service: Service;
  let openai: OpenAI;

  beforeAll(async () => {
    model = await ModelServer.start();
    service = await Service.start(model.environment);
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    await alice.addDocument(id, { title: 'Returns', text: ANSWER });
    await alice.set(id, { system_prompt: 'Be brief.' });
    const { api_key } = await alice.createApiKey(id);
    openai = new OpenAI({ apiKey: api_key, baseURL: `${service.url}/v1`, maxRetries: 0 });
  });
  beforeEach(() => {
    model.behave = says('Within 30 days. [1]');
  });
  afterAll(async () => {
    await service.stop();
    await model.stop();
  });

  it('gets the history, both instructions and the sampling parameters', async () => {
    await openai.chat.completions.create({
      model: 'latchkey',
      ...{ temperature: 0.25, top_p: 0.5, max_completion_tokens: 77, stop: ['END'], seed: 4 },
      ...{ frequency_penalty: 0.5, presence_penalty: -0.5 },
      messages: [
        { role: 'system', content: 'Speak like a lawyer.' },
        { role: 'user', content: 'May customers return an order?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: QUESTION },
      ],
    } as never);
    const { body } = model.last;
    expect(body).toMatchObject({
      ...{ temperature: 0.25, top_p: 0.5, max_tokens: 77, stop: ['END'], seed: 4 },
      ...{ frequency_penalty: 0.5, presence_penalty: -0.5 },
    });
    expect(String(body.messages[0]?.content)).toMatch(/Be brief\.\s+Speak like a lawyer\./);
    expect(body.messages.slice(1, 3)).toEqual([
      { role: 'user', content: 'May customers return an order?' },
      { role: 'assistant', content: 'Yes.' },
    ]);
  });

  it('that fails in a stream ends it with an error', async () => {
    model.behave = (response) => {
      response.writeHead(500).end();
    };
    const stream = await openai.chat.completions.create({
      model: 'latchkey',
      messages,
      stream: true,
    });
    const chunks: unknown[] = [];
    const read = async () => {
      for await (const chunk of stream) chunks.push(chunk);
    };
    await expect(read()).rejects.toMatchObject({ code: 'model_unavailable' });
  });
});
