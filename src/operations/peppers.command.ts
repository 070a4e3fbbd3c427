import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { dataSourceOptions } from '../platform/database/data-source-options.js';
import { EngineDataSource } from '../platform/database/engine-data-source.js';
import { runCommand } from './command.js';
import { entities } from '../entities.js';
import { Webhook } from '../activity/webhooks/webhook.entity.js';
import { Source } from '../documents/sources/source.entity.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { Peppers } from '../platform/peppers/peppers.js';

/**
 * Prints how many keys, secrets of webhooks and credentials of sources are stored under which pepper. One
 * without any can be removed.
 */
await runCommand(async (config: Config) => {
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'read', entities));
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
  const webhooksOf = await countOf(dataSource, Webhook);
  const sourcesOf = await countOf(dataSource, Source);
  const counts = new Map(keys.map((row) => [row.pepper, row]));
  const ids = new Set([...given, ...counts.keys(), ...webhooksOf.keys(), ...sourcesOf.keys()]);
  return [...ids].map((id) => ({
    pepper: id,
    given: id === given[0] ? 'current' : given.includes(id) ? 'previous' : 'missing',
    active_keys: counts.get(id)?.active ?? 0,
    deactivated_keys: counts.get(id)?.deactivated ?? 0,
    webhooks: webhooksOf.get(id) ?? 0,
    sources: sourcesOf.get(id) ?? 0,
  }));
}

async function countOf(
  dataSource: DataSource,
  entity: new () => { pepperId: string | null },
): Promise<Map<string, number>> {
  const rows = await dataSource
    .getRepository(entity)
    .createQueryBuilder('sealed')
    .select('sealed.pepperId', 'pepper')
    .addSelect('COUNT(*)', 'count')
    .where('sealed.pepperId IS NOT NULL')
    .groupBy('sealed.pepperId')
    .getRawMany<{ pepper: string; count: number }>();
  return new Map(rows.map(({ pepper, count }) => [pepper, count]));
}
