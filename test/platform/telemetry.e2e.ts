import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey } from '../support/client.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { ModelServer, says } from '../support/model-server.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';
import { engine } from '../support/test-database.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${PARENT}-01`;
const UNRECORDED_TRACE_ID = '5bf92f3577b34da6a3ce929d0e0e4736';
const QUESTION = 'How long may customers return an order?';
const ANSWER = 'Within thirty days [1].';
const COLLECTOR_KEY = 'collector-secret';

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let collector: OtlpReceiver;
  let model: ModelServer;
  let embeddings: EmbeddingsServer;
  let hook: WebhookReceiver;
  let service: Service;
  let key: IssuedApiKey;
  let link: string;

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    model = await ModelServer.start();
    model.behave = says(ANSWER);
    embeddings = await EmbeddingsServer.start();
    hook = await WebhookReceiver.start();
    service = await Service.start({
      NODE_OPTIONS: '--import=./test/support/executed-files.mjs',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${COLLECTOR_KEY}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      WEBHOOK_ALLOW_PRIVATE: 'yes',
      EMBEDDINGS_BASE_URL: embeddings.url,
      EMBEDDINGS_MODEL: 'synonyms',
      ...model.environment,
    });
    const alice = new Client(service, 'alice');
    const kb = await alice.createKnowledgeBase();
    await alice.createWebhook(kb.id, hook.url);
    key = await alice.createApiKey(kb.id);
    const text = 'Customers may return any order within 30 days.';
    await alice.addDocument(kb.id, { title: 'Returns', text });
    const partner = new Client(service);
    const message = { api_key: key.api_key, message: QUESTION };
    const unrecorded = `00-${UNRECORDED_TRACE_ID}-${PARENT}-00`;
    await partner.post('/chat', message, { traceparent: unrecorded });
    await partner.post('/chat', message, { traceparent: TRACEPARENT });
    const forged = key.api_key.slice(0, -1);
    await partner.post('/query', { api_key: forged, message: QUESTION });
    await partner.get(`/no-such-path/${key.api_key}`);
    await alice.set(kb.id, { originals: 'readers' });
    const tried = await alice.post<{ results: { original_url: string }[] }>(`/kbs/${kb.id}/query`, {
      message: QUESTION,
    });
    const [path = '', search = ''] = (tried.body.results[0]?.original_url ?? '').split('?link=');
    link = search;
    expect((await partner.get(`/../..${path}?link=${link}`)).text).toBe(text);
    await eventually(() => collector.of('POST /api/v1/query').length > 0);
    await eventually(() => collector.of('GET').length > 0);
    await eventually(() => collector.of('GET /api/v1/documents/:document_id/original').length > 0);
    await eventually(() => collector.of('deliver webhook').length > 0);
    await eventually(() => named('chat test-model') !== undefined);
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([collector.stop(), model.stop(), embeddings.stop(), hook.stop()]);
  });

  /** What it has run since it was last asked, with test/support/executed-files.mjs. */
  const executedFiles = async (): Promise<string[]> => {
    const answers = () => [...service.logs.matchAll(/^executed (.+)$/gm)].map(([, list]) => list);
    const before = answers().length;
    process.kill(service.pid, 'SIGCONT');
    await eventually(() => answers().length > before);
    return JSON.parse(String(answers().at(-1))) as string[];
  };

  const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const named = (name: string) => ofTrace().find((span) => span.name === name);
  const within = (parent: ReceivedSpan | undefined) =>
    ofTrace().filter(({ parentSpanId }) => parentSpanId === parent?.spanId);

  it('a revocation reads the key and the membership twice, and where there is a lock, once after it', async () => {
    const traceId = '6bf92f3577b34da6a3ce929d0e0e4736';
    const alice = new Client(service, 'alice');
    const { id } = await alice.createApiKey(key.kb_id);
    const traceparent = { traceparent: `00-${traceId}-${PARENT}-01` };
    const path = `/api-keys/${id}/revoke`;
    expect((await alice.call('PATCH', path, undefined, traceparent)).status).toBe(200);
    const spans = () => collector.spans.filter((span) => span.traceId === traceId);
    const route = 'PATCH /api/v1/api-keys/:key_id/revoke';
    await eventually(() => spans().some(({ name }) => name === route));
    const count = (name: string) => spans().filter((span) => span.name === name).length;
    expect(count('SELECT api_keys')).toBe(2);
    // A group that an identity provider takes away meanwhile is seen by a statement after the lock alone.
    expect(count('SELECT knowledge_base_members')).toBe(engine === 'postgres' ? 3 : 2);
    // The rest: the knowledge base, what else the key opens, its change, the event with its lock, and the
    // commit.
    expect(spans().length).toBeLessThanOrEqual(11);
  });

  it('a revocation runs through 11 files at most besides platform, plugins, entities and authentication', async () => {
    const alice = new Client(service, 'alice');
    const revocations: Set<string>[] = [];
    const files = () =>
      [...(revocations[0] ?? [])].filter(
        (file) =>
          revocations.every((executed) => executed.has(file)) &&
          !/^app\.js$|^platform\/|^plugins\/|\.entity\.js$|dashboard-auth\/|authenticator|event-reader/.test(
            file,
          ),
      );
    // Readers of events run after the answer. What another background job does beside some of them is not in
    // all of them.
    for (let n = 0; n < 60 && (n < 3 || files().length > 11); n++) {
      const { id } = await alice.createApiKey(key.kb_id);
      await executedFiles();
      expect((await alice.call('PATCH', `/api-keys/${id}/revoke`)).status).toBe(200);
      revocations.push(new Set(await executedFiles()));
    }
    expect(files()).toContain('api-keys/api-key-transitions.js');
    expect(files().slice(11)).toEqual([]);
  });

  it('a request continues the trace of its caller, through key, search, model and database', () => {
    const request = named('POST /api/v1/chat');
    expect(request).toMatchObject({
      parentSpanId: PARENT,
      attributes: { 'http.route': '/api/v1/chat', 'http.response.status_code': 200 },
    });
    const verification = named('verify API key');
    expect(verification).toMatchObject({
      parentSpanId: request?.spanId,
      attributes: { 'latchkey.key_id': key.id },
    });
    const [lookup] = within(verification);
    expect(lookup?.attributes).toMatchObject({
      'db.system.name': engine === 'postgres' ? 'postgresql' : 'sqlite',
      'db.operation.name': 'SELECT',
    });
    expect(named('search')?.attributes).toMatchObject({ 'latchkey.search.passages': 1 });
    expect(named('chat test-model')?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'test-model',
      'gen_ai.usage.input_tokens': 42,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'server.address': '127.0.0.1',
    });
  });

  it('a search says how long it waited, and has spans of its statements and embeddings', () => {
    const search = named('search');
    expect(search?.attributes).toMatchObject({ 'latchkey.search.wait_ms': expect.any(Number) });
    const parts = within(search);
    const [call] = parts.filter(({ name }) => name === 'embeddings synonyms');
    expect(call?.attributes).toMatchObject({ 'gen_ai.operation.name': 'embeddings' });
    const statements = parts.filter(({ name }) => /^[A-Z]+ search_/.test(name));
    expect(statements.length > 0).toBe(engine === 'postgres');
  });

  it('a statement that waits for nothing has no span, but a commit has', () => {
    const names = ofTrace().map(({ name }) => name);
    expect(names).toContain('COMMIT');
    for (const name of names) expect(name).not.toMatch(/^(BEGIN|START|ROLLBACK|SAVEPOINT)/);
  });

  it('models and receivers of webhooks can continue the trace', () => {
    const headers = model.calls.map((call) => call.headers['traceparent']);
    expect(headers).toEqual([
      expect.stringMatching(new RegExp(`^00-${UNRECORDED_TRACE_ID}-[0-9a-f]{16}-00$`)),
      `00-${TRACE_ID}-${named('chat test-model')?.spanId}-01`,
    ]);
    const [delivery] = collector.of('deliver webhook');
    expect(hook.received[0]?.headers['traceparent']).toBe(
      `00-${delivery?.traceId}-${delivery?.spanId}-01`,
    );
  });

  it('lines of the log name the trace', () => {
    const lines = service.logs.split('\n').filter((text) => text.includes('"/api/v1/chat"'));
    expect(lines.map((text) => JSON.parse(text) as unknown)).toEqual([
      expect.objectContaining({ trace_id: UNRECORDED_TRACE_ID }),
      expect.objectContaining({ trace_id: TRACE_ID }),
    ]);
  });

  it('a refused request has the code of its problem, and is not marked as an error', () => {
    const [refused] = collector.of('POST /api/v1/query');
    expect(refused).toMatchObject({
      attributes: { 'http.response.status_code': 401, 'latchkey.problem_code': 'invalid_api_key' },
      status: { code: 0 },
    });
  });

  it('there are no spans of a trace that its caller does not record, of probes, or of polling', () => {
    const { spans } = collector;
    expect(spans.filter(({ traceId }) => traceId === UNRECORDED_TRACE_ID)).toEqual([]);
    expect(spans.filter(({ name }) => name.includes('health'))).toEqual([]);
    const roots = spans.filter(({ parentSpanId }) => !parentSpanId).map(({ name }) => name);
    const known =
      /^(?:GET|POST|PATCH)(?: \/api\/v1\/\S+)?$|^deliver webhook$|^embeddings synonyms$/;
    expect(roots.filter((name) => !known.test(name))).toEqual([]);
  });

  it('no span has a key, a question, an answer, a path or a header in it', () => {
    const all = collector.requests.map(({ body }) => body.toString()).join('\n');
    const secrets = [key.api_key, QUESTION, ANSWER, 'within 30 days', 'no-such-path'];
    for (const secret of [...secrets, ...link.split('.'), 'sk-of-the-provider', COLLECTOR_KEY]) {
      expect(all).not.toContain(secret);
    }
  });
});

it('the service stops even if the collector does not answer', async () => {
  const collector = await OtlpReceiver.start();
  collector.answers = false;
  const service = await Service.start({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
  });
  const traceparent = TRACEPARENT;
  const alice = new Client(service, 'alice');
  expect(await alice.post('/kbs', { name: 'Handbook' }, { traceparent })).toMatchObject({
    status: 201,
  });
  const began = performance.now();
  expect(await service.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(STALLED_MS);
  // The specification's default of OTEL_EXPORTER_OTLP_PROTOCOL.
  expect(collector.requests.map(({ type }) => type)).toEqual(['application/x-protobuf']);
  const [sent] = collector.requests;
  expect(sent?.body.includes(Buffer.from(TRACE_ID, 'hex'))).toBe(true);
  await collector.stop();
});
