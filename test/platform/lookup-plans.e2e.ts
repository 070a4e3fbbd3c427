import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '../support/sql.js';
import { engine, migratedDatabase } from '../support/test-database.js';
import { onlyOn } from '../support/requirement.js';

const run = promisify(execFile);

/** So many that PostgreSQL's planner does not prefer to read the whole table. */
const DOCUMENTS = 20_000;
const KB = 'kb_00000000000000000000000000';

/** Runs built code on the database, and prints the plan of each statement about a table. */
const planner = (code: string, table: string) => `
  const { default: dataSource } = await import('./dist/ormconfig.js');
  await dataSource.initialize();
  const statements = [];
  dataSource.logger.logQuery = (query, parameters) => statements.push({ query, parameters });
  await dataSource.transaction(async (manager) => { ${code} });
  const plans = [];
  for (const { query, parameters } of statements.filter(({ query }) => query.includes('${table}'))) {
    const explain = '${engine === 'postgres' ? 'EXPLAIN (COSTS OFF)' : 'EXPLAIN QUERY PLAN'} ';
    const rows = await dataSource.query(explain + query, parameters);
    plans.push(rows.map((row) => row.detail ?? row['QUERY PLAN'].trim()));
  }
  console.log(JSON.stringify(plans));
  await dataSource.destroy();`;

/** Leases a group of documents. */
const LEASE = `
  const { IngestionQueue } = await import('./dist/src/documents/ingestion-queue.js');
  const unitOfWork = { run: (work) => work(manager) };
  const source = { manager, createQueryBuilder: (...rest) => manager.createQueryBuilder(...rest) };
  const isReady = { isAvailable: true, canWrite: true };
  const queue = new IngestionQueue(source, unitOfWork, isReady, isReady);
  const [leases = []] = await queue.lease(1);
  if (leases.length !== 32) throw new Error('32 small documents are a group');
  await unitOfWork.run((manager) => queue.release(manager, leases, { isUncounted: true }));`;

