import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { figure } from '../support/figure.js';
import { START_ENVIRONMENT } from '../support/launch.mjs';
import { Service } from '../support/service.js';
import { databaseTime, sql } from '../support/sql.js';
import { engine, emptyDatabase } from '../support/test-database.js';

const run = promisify(execFile);

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
