import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { figure } from '../support/figure.js';
import { START_ENVIRONMENT } from '../support/launch.mjs';
import { eventually, Service } from '../support/service.js';
import { databaseTime, sql } from '../support/sql.js';
import { engine, emptyDatabase } from '../support/test-database.js';

const run = promisify(execFile);

const ID = '0'.repeat(26);

/** Prints what the entities and the migrations of the built service come to. */
const INSPECT = `
  const { default: dataSource } = await import('./dist/ormconfig.js');
  await dataSource.initialize();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  console.log(JSON.stringify({
    migrations: dataSource.migrations.map(({ constructor }) => constructor.name),
    tables: dataSource.entityMetadatas.map(({ tableName }) => tableName),
    differences: upQueries.map(({ query }) => query),
  }));
  await dataSource.destroy();`;

interface Inspection {
  migrations: string[];
  tables: string[];
  differences: string[];
}

const TABLES =
  engine === 'postgres'
    ? `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
    : `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`;

describe('the migrations', () => {
  let environment: NodeJS.ProcessEnv;
  let services: Service[];
  let migrations: string[] | undefined;

  beforeEach(async () => {
    services = [];
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-'));
    environment = { DATA_DIR: directory, ...(await emptyDatabase()) };
  });

  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
  });

  const start = async () => {
    const service = await Service.start(environment);
    services.push(service);
    return service;
  };
  const inspect = async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', INSPECT], {
      env: { ...START_ENVIRONMENT, ...environment },
    });
    return JSON.parse(stdout) as Inspection;
  };
  const expectAllExecuted = async () => {
    // They are the same for each test, and a process takes seconds to list them.
    migrations ??= (await inspect()).migrations;
    expect(await executed()).toEqual(migrations);
  };
  const commandLine = (command: string) =>
    run(
      process.execPath,
      ['node_modules/typeorm/cli.js', command, '--dataSource', 'dist/ormconfig.js'],
      { env: { ...START_ENVIRONMENT, ...environment } },
    );
  const executed = async () => {
    const rows = await sql<{ name: string }>(
      environment,
      'SELECT name FROM migrations ORDER BY id',
    );
    return rows.map(({ name }) => name);
  };
  const tables = async () =>
    (await sql<{ name: string }>(environment, TABLES)).map(({ name }) => name).sort();
  /** Works, and not only says that it is ready. */
  const expectUse = async (...used: Service[]) => {
    const alice = new Client({ url: String(used[0]?.url) }, 'alice');
    const kb = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(kb.id);
    await alice.addDocument(kb.id, { title: 'Returns', text: 'Within 30 days.' });
    for (const service of used) {
      const answer = await new Client(service).query(secret, 'days');
      expect([outcome(answer), answer.body.results.length]).toEqual(['200', 1]);
    }
  };

  it('run once when four starters meet on an empty database, and all four come up', async () => {
    const started = await Promise.all([start(), start(), start(), start()]);
    await expectAllExecuted();
    await expectUse(...started);
  });

  it('run no more at the next start', async () => {
    await (await start()).stop();
    const before = await sql(environment, 'SELECT * FROM migrations ORDER BY id');
    await start();
    expect(await sql(environment, 'SELECT * FROM migrations ORDER BY id')).toEqual(before);
  });

  it('make the tables that the entities describe', async () => {
    await start();
    const { tables: described, differences } = await inspect();
    expect(differences).toEqual([]);
    expect(await tables()).toEqual(expect.arrayContaining(described));
  });

  it('can all be reverted, and run again', async () => {
    await (await start()).stop();
    const all = await executed();
    const schema = await tables();
    for (let left = all.length - 1; left >= 0; left--) {
      await commandLine('migration:revert');
      expect(await executed()).toEqual(all.slice(0, left));
    }
    expect(await tables()).toEqual(['migrations']);

    await commandLine('migration:run');
    expect([await executed(), await tables()]).toEqual([all, schema]);
    await expectUse(await start());
  });

  it('keep the audit list', async () => {
    await (await start()).stop();
    while ((await executed()).includes('Events1764400000031')) {
      await commandLine('migration:revert');
    }
    await sql(
      environment,
      `INSERT INTO former_owners (user_id, kb_id, deleted_at)
       VALUES ('alice', 'kb_1', ${databaseTime()})`,
    );
    const toId = (n: number) => `audit_${String(n).padStart(26, '0')}`;
    const insert = (n: number) =>
      sql(
        environment,
        `INSERT INTO audit_events
           (id, kb_id, actor, action, target_id, created_at, request_id, details)
         VALUES ('${toId(n)}', 'kb_1', 'alice', 'api_key.revoked', 'key_${n}', ${databaseTime()},
           'request', '{"prefix":"rag_live_1"}')`,
      );
    await insert(2);
    await insert(1);
    const alice = new Client(await start(), 'alice');
    const list = async () =>
      (await alice.get<{ data: { id: string }[] }>('/audit-events')).body.data;
    expect((await list()).map(({ id }) => id)).toEqual([2, 1].map(toId));
    expect(await list()).toContainEqual(
      expect.objectContaining({ actor: 'alice', details: { prefix: 'rag_live_1' } }),
    );
  });

  it('go on with what waited or was leased in queues of its own', async () => {
    await (await start()).stop();
    while ((await executed()).includes('QueuedJobs1764400000051')) {
      await commandLine('migration:revert');
    }
    const now = databaseTime();
    const bytes =
      engine === 'postgres'
        ? `convert_to('Within 30 days.', 'UTF8')`
        : `CAST('Within 30 days.' AS BLOB)`;
    const expired = databaseTime(-1000);
    const later = databaseTime(3_600_000);
    for (const statement of [
      `INSERT INTO knowledge_bases (id, name, state, created_by, created_at, updated_at)
       VALUES ('kb_${ID}', 'Returns', 'active', 'alice', ${now}, ${now})`,
      `INSERT INTO knowledge_base_members (id, kb_id, user_id, role, created_at)
       VALUES ('member_1', 'kb_${ID}', 'alice', 'owner', ${now})`,
      ...[
        ['1', 'pending', 0, 3, expired],
        ['2', 'processing', 1, 4, expired],
        ['3', 'ready', 1, 1, 'NULL'],
        ['4', 'pending', 2, 5, later],
      ].flatMap(([n, status, attempts, lease, dueAt]) => [
        `INSERT INTO documents (id, kb_id, user_id, title, mime_type, size_bytes, sha256, metadata,
           state, status, attempts, lease, due_at, created_at, updated_at)
         VALUES ('doc_${n}${ID.slice(1)}', 'kb_${ID}', 'alice', 'Returns', 'text/plain', 15, '', '{}',
           'active', '${status}', ${attempts}, ${lease}, ${dueAt}, ${now}, ${now})`,
        `INSERT INTO document_contents (document_id, content) VALUES ('doc_${n}${ID.slice(1)}', ${bytes})`,
      ]),
      `INSERT INTO sources (id, kb_id, user_id, type, name, config, on_delete, state, created_by,
         created_at, updated_at)
       VALUES ('src_${ID}', 'kb_${ID}', 'alice', 'folder', 'Docs', '{}', 'delete', 'active', 'alice',
         ${now}, ${now})`,
      ...[
        ['1', 'queued', 'NULL', later],
        ['2', 'complete', now, 'NULL'],
      ].map(
        ([n, status, endedAt, dueAt]) =>
          `INSERT INTO source_runs (id, source_id, kb_id, user_id, is_preview, is_confirmed, status, counts,
             errors, lease, due_at, created_at, ended_at)
           VALUES ('run_${n}', 'src_${ID}', 'kb_${ID}', 'alice', false, false, '${status}', '{}', '[]', 2,
             ${dueAt}, ${now}, ${endedAt})`,
      ),
      ...[
        ['1', 'running', later],
        ['2', 'complete', 'NULL'],
      ].map(
        ([n, status, dueAt]) =>
          `INSERT INTO evaluations (id, kb_id, user_id, status, settings, principals, question_count,
             done_count, lease, due_at, created_by, created_at)
           VALUES ('eval_${n}', 'kb_${ID}', 'alice', '${status}', '{}', '[]', 0, 0, 1, ${dueAt}, 'alice', ${now})`,
      ),
      `INSERT INTO webhooks (id, kb_id, url, events, state, secret, secret_issued_at, pepper_id, failing,
         created_by, created_at, updated_at)
       VALUES ('wh_${ID}', 'kb_${ID}', 'https://hooks.example.com', 'message.rated', 'active', '', ${now},
         'none', false, 'alice', ${now}, ${now})`,
      ...[
        ['1', 'scheduled', later],
        ['2', 'sending', later],
        ['3', 'waiting', 'NULL'],
        ['4', 'delivered', 'NULL'],
      ].map(
        ([n, state, dueAt]) =>
          `INSERT INTO webhook_deliveries (id, webhook_id, event, body, state, attempts, lease, due_at,
             created_at)
           VALUES ('whd_${n}', 'wh_${ID}', 'document.ready', '{}', '${state}', 1, 1, ${dueAt}, ${now})`,
      ),
    ]) {
      await sql(environment, statement);
    }
    await commandLine('migration:run');
    const jobs = await sql<{ job: string }>(
      environment,
      `SELECT queue || ' ' || subject_id || ' ' || user_id || ' ' || kind || ' ' || attempts AS job
       FROM queued_jobs WHERE state = 'waiting' AND lease IS NULL ORDER BY queue, subject_id`,
    );
    expect(jobs.map(({ job }) => job)).toEqual([
      `documents doc_1${ID.slice(1)} alice group 0`,
      `documents doc_2${ID.slice(1)} alice group 1`,
      `documents doc_4${ID.slice(1)} alice group 2`,
      'evaluations eval_1 alice  1',
      'source_runs run_1 alice  2',
      `webhook_deliveries whd_1 alice wh_${ID} 1`,
      `webhook_deliveries whd_2 alice wh_${ID} 1`,
    ]);
    const stateOf = async (table: string, column: string) =>
      (
        await sql<{ state: string }>(
          environment,
          `SELECT ${column} AS state FROM ${table} ORDER BY id`,
        )
      ).map(({ state }) => state);
    expect(await stateOf('source_runs', 'status')).toEqual(['running', 'complete']);
    expect(await stateOf('webhook_deliveries', 'state')).toEqual([
      ...['queued', 'queued', 'waiting', 'delivered'],
    ]);
    const alice = new Client(await start(), 'alice');
    for (const [n, attempts] of [
      ['1', 1],
      ['2', 2],
    ] as const) {
      await eventually(
        async () => (await alice.readDocument(`doc_${n}${ID.slice(1)}`)).status === 'ready',
      );
      const document = await alice.readDocument(`doc_${n}${ID.slice(1)}`);
      expect(document).toMatchObject({ attempts, chunk_count: 1 });
    }
  });

  it('are not reverted while there are knowledge bases', async () => {
    const service = await start();
    await new Client(service, 'alice').createKnowledgeBase();
    await service.stop();
    const before = [await executed(), await tables()];
    await expect(commandLine('migration:revert')).rejects.toThrow();
    expect([await executed(), await tables()]).toEqual(before);
  });

  it('keep the service from starting, with a message, if they are of another version', async () => {
    await (await start()).stop();
    await sql(
      environment,
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`,
    );
    const before = await executed();
    const { code, output } = await Service.refusal(environment);
    expect(output.trim()).toBe(
      'The database was migrated by another version of Latchkey; start that version or a later one',
    );
    expect(code).toBe(1);
    expect(await executed()).toEqual(before);
  });

  it.each([
    ['as they begin', '^CREATE TABLE', 1],
    ['between two tables', 'CREATE TABLE .?documents', 1],
    ['before the first is written down', 'INSERT INTO .?migrations', 1],
    ['before the second is written down', 'INSERT INTO .?migrations', 2],
    ['before they are committed', '^COMMIT', 1],
  ])('killed %s leave the old schema, and the next start works', async (when, statement, nth) => {
    const { code } = await Service.refusal({
      ...environment,
      NODE_OPTIONS: '--import=./test/support/die-at-statement.mjs',
      DIE_AT_STATEMENT: statement,
      DIE_AT_OCCURRENCE: String(nth),
    });
    expect(code).toBeNull();
    expect(await tables()).toEqual([]);
    figure(`migrations killed ${when}: the old schema`);
    const service = await start();
    await expectAllExecuted();
    await expectUse(service);
  });
});