describe('a knowledge base of many documents', () => {
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-'));
    environment = { DATA_DIR: directory, ...(await migratedDatabase(directory)) };
    const now = `'2026-01-01 00:00:00.000'`;
    await sql(
      environment,
      `INSERT INTO knowledge_bases (id, name, state, created_at, updated_at)
       VALUES ('${KB}', 'Many', 'active', ${now}, ${now})`,
    );
    await sql(
      environment,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DOCUMENTS})
       INSERT INTO documents (id, kb_id, title, external_id, mime_type, size_bytes, sha256, metadata,
         state, status, created_at, updated_at)
       SELECT 'doc_' || i, '${KB}', 'Document', 'external-' || i, 'text/plain', 1, 'hash-' || i, '{}',
         'active', CASE WHEN i % 4 = 0 THEN 'pending' ELSE 'ready' END,
         ${now}, ${now} FROM n`,
    );
    await sql(
      environment,
      `INSERT INTO queued_jobs (queue, subject_id, kb_id, user_id, kind, priority, state, due_at, attempts)
       SELECT 'documents', id, kb_id, 'alice', 'group', 0, 'waiting',
         ${engine === 'postgres' ? `timestamptz ${now}` : now}, 0
       FROM documents WHERE status = 'pending'`,
    );
    if (engine === 'postgres') await sql(environment, 'ANALYZE documents, queued_jobs');
  });

  const plansOf = async (code: string, table = 'documents'): Promise<string[][]> => {
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '--eval', planner(code, table)],
      { env: { PATH: process.env['PATH'], ...environment } },
    );
    return JSON.parse(stdout) as string[][];
  };

  it('finds the duplicates of an upload by two index lookups', async () => {
    const plans = await plansOf(`
      const { findDuplicate } = await import('./dist/src/documents/find-duplicate.js');
      await findDuplicate(manager, '${KB}', { external_id: 'none', sha256: 'none' });`);
    const lookups = plans.map((plan) => plan.join(' '));
    expect(lookups).toEqual(
      ['external_id', 'sha256'].map((column) =>
        engine === 'postgres'
          ? expect.stringMatching(
              new RegExp(`^Limit +-> +Index Scan using \\S+ on documents .*Index Cond.*${column}`),
            )
          : expect.stringMatching(
              new RegExp(
                `^SEARCH Document USING INDEX \\S+ \\(kb_id=\\? AND ${column}=\\? AND state=\\?\\)$`,
              ),
            ),
      ),
    );
  });

  it('has documents leased by index lookups, however many wait', async () => {
    const jobs = await plansOf(LEASE, 'queued_jobs');
    const [expired, turn, waiting, ...byId] = jobs.map((plan) => plan.join(' '));
    const documents = (await plansOf(LEASE)).map((plan) => plan.join(' '));
    expect([byId.length, documents.length]).toEqual([4, 3]);
    if (engine === 'postgres') {
      expect(expired).toMatch(/Index Cond: .*queue.*state/);
      // However many knowledge bases a user has, one lookup finds the next one.
      expect(turn).toMatch(
        /Index Cond: \(+queue.{0,90}state.{0,60}ROW\(.{0,20}user_id.{0,20}kb_id/,
      );
      expect(waiting).toMatch(/^Limit +-> +Index Scan using/);
      for (const plan of [turn, waiting, ...byId, ...documents])
        expect(plan).not.toContain('Seq Scan');
    } else {
      expect(expired).toMatch(
        /^(?:MULTI-INDEX OR|SEARCH \S+ USING INDEX \S+ \(queue=\? AND state=\?)/,
      );
      expect(turn).not.toMatch(/SCAN w\b/);
      expect(turn).toMatch(
        /SEARCH w USING INDEX \S+ \(queue=\? AND state=\? AND \(user_id,kb_id\)>\(\?,\?\)/,
      );
      expect(waiting).toMatch(
        /^SEARCH w USING INDEX \S+ \(queue=\? AND state=\? AND user_id=\? AND kb_id=\?\)$/,
      );
      for (const plan of byId) expect(plan).toMatch(/\(queue=\? AND subject_id=\?\)$/);
      for (const plan of documents) {
        expect(new Set(plan.match(/\([^)]*\)/g))).toEqual(new Set(['(id=?)']));
      }
    }
  });

  it('has the documents of a source found by an index', async () => {
    const plans = await plansOf(`
      const { activeDocuments } = await import('./dist/src/documents/document-transitions.js');
      for await (const _ of activeDocuments(manager, { sourceId: 'none' })) break;`);
    expect(plans.map((plan) => plan.join(' '))).toEqual([
      engine === 'postgres'
        ? expect.stringMatching(/Index Cond: .*source_id/)
        : expect.stringMatching(/^SEARCH Document USING INDEX \S+ \(source_id=\?\)$/),
    ]);
  });

  it('has old uses of keys of service accounts found by the key', async () => {
    const plans = await plansOf(
      `const { ManagementKeyUse } = await import('./dist/src/api-keys/management-key-use.entity.js');
      const { retainedTables } = await import('./dist/src/platform/jobs/retention.js');
      const { condition, parameters } = retainedTables.get(ManagementKeyUse);
      await manager.delete(ManagementKeyUse, { apiKeyId: 'none' });
      await manager.createQueryBuilder().delete().from(ManagementKeyUse)
        .where(condition, { apiKeyId: 'none', ...parameters(new Date()) }).execute();`,
      'management_key_uses',
    );
    const [, plan] = plans.map((lines) => lines.join(' '));
    expect(plan).toMatch(
      engine === 'postgres'
        ? /Index Cond: \(+api_key_id.*hour </
        : /^SEARCH management_key_uses USING PRIMARY KEY \(api_key_id=\? AND hour<\?\)$/,
    );
  });

  onlyOn('sqlite').it(
    'has the first question of a conversation found without sorting',
    async () => {
      const plans = await plansOf(
        `const { loadSummaries } = await import('./dist/src/chat/conversations/conversation-summaries.js');
      await loadSummaries(manager, ['none']);`,
        'messages',
      );
      const [plan] = plans.map((lines) => lines.join(' '));
      expect(plan).toMatch(/SEARCH m USING INDEX \S+ \(conversation_id=\?\)/);
      expect(plan).not.toContain('B-TREE');
    },
  );

  onlyOn('postgres').it('has each term looked up when it is indexed', async () => {
    await sql(environment, `INSERT INTO search_indexes (kb_id) VALUES ('${KB}')`);
    await sql(
      environment,
      `INSERT INTO search_blocks (index_number, term, first, postings, block)
       SELECT number, 'term-' || i, 1, 1, '' FROM search_indexes, generate_series(1, 40000) i`,
    );
    await sql(environment, 'ANALYZE search_blocks');
    const plans = await plansOf(
      `const { READ_BLOCKS } = await import('./dist/src/documents/search/postgres/postgres-index-store.js');
       const terms = Array.from({ length: 1000 }, (_, n) => 'term-' + n);
       await manager.query(READ_BLOCKS, ['${KB}', terms, terms.map(() => 2), terms.map(() => 3)]);`,
      'search_blocks',
    );
    expect(plans).toHaveLength(1);
    expect(plans.join(' ')).not.toContain('Seq Scan on search_blocks');
  });

  onlyOn('postgres').it(
    'has new vectors of a knowledge base found among those of others',
    async () => {
      const [knowledgeBases, passages] = [20, 40_000];
      const now = `'2026-01-01 00:00:00.000'`;
      await sql(
        environment,
        `INSERT INTO knowledge_bases (id, name, state, created_at, updated_at)
       SELECT 'kb_' || i, 'One of many', 'active', ${now}, ${now}
       FROM generate_series(0, ${knowledgeBases - 1}) i`,
      );
      await sql(
        environment,
        `INSERT INTO passages (id, kb_id, document_id, version, position, text)
       SELECT 'p_' || i, 'kb_' || (i % ${knowledgeBases}), 'doc_1', 1, i, 'text'
       FROM generate_series(1, ${passages}) i`,
      );
      await sql(
        environment,
        `INSERT INTO passage_vectors (passage_number, kb_id, model, windows, codes, places, vectors)
       SELECT number, kb_id, 'model', 1, '', '', '' FROM passages ORDER BY number`,
      );
      await sql(environment, 'ANALYZE passage_vectors');
      const plans = await plansOf(
        `const { StoredIndexReader } = await import('./dist/src/documents/search/index-reader.js');
       const { POSTGRES: dialect } = await import('./dist/src/documents/search/postgres/postgres-dialect.js');
       const { VectorStore } = await import('./dist/src/documents/search/vector-store.js');
       // As for any values: for some, the planner would know how many rows they have.
       await manager.query('SET plan_cache_mode = force_generic_plan');
       let count = 0;
       const queryUntilDeadline = async (statement) => {
         const name = 'new_vectors_' + ++count;
         await manager.query('PREPARE ' + name + ' AS ' + statement);
         await manager.query('EXECUTE ' + name + " ('kb_1', 'model', 0, 1000)");
         return [];
       };
       const reader = new StoredIndexReader({ dialect, queryUntilDeadline }, 'kb_1', []);
       await reader.windowIndex('model');
       const { options, driver } = dataSource;
       const query = async (statement) =>
         statement.includes('serial') ? queryUntilDeadline(statement) : [{ model: 'model' }];
       const engine = { vectors: { put: async () => false } };
       await new VectorStore({ options, driver, query }, { run: async () => {} }, engine).move('kb_1', 'engine', async () => true);`,
        'EXECUTE new_vectors',
      );
      expect(plans).toHaveLength(2);
      for (const plan of plans.map((lines) => lines.join(' '))) {
        expect(plan).toMatch(
          /^Limit +-> +Index Scan using passage_vectors_by_kb .{0,200}kb_id.{0,200}<= /,
        );
      }
    },
  );

  it('has a key found by index lookups alone', async () => {
    // A table without rows is read whole unless that is forbidden.
    if (engine === 'postgres') {
      await sql(
        environment,
        `DO $$ BEGIN EXECUTE
           format('ALTER DATABASE %I SET enable_seqscan = off', current_database());
         END $$`,
      );
    }
    const statements = await plansOf(
      `const { ApiKeyLookup } = await import('./dist/src/api-keys/api-key-lookup.js');
      const { postgresPool, sqliteConnection } =
        await import('./dist/src/platform/database/typeorm-internals.js');
      const note = (query, parameters) => statements.push({ query, parameters });
      const peppers = { ids: ['p1', 'p2'], all: () => [{ hash: 'h1' }, { hash: 'h2' }] };
      if (${engine === 'postgres'}) {
        postgresPool(dataSource).query = ({ text, values }) => {
          note(text, values);
          return { rows: [] };
        };
      } else {
        const database = sqliteConnection(dataSource);
        const { prepare } = database;
        database.prepare = (query) => {
          const statement = prepare.call(database, query);
          const all = (...parameters) => (note(query, parameters), statement.all(...parameters));
          return { all };
        };
      }
      const lookup = new ApiKeyLookup(dataSource, {}, peppers, {}, {});
      await lookup.find('rag_live_none', '127.0.0.1');
      await lookup.findManagementKey('rag_live_none', '127.0.0.1');
      await lookup.findById('key_none', 'carol');
      ${engine === 'sqlite' ? 'delete sqliteConnection(dataSource).prepare' : 'delete postgresPool(dataSource).query'};`,
      'FROM api_keys',
    );
    const lookups = ['fast_hash', 'prefix', 'fast_hash', 'prefix', 'id'];
    expect(statements).toHaveLength(lookups.length);
    for (const [n, column] of lookups.entries()) {
      expect(statements[n]?.join(' ')).toMatch(
        engine === 'postgres'
          ? new RegExp(`api_keys.*(Recheck|Index) Cond: \\(+${column}\\b`)
          : new RegExp(
              `^(MATERIALIZE asked SCAN CONSTANT ROW )?SEARCH (k|api_keys) USING INDEX \\S+ \\(${column}=`,
            ),
      );
    }
  });
});
