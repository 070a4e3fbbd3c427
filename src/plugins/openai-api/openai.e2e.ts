import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { report } from '../../../test/support/analytics.js';
import { Client, type IssuedApiKey, type KnowledgeBase } from '../../../test/support/client.js';
import { ModelServer, says } from '../../../test/support/model-server.js';
import { newUserId, sharedService } from '../../../test/support/shared-service.js';
import { eventually, Service } from '../../../test/support/service.js';
import { withPlugins } from '../../../test/support/requirement.js';

const QUESTION = 'How long may customers return an order?';
const ANSWER = 'Customers may return any order within 30 days of delivery.';
const ANSWERED = `30 days\n${ANSWER} [1]`;
const TOOLS = [{ type: 'function', function: { name: 'f', parameters: {} } }];
const messages = [{ role: 'user' as const, content: QUESTION }];
const NAME_IT = `Name it: { "title": "a" }\n<chat_history>\nUSER: ${QUESTION}\nASSISTANT: Yes.\n</chat_history>`;
const TITLED = { model: 'latchkey', messages: [{ role: 'user' as const, content: NAME_IT }] };

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
          message: { role: 'assistant', content: ANSWERED },
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
    expect(text).toBe(ANSWERED);
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
    expect(kept.map(({ content }) => content)).toEqual([QUESTION, ANSWERED]);
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
    [{ ranking_options: { ranker: 'default-2024-11-15' } }, 'ranking_options.ranker'],
    [{ max_num_results: 51 }, 'max_num_results'],
    [{ more: 1 }, 'more'],
  ])('gets the name of a search parameter that is not supported: %j', async (more, param) => {
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
      rewrite_query: true,
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
    [{ tools: TOOLS, tool_choice: 'required' }, 'tool_choice'],
    [{ tools: TOOLS, tool_choice: { type: 'function', function: { name: 'f' } } }, 'tool_choice'],
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

  it('may send parameters that ask for nothing', async () => {
    const completion = await openai.chat.completions.create({
      ...{ model: 'latchkey', messages, n: 1, tools: [], logprobs: false, user: 'customer-1' },
      ...{ temperature: 0, top_p: 1, max_tokens: 50, stop: ['END'], seed: 1 },
      ...{ presence_penalty: 0, frequency_penalty: 0, response_format: { type: 'text' } },
    } as never);
    expect(completion.choices[0]?.message.content).toBe(ANSWERED);
  });

  it.each([undefined, null, 'auto', 'none'])(
    'is answered without a call of its tools where tool_choice is %s',
    async (tool_choice) => {
      const body = { model: 'latchkey', messages, tools: TOOLS, parallel_tool_calls: true };
      const { choices } = await openai.chat.completions.create({ ...body, tool_choice } as never);
      expect(choices[0]).toMatchObject({
        message: { content: ANSWERED },
        finish_reason: 'stop',
      });
    },
  );

  it('may send fields that change nothing here, and null for any other', async () => {
    const completion = await openai.chat.completions.create({
      ...{ model: 'latchkey', messages, metadata: { a: 'b' }, reasoning_effort: 'low' },
      ...{ verbosity: 'low', safety_identifier: 'u', prompt_cache_key: 'k', store: true },
      ...{ prompt_cache_retention: '24h', service_tier: 'flex', top_k: 40, min_p: 0.1 },
      ...{ user: null, stream: null, n: null, modalities: null, logit_bias: null },
    } as never);
    expect(completion.choices[0]?.message.content).toBe(ANSWERED);
  });

  it('may send back what it was answered before, and its calls of tools', async () => {
    const completion = await openai.chat.completions.create({ model: 'latchkey', messages });
    const { message } = completion.choices[0] ?? {};
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const again = await openai.chat.completions.create({
      model: 'latchkey',
      messages: [
        ...messages,
        { ...message, audio: null, function_call: null, tool_calls: null },
        { role: 'user', content: [{ type: 'text', text: 'Look it up.' }] },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: '{"days": 3}' },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
        ...messages,
      ],
    } as never);
    expect(again.choices[0]?.message.content).toBe(ANSWERED);
  });

  it('may send a long history, of which older messages are left out', async () => {
    const history = Array.from({ length: 1500 }, (_, n) => ({
      role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message ${n}`,
    }));
    const asked = { model: 'latchkey', messages: [...history, ...messages] };
    const completion = await openai.chat.completions.create(asked);
    expect(completion.choices[0]?.message.content).toBe(ANSWERED);
    const input = { model: 'latchkey', input: asked.messages };
    expect((await openai.responses.create(input)).output_text).toBe(ANSWERED);
  });

  it('counts the words of question and answer where there is no model', async () => {
    const { usage } = await openai.chat.completions.create({ model: 'latchkey', messages });
    expect(usage).toEqual({ prompt_tokens: 7, completion_tokens: 13, total_tokens: 20 });
    const response = await openai.responses.create({ model: 'latchkey', input: QUESTION });
    expect(response.usage).toMatchObject({ input_tokens: 7, output_tokens: 13, total_tokens: 20 });
  });

  it('gets a response', async () => {
    const response = await openai.responses.create({
      ...{ model: 'latchkey', input: QUESTION, instructions: 'Be brief.', tool_choice: 'auto' },
      ...{ tools: [{ type: 'web_search' }], reasoning: { effort: 'low' }, store: false },
      ...{ text: { format: { type: 'text' }, verbosity: 'low' }, include: [], metadata: {} },
    });
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      error: null,
      output_text: ANSWERED,
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [
            {
              type: 'output_text',
              annotations: [
                {
                  type: 'url_citation',
                  start_index: ANSWERED.length - 3,
                  end_index: ANSWERED.length,
                  url: 'https://shop.example.com/returns',
                  title: 'Returns policy',
                },
              ],
            },
          ],
        },
      ],
      sources: [{ document_title: 'Returns policy' }],
    });
    expect(response.id).toMatch(/^resp_/);
  });

  it('streams a response by the events of its protocol', async () => {
    const stream = openai.responses.stream({ model: 'latchkey', input: QUESTION });
    const types: string[] = [];
    const numbers: number[] = [];
    for await (const event of stream) {
      types.push(event.type);
      numbers.push(event.sequence_number);
    }
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.annotation.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(numbers).toEqual(types.map((_, index) => index));
    expect((await stream.finalResponse()).output_text).toBe(ANSWERED);
  });

  it('goes on with the conversation of a response of the same key', async () => {
    const ask = async (more: object, client = openai) => {
      const body = { model: 'latchkey', input: QUESTION, ...more };
      const response: unknown = await client.responses.create(body as never);
      return response as OpenAI.Responses.Response & { conversation_id: string };
    };
    const first = await ask({});
    const second = await ask({ previous_response_id: first.id });
    const items = [
      { role: 'user', content: QUESTION },
      { type: 'item_reference', id: second.output[0]?.id },
      { role: 'user', content: [{ type: 'input_text', text: QUESTION }] },
    ];
    const third = await ask({ input: items });
    expect(second).toMatchObject({ previous_response_id: first.id });
    expect([second.conversation_id, third.conversation_id]).toEqual([
      first.conversation_id,
      first.conversation_id,
    ]);
    expect(await alice.messages(first.conversation_id)).toHaveLength(6);
    const { api_key } = await alice.createApiKey(kb.id);
    for (const previous_response_id of [first.id, 'resp_none', first.id.replace(/.$/, '!')]) {
      const refused = ask({ previous_response_id }, clientOf(api_key));
      await expect(refused).rejects.toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it.each([
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ text: { format: { type: 'json_object' } } }, 'text'],
    [{ background: true }, 'background'],
    [{ input: [] }, 'input'],
    [{ input: ' ' }, 'input'],
    [{ input: [{ role: 'assistant', content: 'Hello.' }] }, 'input'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:,' }] }] },
      'input',
    ],
    [{ instructions: 'x'.repeat(8001) }, 'instructions'],
    [{ more: 1 }, 'more'],
  ])('gets the name of a response parameter that is not supported: %j', async (more, param) => {
    const body = { model: 'latchkey', input: QUESTION, ...more } as never;
    await expect(openai.responses.create(body)).rejects.toMatchObject({
      ...{ status: 400, code: 'validation_failed', param },
    });
  });

  it('gets a title, and nothing of it is stored', async () => {
    const own = await alice.createKnowledgeBase();
    const client = clientOf((await alice.createApiKey(own.id)).api_key);
    const title = JSON.stringify({ title: QUESTION });
    const completion = await client.chat.completions.create(TITLED);
    expect(completion.choices[0]?.message.content).toBe(title);
    const response = await client.responses.create({ model: 'latchkey', input: NAME_IT });
    expect(response).toMatchObject({ output_text: title, conversation_id: null, message_id: null });
    let streamed = '';
    for await (const chunk of await client.chat.completions.create({ ...TITLED, stream: true })) {
      streamed += chunk.choices[0]?.delta.content ?? '';
    }
    expect(streamed).toBe(title);
    const stored = await alice.get<{ data: unknown[] }>(`/kbs/${own.id}/conversations`);
    expect(stored.body.data).toEqual([]);
  });

  withPlugins('analytics', 'gaps').it('gets a title, which counts nowhere', async () => {
    const own = await alice.createKnowledgeBase();
    const client = clientOf((await alice.createApiKey(own.id)).api_key);
    await client.chat.completions.create(TITLED);
    const { body } = await alice.get<{ data: unknown[] }>(`/kbs/${own.id}/gaps`);
    expect(body.data).toEqual([]);
    // Counted in the order in which they were asked: only that of a person is.
    await client.chat.completions.create({ model: 'latchkey', messages });
    await eventually(async () => (await report(alice, own.id)).totals.chats > 0);
    expect((await report(alice, own.id)).totals).toMatchObject({ chats: 1, conversations: 1 });
  });

  it('lists the vector stores that its key opens', async () => {
    const stores = [];
    for await (const { id } of openai.vectorStores.list()) stores.push(id);
    expect(stores).toEqual([kb.id]);
    expect(await openai.vectorStores.retrieve(kb.id)).toMatchObject({ id: kb.id });
    const other = await alice.createKnowledgeBase();
    await expect(openai.vectorStores.retrieve(other.id)).rejects.toMatchObject({ status: 404 });
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

  it('is asked for no more tokens than the operator allows', async () => {
    for (const more of [{ max_tokens: 8192 }, { max_completion_tokens: 2 ** 31 - 1 }]) {
      await openai.chat.completions.create({ model: 'latchkey', messages, ...more });
      expect(model.last.body).toMatchObject({ max_tokens: 4096 });
    }
  });

  it('gets the instructions and the conversation of a response', async () => {
    const asked = { model: 'latchkey', instructions: 'Speak like a lawyer.', temperature: 0.25 };
    const first = await openai.responses.create({ ...asked, input: QUESTION });
    const more = { max_output_tokens: 77, previous_response_id: first.id };
    await openai.responses.create({ ...asked, ...more, input: 'And gifts?' });
    const { body } = model.last;
    expect(body).toMatchObject({ temperature: 0.25, max_tokens: 77 });
    expect(String(body.messages[0]?.content)).toMatch(/Be brief\.\s+Speak like a lawyer\./);
    expect(body.messages.slice(1, 3)).toEqual([
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: 'Within 30 days.' },
    ]);
  });

  it('ends the stream of a response with an error if it fails', async () => {
    model.behave = (response) => {
      response.writeHead(500).end();
    };
    const stream = await openai.responses.create({
      ...{ model: 'latchkey', input: QUESTION, stream: true },
    });
    const read = async () => {
      for await (const event of stream) expect(event.type).toMatch(/^response\./);
    };
    await expect(read()).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  it('ends a stream with an error if it fails', async () => {
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
