import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey } from './support/client.js';
import { ModelServer, says } from './support/model-server.js';
import { OtlpReceiver } from './support/otlp-receiver.js';
import { eventually, Service } from './support/service.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const QUESTION = 'How long may customers return an order?';
const ANSWER = 'Within thirty days [1].';

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let collector: OtlpReceiver;
  let model: ModelServer;
  let hook: WebhookReceiver;
  let service: Service;
  let key: IssuedApiKey;

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    model = await ModelServer.start();
    model.behave = says(ANSWER);
    hook = await WebhookReceiver.start();
    service = await Service.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      WEBHOOK_ALLOW_PRIVATE: 'yes',
      ...model.environment,
    });
    const alice = new Client(service, 'alice');
    const kb = await alice.createKnowledgeBase();
    await alice.createWebhook(kb.id, hook.url);
    key = await alice.createApiKey(kb.id);
    const text = 'Customers may return any order within 30 days.';
    await alice.addDocument(kb.id, { title: 'Returns', text });
    await new Client(service).post(
      '/chat',
      { api_key: key.api_key, message: QUESTION },
      { traceparent: `00-${TRACE_ID}-${PARENT}-01` },
    );
    await eventually(() => collector.of('POST /api/v1/chat').length > 0);
    await eventually(() => collector.of('deliver webhook').length > 0);
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([collector.stop(), model.stop(), hook.stop()]);
  });

  it('a request goes on with the trace of its caller, through key, search, model and database', async () => {
    const [request] = collector.of('POST /api/v1/chat');
    expect(request).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: PARENT,
      attributes: { 'http.route': '/api/v1/chat', 'http.response.status_code': 200 },
    });
    const ours = () => collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
    await eventually(() => ours().some(({ name }) => name === 'chat test-model'));
    const named = (name: string) => ours().find((span) => span.name === name);
    const verification = named('verify API key');
    expect(verification).toMatchObject({
      parentSpanId: request?.spanId,
      attributes: { 'latchkey.key_id': key.id },
    });
    expect(named('search')?.attributes).toMatchObject({ 'latchkey.search.passages': 1 });
    expect(named('chat test-model')?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'test-model',
      'gen_ai.usage.input_tokens': 42,
      'gen_ai.usage.output_tokens': 7,
    });
    expect(
      ours().some(({ attributes, parentSpanId }) => {
        const isStatement = attributes['db.operation.name'] === 'SELECT';
        return isStatement && parentSpanId === verification?.spanId;
      }),
    ).toBe(true);
  });

  it('webhooks carry the trace on', () => {
    const [delivery] = collector.of('deliver webhook');
    expect(hook.received[0]?.headers['traceparent']).toBe(
      `00-${delivery?.traceId}-${delivery?.spanId}-01`,
    );
  });

  it('lines of the log name the trace', () => {
    const line = service.logs.split('\n').find((text) => text.includes('"route":"/api/v1/chat"'));
    expect(JSON.parse(String(line))).toMatchObject({ trace_id: TRACE_ID });
  });

  it('no span has a key, a question or an answer in it', () => {
    const all = JSON.stringify(collector.spans);
    for (const secret of [key.api_key, QUESTION, ANSWER, 'within 30 days', 'sk-of-the-provider']) {
      expect(all).not.toContain(secret);
    }
  });
});
