import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import { eventually, Service } from '../support/service.js';
import { onlyOn } from '../support/requirement.js';
import { absentIds } from '../support/tenants.js';

const ABSENT = absentIds('viewer');
const EXTERNAL_ID = 'salaries';
const OPERATIONS = [
  ['GET', ''],
  ['PATCH', ''],
  ['DELETE', ''],
  ['POST', '/reindex'],
  ['GET', '/chunks'],
  ['GET', '/original'],
  ['GET', '/content'],
  ['POST', '/access-check'],
] as const;

// Statements have spans on PostgreSQL alone; the code is the same on both engines.
onlyOn('postgres').describe('a document that is closed', () => {
  let collector: OtlpReceiver;
  let service: Service;
  let documentId: string;
  let viewer: Client;
  let apiKey: string;

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    service = await Service.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    const alice = new Client(service, 'alice');
    viewer = new Client(service, 'viewer');
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.call('PUT', `/kbs/${kbId}/members/viewer`, { role: 'viewer' });
    const scopes = ['documents:read'];
    ({ api_key: apiKey } = await alice.createApiKey(kbId, { scopes }));
    ({ id: documentId } = await alice.addDocument(kbId, {
      ...{ title: 'Salaries', text: 'The director earns 9,000 euros.' },
      ...{ external_id: EXTERNAL_ID, access: { allow: [] } },
    }));
  });

  afterAll(async () => {
    await service.stop();
    await collector.stop();
  });

  /** The names of the spans below the request, which must be answered 404. */
  const statementsOf = async (
    client: Client,
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ) => {
    const traceId = randomBytes(16).toString('hex');
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    const answer = await client.call(method, path, undefined, { traceparent, ...headers });
    expect([path, outcome(answer)]).toEqual([path, '404 not_found']);
    // The span of the request ends last.
    const spans = () => collector.spans.filter((span) => span.traceId === traceId);
    await eventually(() => spans().some(({ name }) => name.startsWith(method)));
    return spans().map(({ name }) => name);
  };

  it.each(OPERATIONS)(
    'costs a viewer what one costs that is not there: %s %s',
    async (method, path) => {
      const of = (id: string) => statementsOf(viewer, method, `/documents/${id}${path}`);
      const closed = await of(documentId);
      expect(closed.filter((name) => name.startsWith('SELECT')).length).toBeGreaterThan(1);
      expect(closed).toEqual(await of(ABSENT['document_id'] ?? ''));
    },
  );

  it('costs a key what one costs that is not there', async () => {
    const of = (id: string) =>
      statementsOf(new Client(service), 'GET', `/ingest/documents/${id}`, {
        authorization: `Bearer ${apiKey}`,
      });
    // Its first use is written down.
    await of('absent');
    expect(await of(EXTERNAL_ID)).toEqual(await of('absent'));
  });
});
