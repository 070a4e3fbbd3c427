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
import { sql } from '../support/sql.js';
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

/** Reverts the latest migrations until `process.argv[1]` is the latest, and prints what was left each time. */
const REVERT_TO = `
  const { default: dataSource } = await import('./dist/ormconfig.js');
  await dataSource.initialize();
  const executed = async () =>
    (await dataSource.query('SELECT name FROM migrations ORDER BY id')).map(({ name }) => name);
  const left = [];
  for (let names = await executed(); names.length > 0; names = await executed()) {
    if (names.at(-1) === process.argv[1]) break;
    await dataSource.undoLastMigration({ transaction: 'all' });
    left.push((await executed()).length);
  }
  console.log(JSON.stringify(left));
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
  const evaluate = async (script: string, ...values: string[]): Promise<unknown> => {
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '--eval', script, ...values],
      { env: { ...START_ENVIRONMENT, ...environment } },
    );
    return JSON.parse(stdout);
  };
  const inspect = () => evaluate(INSPECT) as Promise<Inspection>;
  const expectAllExecuted = async () => {
    // The same for each test, and a process takes seconds to say it.
    migrations ??= (await inspect()).migrations;
    expect(await executed()).toEqual(migrations);
  };
  /** @returns how many migrations were left after each one that was reverted */
  const revertTo = (name: string) => evaluate(REVERT_TO, name) as Promise<number[]>;
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
    await commandLine('migration:revert');
    expect(await executed()).toEqual(all.slice(0, -1));
    expect(await revertTo('none')).toEqual(all.slice(0, -1).map((_, n) => all.length - 2 - n));
    expect(await tables()).toEqual(['migrations']);
    if (engine === 'postgres') {
      expect(
        await sql(environment, `SELECT cfgname FROM pg_ts_config WHERE cfgname LIKE 'latchkey%'`),
      ).toEqual([]);
    }

    await commandLine('migration:run');
    expect([await executed(), await tables()]).toEqual([all, schema]);
    await expectUse(await start());
  });

  it('keep which end users came when', async () => {
    const service = await start();
    const { id: kbId } = await new Client(service, 'alice').createKnowledgeBase();
    await service.stop();
    const revertToBits = () => revertTo('CountUsage1763680000000');
    await revertToBits();
    const bits = [
      { day: 20_750, end_user: 7, morning: 1 + 2 ** 47, afternoon: 0 },
      { day: 20_751, end_user: -8, morning: 6, afternoon: 2 ** 47 + 1 },
    ];
    for (const { day, end_user, morning, afternoon } of bits) {
      await sql(
        environment,
        `INSERT INTO usage_end_users
         VALUES ('${kbId}', ${day}, 'key_1', ${end_user}, 'test', ${morning}, ${afternoon})`,
      );
    }
    const rows = async (columns: string) => {
      const found = await sql<Record<string, number | string>>(
        environment,
        `SELECT ${columns} FROM usage_end_users WHERE environment = 'test' ORDER BY 1, 2`,
      );
      return found.map((row) => Object.values(row).map(Number));
    };

    await commandLine('migration:run');
    const [first, second] = [20_750 * 96, 20_751 * 96];
    expect(await rows('quarter, end_user')).toEqual([
      ...[first, first + 47].map((quarter) => [quarter, 7]),
      ...[second + 1, second + 2, second + 48, second + 95].map((quarter) => [quarter, -8]),
    ]);

    await revertToBits();
    expect(await rows('day, end_user, morning, afternoon')).toEqual(
      bits.map((row) => Object.values(row)),
    );
  });

  it('keep what was counted by quarters of an hour, and make the longer times of it again', async () => {
    const service = await start();
    const { id: kbId } = await new Client(service, 'alice').createKnowledgeBase();
    await service.stop();
    const revertToGrains = () => revertTo('KeepAuditEvents1763710000000');
    await revertToGrains();
    const first = 20_750 * 96;
    for (const [grain, quarter, chats] of [
      ...[1, 4, 24, 96].map((size) => [size, first, size === 1 ? 2 : 5]),
      [1, first + 1, 3],
    ] as const) {
      await sql(
        environment,
        `INSERT INTO usage_counts VALUES
           ('${kbId}', ${grain}, ${quarter}, 'key_1', 'live', 0, ${chats}, 0, 0, 0, 0, 0, 0, 0, 1)`,
      );
    }
    for (const [grain, quarter, bucket, answers] of [
      ...[1, 4, 24, 96].map((size) => [size, first, 17, 1]),
      ...[1, 4, 24, 96].map((size) => [size, first, 18, 12]),
    ] as const) {
      await sql(
        environment,
        `INSERT INTO usage_latencies VALUES
           ('${kbId}', ${grain}, ${quarter}, 'key_1', ${bucket}, 'live', ${answers})`,
      );
    }
    const counts = () =>
      sql<object>(environment, 'SELECT * FROM usage_counts ORDER BY quarter, refused, chats');
    const latencies = () =>
      sql<object>(environment, 'SELECT * FROM usage_latencies ORDER BY grain, bucket');
    const totals = () =>
      sql(
        environment,
        'SELECT grain, SUM(chats) AS chats FROM usage_counts GROUP BY grain ORDER BY grain',
      );
    const before = [await latencies(), await totals()];

    await commandLine('migration:run');
    expect(await counts()).toMatchObject([
      { quarter: first, api_key_id: 'key_1', environment: 'live', chats: 2, refused: 1 },
      { quarter: first + 1, chats: 3, latencies: '' },
    ]);
    const [row] = (await counts()) as { latencies: string }[];
    expect(row?.latencies.split(',').sort()).toEqual(['17:1', '18:12']);

    await revertToGrains();
    expect([await latencies(), await totals()]).toEqual(before);
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
