import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import pg from 'pg';
import {
  atOnce,
  Client,
  type KnowledgeBase,
  outcome,
  outcomes,
  PatientClient,
} from '../support/client.js';
import { figure } from '../support/figure.js';
import { DEFAULT_TIMEOUTS, TEST_ENVIRONMENT } from '../support/launch.mjs';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';
import { engine } from '../support/test-database.js';

const REQUESTS = 50;
const CONNECTIONS = 3;

describe('a database that is held up by somebody else', () => {
  let service: Service;
  let alice: Client;
  let patient: PatientClient;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    service = await Service.start({
      ...DEFAULT_TIMEOUTS,
      DATABASE_POOL_SIZE: String(CONNECTIONS),
    });
    alice = new Client(service, 'alice');
    patient = new PatientClient(service, 'alice');
    kb = await patient.createKnowledgeBase();
  });

  afterAll(() => service.stop());

  /** Keeps every write waiting; on PostgreSQL each with a connection of the pool. */
  async function hold(): Promise<() => Promise<void>> {
    if (engine === 'sqlite') {
      const other = new Database(join(service.dataDir, 'latchkey.sqlite'));
      other.exec('BEGIN IMMEDIATE');
      return () => {
        other.exec('COMMIT');
        other.close();
        return Promise.resolve();
      };
    }
    const other = new pg.Client({ connectionString: String(service.environment['DATABASE_URL']) });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE knowledge_bases IN EXCLUSIVE MODE');
    return () => other.end();
  }

  const create = (client: Client, name: string) => client.post<KnowledgeBase>('/kbs', { name });

  it(`is 503 in time, with more requests than connections, and heals at once`, async () => {
    const release = await hold();
    const waits: number[] = [];
    const answers = await atOnce(REQUESTS, async () => {
      const begin = performance.now();
      const answer = await create(alice, 'Held up');
      waits.push(performance.now() - begin);
      return answer;
    }).finally(release);
    expect(outcomes(answers)).toEqual({ '503 database_unavailable': REQUESTS });
    for (const { headers } of answers) expect(headers.get('retry-after')).toMatch(/^[1-9]/);
    const longest = Math.round(Math.max(...waits));
    figure(`${REQUESTS} requests for held-up connections: 503 after ${longest} ms at most`);
    expect(longest).toBeLessThan(STALLED_MS);

    const begin = performance.now();
    await eventually(async () => (await create(alice, 'Next')).status === 201);
    // One for each connection: more would wait for each other, on a slow machine for too long.
    const healed = await atOnce(CONNECTIONS, () => create(patient, 'Next'));
    expect(outcomes(healed)).toEqual({ '201': CONNECTIONS });
    expect(performance.now() - begin).toBeLessThan(STALLED_MS);
    const { body } = await patient.get<{ data: KnowledgeBase[] }>('/kbs?limit=100');
    expect(body.data.map(({ name }) => name)).not.toContain('Held up');
  });

  it('leaves alone what does not need it', async () => {
    // Keeps a write waiting for longer than a busy machine takes to answer the others.
    const patient = await Service.start({ ...service.environment, ...TEST_ENVIRONMENT });
    try {
      const client = new Client(patient, 'alice');
      const release = await hold();
      const writing = client.post('/kbs', { name: 'Waits' });
      const live = await fetch(`${patient.url}/health/live`);
      const read = engine === 'sqlite' ? outcome(await client.get(`/kbs/${kb.id}`)) : '200';
      await release();
      expect([live.status, read]).toEqual([200, '200']);
      expect(outcome(await writing)).toBe('201');
    } finally {
      await patient.stop();
    }
  });
});
