import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { RequireMigrations1795400000000 } from './migrations/1795400000000-require-migrations.js';
import { canRunOn, requireMigration } from './schema-requirements.js';

describe(requireMigration.name, () => {
  let dataSource: DataSource;
  let runner: QueryRunner;

  beforeEach(async () => {
    dataSource = new DataSource({ type: 'better-sqlite3', database: ':memory:' });
    await dataSource.initialize();
    runner = dataSource.createQueryRunner();
    await new RequireMigrations1795400000000().up(runner);
  });

  afterEach(async () => {
    await runner.release();
    await dataSource.destroy();
  });

  it('rules out versions without the migration, and no others', async () => {
    const [older, newer] = [new Set(['First']), new Set(['First', 'Second'])];
    expect(await canRunOn(runner, ['First', 'Second', 'Third'], older)).toBe(true);
    await requireMigration(runner, 'Second');
    expect(await canRunOn(runner, ['First', 'Second', 'Third'], older)).toBe(false);
    expect(await canRunOn(runner, ['First', 'Second', 'Third'], newer)).toBe(true);
  });

  it('may be called again with the same migration', async () => {
    await requireMigration(runner, 'Second');
    await requireMigration(runner, 'Second');
    expect(await canRunOn(runner, ['First', 'Second'], new Set(['First']))).toBe(false);
  });
});
