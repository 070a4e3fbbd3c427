import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../support/api-key-secret.js';
import { Client } from '../support/client.js';
import { isRunning } from '../support/plugins.mjs';
import { freePort } from '../support/postgres.mjs';
import { Service } from '../support/service.js';
import { engine } from '../support/test-database.js';
import { onlyOn } from '../support/requirement.js';

describe('metrics', () => {
  let service: Service;
  let url: string;
  let secret: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = await Service.start({ METRICS_PORT: String(port) });
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    secret = (await alice.createApiKey(id)).api_key;
  });

  afterAll(() => service.stop());

  /** The value of a series, by its name and the labels that tell it from others. */
  async function value(name: string, ...labels: string[]): Promise<number | undefined> {
    const text = await (await fetch(`${url}/metrics`)).text();
    const line = text
      .split('\n')
      .find((one) => one.startsWith(name) && labels.every((label) => one.includes(label)));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  }

  it('count answers by route, status and reason', async () => {
    const partner = new Client(service);
    const forged = withChecksum(`rag_live_${'Ab3'.repeat(14)}`);
    for (let n = 0; n < 3; n++) await partner.query(secret, 'Anything?');
    for (let n = 0; n < 2; n++) await partner.query(forged, 'Anything?');
    const count = (...labels: string[]) =>
      value('latchkey_http_request_duration_seconds_count', 'route="/api/v1/query"', ...labels);
    expect(await count('status="200"', 'code=""')).toBe(3);
    expect(await count('status="401"', 'code="invalid_api_key"')).toBe(2);
  });

  it('name routes and not URLs, so that no id and no secret is in them', async () => {
    await fetch(`${service.url}/${secret}`);
    await new Client(service, 'alice').get('/kbs/kb_01kafdp6ygf4rs4s2cr5cvzwkc');
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('route="/api/v1/kbs/:kb_id"');
    expect(text).not.toMatch(/kb_01|rag_live/);
  });

  it('tell the delay of the event loop and the memory in use', async () => {
    expect(await value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(await value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  });

  it('tell how long searches take and how long the queue of documents is', async () => {
    const before = Number(await value('latchkey_search_duration_seconds_count'));
    await new Client(service).query(secret, 'Anything?');
    expect(await value('latchkey_search_duration_seconds_count')).toBe(before + 1);
    expect(await value('latchkey_indexing_queue_documents')).toBe(0);
    expect(await value('latchkey_indexing_queue_oldest_seconds')).toBe(0);
  });

  onlyOn('postgres').it('tell how the connection pool is used', async () => {
    expect(await value('latchkey_database_connections', 'state="idle"')).toBeGreaterThan(0);
    expect(await value('latchkey_database_connections', 'state="waiting"')).toBe(0);
  });

  it('include everything that the alerts of docs/operations.md use', async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const names = readFileSync('docs/operations.md', 'utf8').match(
      /\b(latchkey|nodejs|process)_\w+/g,
    );
    // This service has no replica.
    const missing = ['latchkey_replica_reads_total'];
    if (engine === 'sqlite') missing.push('latchkey_database_connections');
    if (!isRunning('sources')) missing.push('latchkey_source_lag_seconds');
    if (!isRunning('audit-stream')) missing.push('latchkey_audit_log_failures_total');
    const asked = new Set(names?.filter((name) => !missing.includes(name)));
    expect(asked.size).toBeGreaterThan(5);
    for (const name of asked) {
      expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_(bucket|count)$/, '')} `, 'm'));
    }
  });

  it('are not served on the port of the API', async () => {
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${url}/api/v1/kbs`)).status).toBe(404);
  });
});
