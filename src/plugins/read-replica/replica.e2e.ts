import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  askedUntilWhole,
  atOnce,
  Client,
  type Document,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { runCommand } from '../../../test/support/command.js';
import { figure } from '../../../test/support/figure.js';
import { hasPgBouncer, startPgBouncer } from '../../../test/support/pgbouncer.mjs';
import { startReplicatedPostgres } from '../../../test/support/postgres-standby.mjs';
import { readsBy, replicated, withPort } from '../../../test/support/replicated-service.js';
import { eventually, Service } from '../../../test/support/service.js';
import { STALLED_MS } from '../../../test/support/stalled.js';
import { tool, withPlugins } from '../../../test/support/requirement.js';

const QUESTION = 'How long may customers return an order?';
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const ROUNDS = 8;
const PARALLEL = 8;

describe('with a replica', () => {
  let postgres: Awaited<ReturnType<typeof startReplicatedPostgres>>;
  let service: Service;
  let alice: Client;
  let partner: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;
  let reads: Record<string, () => Promise<Answer<unknown>>>;

  beforeAll(async () => {
    postgres = await startReplicatedPostgres();
    service = await Service.start({
      ...(await replicated(postgres)),
      DATABASE_STATEMENT_TIMEOUT_MS: '5000',
      SEARCH_TIMEOUT_MS: '2000',
    });
    alice = new Client(service, 'alice');
    partner = new Client(service);
    kb = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kb.id, {
      scopes: ['query', 'chat', 'documents:read'],
      rate_limit_per_minute: 1_000_000,
    });
    const document = await alice.addDocument(kb.id, DOCUMENT);
    const { body: answer } = await partner.chat(key.api_key, QUESTION);
    const conversation = answer.conversation_id;
    const bearer = { authorization: `Bearer ${key.api_key}` };
    reads = {
      documents: () => alice.get(`/kbs/${kb.id}/documents`),
      'documents by key': () => partner.call('GET', '/ingest/documents', undefined, bearer),
      'passages of a document': () => alice.get(`/documents/${document.id}/chunks`),
      conversations: () => alice.get(`/kbs/${kb.id}/conversations`),
      messages: () => alice.get(`/conversations/${conversation}/messages`),
      'audit events': () => alice.get(`/kbs/${kb.id}/audit-events`),
      passages: () => askedUntilWhole(() => partner.query(key.api_key, QUESTION)),
      history: () =>
        askedUntilWhole(() =>
          partner.chat(key.api_key, QUESTION, { conversation_id: conversation }),
        ),
    };
    await untilUsed();
  });

  afterAll(async () => {
    await service.stop();
    await postgres.remove();
  });

  const untilUsed = () =>
    eventually(async () => {
      const before = await readsBy(service, 'replica');
      await alice.get(`/kbs/${kb.id}/documents`);
      return (await readsBy(service, 'replica')) > before;
    });

  /** Every change, and the answers that must show it at once. */
  async function expectChangesSeen(): Promise<void> {
    const { id } = await alice.addDocument(kb.id, { title: 'New', text: 'Bicycles have bells.' });
    const titles = async () =>
      (await alice.get<Page<Document>>(`/kbs/${kb.id}/documents`)).body.data.map(
        (one) => one.title,
      );
    const found = async () =>
      (
        await askedUntilWhole(() => partner.query(key.api_key, 'Do bicycles have bells?'))
      ).body.results.some(({ document_id: documentId }) => documentId === id);
    expect([await titles(), await found()]).toEqual([expect.arrayContaining(['New']), true]);
    const changed = await alice.call('PATCH', `/documents/${id}`, { title: 'Changed' });
    expect(outcome(changed)).toBe('200');
    expect(await titles()).toContain('Changed');
    expect(outcome(await alice.call('DELETE', `/documents/${id}`))).toBe('200');
    expect([await found(), await titles()]).toEqual([
      false,
      expect.not.arrayContaining(['New', 'Changed']),
    ]);
  }

  const expectReadThere = async () => {
    for (const [kind, read] of Object.entries(reads)) {
      await eventually(async () => {
        const before = await readsBy(service, 'replica');
        expect(`${kind}: ${outcome(await read())}`).toBe(`${kind}: 200`);
        return (await readsBy(service, 'replica')) > before;
      });
    }
  };

  it('lists, history and passages are read there', async () => {
    await expectReadThere();
    const statements = await postgres.standby.query(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'latchkey'`,
    );
    expect(statements.length).toBeGreaterThan(0);
  });

  // Before those that read all while the replica is killed.
  withPlugins('evaluations', 'gaps', 'webhooks').it(
    'so are the lists and reports of other plugins',
    async () => {
      const hook = { url: 'http://127.0.0.1:9/', events: ['document.ready'] };
      const { body: webhook } = await alice.post<{ id: string }>(`/kbs/${kb.id}/webhooks`, hook);
      Object.assign(reads, {
        deliveries: () => alice.get(`/webhooks/${webhook.id}/deliveries`),
        evaluations: () => alice.get(`/kbs/${kb.id}/evaluations`),
        analytics: () => alice.get(`/kbs/${kb.id}/analytics`),
        'unanswered questions': () => alice.get(`/kbs/${kb.id}/analytics/unanswered`),
        gaps: () => alice.get(`/kbs/${kb.id}/gaps`),
        'top documents': () => alice.get(`/kbs/${kb.id}/analytics/top-documents`),
      });
      await expectReadThere();
    },
  );

  it('every acknowledged change is seen by the next read, while others write', async () => {
    const before = [await readsBy(service, 'replica'), await readsBy(service, 'behind')] as const;
    await atOnce(PARALLEL, async (index) => {
      const own = await alice.createKnowledgeBase(`Own ${index}`);
      for (let round = 0; round < ROUNDS; round++) {
        const path = `/kbs/${own.id}/documents`;
        const title = `Round ${round}`;
        const { body } = await alice.post<Document>(path, { title, text: `${title} ${index}` });
        const list = await alice.get<Page<Document>>(path);
        expect(list.body.data.map((document) => document.title)).toEqual([title]);
        await alice.call('DELETE', `/documents/${body.id}`);
        expect((await alice.get<Page<Document>>(path)).body.data).toEqual([]);
      }
    });
    const replica = (await readsBy(service, 'replica')) - before[0];
    const behind = (await readsBy(service, 'behind')) - before[1];
    figure(`Replica under writes: ${replica} reads there, ${behind} at the primary, 0 stale`);
  });

  it('behind, it is not asked, and no change is missed', async () => {
    const warnings = () => service.logs.match(/Reading from the primary/g)?.length ?? 0;
    const warned = warnings();
    await postgres.standby.query('SELECT pg_wal_replay_pause()');
    try {
      await expectChangesSeen();
      const used = await readsBy(service, 'replica');
      await expectChangesSeen();
      expect(await readsBy(service, 'replica')).toBe(used);
      expect(await readsBy(service, 'behind')).toBeGreaterThan(0);
      expect(warnings()).toBeLessThanOrEqual(warned + 1);
    } finally {
      await postgres.standby.query('SELECT pg_wal_replay_resume()');
    }
    await untilUsed();
    await eventually(() => service.logs.includes('The replica is in use again'));
  });

  it.each(['killed', 'frozen'] as const)('%s, no request fails', async (way) => {
    const outcomes = new Set<string>();
    let over = false;
    const load = atOnce(PARALLEL, async () => {
      while (!over) {
        for (const read of Object.values(reads)) outcomes.add(outcome(await read()));
      }
    });
    try {
      if (way === 'killed') await postgres.standby.kill();
      else postgres.standby.freeze();
      const begin = performance.now();
      await expectChangesSeen();
      expect(performance.now() - begin).toBeLessThan(STALLED_MS);
      expect(await readsBy(service, 'unavailable')).toBeGreaterThan(0);
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    } finally {
      over = true;
      if (way === 'killed') await postgres.standby.start();
      else postgres.standby.thaw();
      await load;
    }
    expect([...outcomes]).toEqual(['200']);
    await untilUsed();
  });

  it('the doctor says whether it follows the primary', async () => {
    const doctor = async (variables: NodeJS.ProcessEnv = {}) =>
      (await runCommand('operations/doctor.command.js', { ...service.environment, ...variables }))
        .output;
    expect(await doctor()).toContain('The replica follows the primary.');
    expect(await doctor({ DATABASE_REPLICA_URL: service.environment['DATABASE_URL'] })).toContain(
      'does not lead to a standby',
    );
    const replica = String(service.environment['DATABASE_REPLICA_URL']);
    expect(await doctor({ DATABASE_REPLICA_URL: withPort(replica, 9) })).toContain(
      'The replica at DATABASE_REPLICA_URL does not answer',
    );
  });

  tool('PgBouncer', hasPgBouncer).it('it is used behind poolers too', async () => {
    const poolers = [
      await startPgBouncer(postgres.primary.url),
      await startPgBouncer(postgres.standby.url),
    ] as const;
    const { DATABASE_URL = '', DATABASE_REPLICA_URL = '' } = service.environment;
    const pooled = await Service.start({
      ...(await replicated(postgres)),
      DATABASE_URL: withPort(DATABASE_URL, poolers[0].port),
      DATABASE_REPLICA_URL: withPort(DATABASE_REPLICA_URL, poolers[1].port),
      ...{ DATABASE_POOLER: 'transaction', DATA_DIR: service.dataDir },
    });
    try {
      for (const read of [
        () => new Client(pooled, 'alice').get(`/kbs/${kb.id}/documents`),
        () => new Client(pooled).query(key.api_key, QUESTION),
      ]) {
        await eventually(async () => {
          const before = await readsBy(pooled, 'replica');
          expect(outcome(await read())).toBe('200');
          return (await readsBy(pooled, 'replica')) > before;
        });
      }
    } finally {
      await pooled.stop();
      for (const pooler of poolers) await pooler.stop();
    }
  });

  it('the service does not start with a replica of SQLite, or with a standby as the primary', async () => {
    const { code, output } = await Service.refusal({
      DATABASE_REPLICA_URL: 'postgres://localhost/x',
    });
    expect([code, output]).toEqual([1, expect.stringContaining('SQLite has no replica')]);
    const standby = await Service.refusal({
      DATABASE_URL: service.environment['DATABASE_REPLICA_URL'],
    });
    expect([standby.code, standby.output]).toEqual([
      1,
      expect.stringContaining('DATABASE_URL leads to a standby'),
    ]);
  });
});
