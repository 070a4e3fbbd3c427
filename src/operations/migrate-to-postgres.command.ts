import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PEPPER_FILE, Peppers } from '../platform/peppers/peppers.js';
import { runCommand } from './command.js';
import { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { asStartProblem } from '../platform/database/start-problem.js';
import { listAllEntities, loadPlugins } from '../plugins.js';
import { SearchIndex } from '@latchkey/ranking/search-index';
import { Jobs } from '../platform/jobs/jobs.js';
import { PlatformModule } from '../platform/platform.module.js';
import { SearchModule } from '../documents/search/search.module.js';
import { copyDatabase, TableCounts } from './copy-database.js';
import { EmbeddedSource } from './embedded-source.js';
import { PostgresTarget } from './postgres-target.js';

/** Contains only the search index, because the whole service would start its background jobs. */
@Module({})
class IndexModule {}

/** `npm run migrate:to-postgres` copies the database of DATA_DIR into that of DATABASE_URL. */
await runCommand(async (config) => {
  if (!config.postgres) {
    throw new ConfigurationError('DATABASE_URL must name the PostgreSQL database to move to');
  }
  const source = await EmbeddedSource.open(config);
  try {
    const advice = requirePeppers(config, source);
    const counts = await copy(config, source);
    console.table(counts);
    if (counts.some(({ embedded, postgres }) => embedded !== postgres)) {
      throw new ConfigurationError(
        'The counts differ: something else has written to the database of DATABASE_URL; drop it, create it again and start over',
      );
    }
    console.log(advice);
  } finally {
    source.close();
  }
});

async function copy(config: Config, source: EmbeddedSource): Promise<TableCounts[]> {
  try {
    Jobs.isEnabled = false;
    const plugins = await loadPlugins(config);
    const entities = await listAllEntities();
    const target = await PostgresTarget.open(config, entities, await source.fingerprint());
    try {
      const app = await NestFactory.createApplicationContext(
        {
          module: IndexModule,
          imports: [PlatformModule.forCommand(config, entities, plugins), SearchModule],
        },
        { logger: ['error', 'warn'], abortOnError: false },
      );
      try {
        const counts = await copyDatabase(source, target, app.get(SearchIndex));
        if (counts.every(({ embedded, postgres }) => embedded === postgres)) await target.finish();
        return counts;
      } finally {
        await app.close();
      }
    } finally {
      await target.close();
    }
  } catch (error) {
    throw asStartProblem(error, config);
  }
}

/**
 * @returns what the operator must do so that every key still works
 * @throws ConfigurationError when API_KEY_PEPPERS lacks a pepper that is in use and that DATA_DIR has
 */
function requirePeppers(config: Config, source: EmbeddedSource): string {
  const file = join(config.DATA_DIR, PEPPER_FILE);
  const kept = existsSync(file) ? Peppers.load({ DATA_DIR: config.DATA_DIR }).ids : [];
  const given = config.API_KEY_PEPPERS === undefined ? kept : Peppers.load(config).ids;
  for (const { id, table, count } of source.pepperUses()) {
    if (given.includes(id)) continue;
    const [use, consequence] =
      table === 'api_keys'
        ? [
            `on which ${count} keys depend`,
            'they will be recognized by bcrypt, slowly, when they are next used',
          ]
        : [`under which ${count} secrets of ${table} are encrypted`, 'replace these secrets'];
    if (kept.includes(id)) {
      throw new ConfigurationError(
        `API_KEY_PEPPERS lacks the pepper ${id}, ${use}; add what is in ${file} to it, behind a comma`,
      );
    }
    console.warn(
      `The pepper ${id}, ${use}, is neither in API_KEY_PEPPERS nor in ${file}; ${consequence}`,
    );
  }
  return config.API_KEY_PEPPERS === undefined
    ? `Every key works with the pepper in ${file}: keep DATA_DIR as it is, or give what is in that file to every process as API_KEY_PEPPERS`
    : 'Every key works with API_KEY_PEPPERS as it is set now: give it to every process';
}
