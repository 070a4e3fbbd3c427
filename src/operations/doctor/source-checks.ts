import { accessSync, constants, existsSync } from 'node:fs';
import { SourceCredentials } from '../../documents/sources/source-credentials.js';
import { Source } from '../../documents/sources/source.entity.js';
import { entities } from '../../entities.js';
import type { Config } from '../../platform/config/config.js';
import { dataSourceOptions, sqliteFile } from '../../platform/database/data-source-options.js';
import { EngineDataSource } from '../../platform/database/engine-data-source.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { type Check, type Finding, ok, problem, warning } from './finding.js';

/** What stands in the way of sources: folders, credentials that cannot be read, runs that fail. */
export const checkSources: Check = async (config) => [
  ...config.SOURCE_FOLDERS.flatMap(checkFolder),
  ...(await checkStored(config)),
];

function checkFolder(path: string): Finding[] {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return [ok(`${path} of SOURCE_FOLDERS can be read.`)];
  } catch {
    return [problem(`${path} of SOURCE_FOLDERS cannot be read by the user that runs this.`)];
  }
}

async function checkStored(config: Config): Promise<Finding[]> {
  if (!config.postgres && !existsSync(sqliteFile(config))) return [];
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'read', entities));
  try {
    await dataSource.initialize();
    const sources = await dataSource.getRepository(Source).find();
    const credentials = new SourceCredentials(Peppers.load(config));
    return sources.flatMap((source) => [
      ...(credentials.open(source) === undefined
        ? [problem(`The credentials of ${source.id} cannot be read: give them again.`)]
        : []),
      ...(source.state === 'failing' ? [warning(`The last run of ${source.id} failed.`)] : []),
    ]);
  } catch {
    // No database, or none of this version: said by the check of the database.
    return [];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}
