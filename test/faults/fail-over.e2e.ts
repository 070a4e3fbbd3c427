import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  atOnce,
  Client,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { figure } from '../support/figure.js';
import { Forwarder } from '../support/forwarder.js';
import { startReplicatedPostgres } from '../support/postgres-standby.mjs';
import { portOf, readsBy, replicated, withPort } from '../support/replicated-service.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const PARALLEL = 20;

/** The tests change the state of the servers, one after the other. */
describe('when PostgreSQL fails over', () => {
  let postgres: Awaited<ReturnType<typeof startReplicatedPostgres>>;
  let address: Forwarder;
  let replica: Forwarder;
  let service: Service;
  let alice: Client;
  let partner: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;
  let revoked: IssuedApiKey;
  const acknowledged: string[] = [];

  beforeAll(async () => {
    // So no acknowledged write is lost.
    postgres = await startReplicatedPostgres({
      flags: ['-c', 'synchronous_standby_names=standby'],
    });
    address = await Forwarder.start(portOf(postgres.primary.url));
    replica = await Forwarder.start(portOf(postgres.standby.url));
    const environment = await replicated(postgres);
    const DATABASE_URL = String(environment['DATABASE_URL']);
    service = await Service.start({
      ...environment,
      DATABASE_URL: withPort(DATABASE_URL, address.port),
      DATABASE_REPLICA_URL: withPort(DATABASE_URL, replica.port),
      // Longer than by default, since all servers share a machine here.
      DATABASE_ACQUIRE_TIMEOUT_MS: '5000',
      DATABASE_STATEMENT_TIMEOUT_MS: '5000',
      SEARCH_TIMEOUT_MS: '5000',
    });
    alice = new Client(service, 'alice');
    partner = new Client(service);
    kb = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kb.id);
    revoked = await alice.createApiKey(kb.id);
    await alice.addDocument(kb.id, DOCUMENT);
    expect(outcome(await partner.query(revoked.api_key, 'return'))).toBe('200');
  });

  afterAll(async () => {
    await service.stop();
    address.stop();
    replica.stop();
    await postgres.remove();
  });

  const requests = () => [
    () => alice.get('/kbs'),
    () => alice.get(`/kbs/${kb.id}`),
    () => alice.get(`/kbs/${kb.id}/documents`),
    () => alice.get(`/kbs/${kb.id}/analytics`),
    () => alice.post('/kbs', { name: 'Written' }),
    () => partner.query(key.api_key, 'return'),
    () => partner.chat(key.api_key, 'return'),
  ];

  async function expectAll(expected: string): Promise<void> {
    const answers = await Promise.all(requests().map((request) => request()));
    expect(Object.keys(outcomes(answers)).sort()).toEqual(expected.split(', '));
    if (!expected.startsWith('503')) return;
    for (const { headers } of answers) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }

  const heals = async () => {
    const begin = performance.now();
    await eventually(async () => {
      const answers = await atOnce(PARALLEL, () => alice.post('/kbs', { name: 'Written' }));
      return outcomes(answers)['201'] === PARALLEL;
    });
    await expectAll('200, 201');
    return Math.round(performance.now() - begin);
  };

  it('connections to a machine that is gone without a word are given up', async () => {
    await atOnce(PARALLEL, () => alice.get(`/kbs/${kb.id}`));
    address.silence();
    const elapsed = await heals();
    figure(`Connections without an answer: all well after ${elapsed} ms`);
    expect(elapsed).toBeLessThan(2 * STALLED_MS);
  });

  it('without a primary, credentials are refused with 503, and nothing revoked is let in', async () => {
    expect(outcome(await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`))).toBe('200');
    const writes = await atOnce(PARALLEL, () =>
      alice.post<KnowledgeBase>('/kbs', { name: 'Acknowledged' }),
    );
    acknowledged.push(...writes.map(({ body }) => body.id));
    await postgres.primary.kill();
    await expectAll('503 database_unavailable');
    expect(outcome(await partner.query(revoked.api_key, 'return'))).toBe(
      '503 database_unavailable',
    );
    expect(outcome(await partner.query('rag_live_mistyped', 'return'))).toBe('401 invalid_api_key');
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
  });

  it('a standby is not taken for the primary before it is promoted', async () => {
    address.moveTo(portOf(postgres.standby.url));
    await expectAll('503 database_unavailable');
    expect(outcome(await partner.query(revoked.api_key, 'return'))).toBe(
      '503 database_unavailable',
    );
  });

  it('with the standby promoted it goes on by itself, and nothing acknowledged is lost', async () => {
    await postgres.standby.query('SELECT pg_promote()');
    figure(`Standby promoted: all well after ${await heals()} ms`);
    expect(outcome(await partner.query(revoked.api_key, 'return'))).toBe('401 api_key_revoked');
    const found = await Promise.all(acknowledged.map((id) => alice.get(`/kbs/${id}`)));
    expect(outcomes(found)).toEqual({ '200': PARALLEL });
    const { body } = await alice.get<Page<unknown>>(`/kbs/${kb.id}/documents`);
    expect(body.total).toBe(1);
  });

  it('a standby that has not followed the promotion answers no read', async () => {
    writeFileSync(join(postgres.primary.directory, 'standby.signal'), '');
    await postgres.primary.start();
    replica.moveTo(portOf(postgres.primary.url));
    const used = await readsBy(service, 'replica');
    const refused = await readsBy(service, 'unrelated');
    await eventually(async () => {
      await expectAll('200, 201');
      return (await readsBy(service, 'unrelated')) > refused + 10;
    });
    expect(await readsBy(service, 'replica')).toBe(used);
  });
});
