import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { dataSourceOptions } from '../platform/database/data-source-options.js';
import { EngineDataSource } from '../platform/database/engine-data-source.js';
import { runCommand } from './command.js';
import { listAllEntities } from '../plugins.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { Peppers } from '../platform/peppers/peppers.js';

/**
 * Prints how many keys, webhook secrets and source credentials are stored under each pepper. A pepper with
 * none can be removed.
 */
await runCommand(async (config: Config) => {
  const dataSource = new EngineDataSource(
    dataSourceOptions(config, 'read', await listAllEntities()),
  );
  await dataSource.initialize();
  try {
    console.table(await countKeys(dataSource, Peppers.load(config).ids));
  } finally {
    await dataSource.destroy();
  }
});

async function countKeys(dataSource: DataSource, given: readonly string[]): Promise<object[]> {
  const keys = await dataSource
    .getRepository(ApiKey)
    .createQueryBuilder('key')
    .select('key.pepperId', 'pepper')
    .addSelect(`SUM(CASE WHEN key.state = 'active' THEN 1 ELSE 0 END)`, 'active')
    .addSelect(`SUM(CASE WHEN key.state = 'active' THEN 0 ELSE 1 END)`, 'deactivated')
    .groupBy('key.pepperId')
    .getRawMany<{ pepper: string; active: number; deactivated: number }>();
  const sealed = await countSealed(dataSource);
  const counts = new Map(keys.map((row) => [row.pepper, row]));
  const sealedIds = sealed.flatMap(({ counts: tableCounts }) => [...tableCounts.keys()]);
  const ids = new Set([...given, ...counts.keys(), ...sealedIds]);
  return [...ids].map((id) => ({
    pepper: id,
    given: id === given[0] ? 'current' : given.includes(id) ? 'previous' : 'missing',
    active_keys: counts.get(id)?.active ?? 0,
    deactivated_keys: counts.get(id)?.deactivated ?? 0,
    ...Object.fromEntries(
      sealed.map(({ table, counts: tableCounts }) => [table, tableCounts.get(id) ?? 0]),
    ),
  }));
}

/** Counts the sealed secrets by pepper, for each table that has them. */
async function countSealed(
  dataSource: DataSource,
): Promise<{ table: string; counts: Map<string, number> }[]> {
  const tables = dataSource.entityMetadatas.filter(
    ({ target, columns }) =>
      target !== ApiKey && columns.some(({ propertyName }) => propertyName === 'pepperId'),
  );
  return Promise.all(
    tables.map(async ({ target, tableName }) => {
      const rows = await dataSource
        .getRepository(target)
        .createQueryBuilder('sealed')
        .select('sealed.pepperId', 'pepper')
        .addSelect('COUNT(*)', 'count')
        .where('sealed.pepperId IS NOT NULL')
        .groupBy('sealed.pepperId')
        .getRawMany<{ pepper: string; count: number }>();
      return {
        table: tableName,
        counts: new Map(rows.map(({ pepper, count }) => [pepper, count])),
      };
    }),
  );
}
