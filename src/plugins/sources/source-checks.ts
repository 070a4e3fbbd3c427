import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceError } from '@latchkey/sources/source-kind';
import { OIKB } from './oikb-kind.js';
import { requireSeparateFolders } from './separate-folders.js';
import { SourceConnections } from './source-connections.js';
import { SourceCredentials } from './source-credentials.js';
import { SourceKinds } from './source-kinds.js';
import { Source } from './source.entity.js';
import type { Config } from '../../platform/config/config.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import {
  dataSourceOptions,
  type Entities,
  sqliteFile,
} from '../../platform/database/data-source-options.js';
import { EngineDataSource } from '../../platform/database/engine-data-source.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { Problem } from '../../platform/problems/problem.js';
import { type Check, type Finding, ok, problem, warning } from '../../platform/plugins/finding.js';

const TIMEOUT_MS = 10_000;
/** Connections that are checked at once. */
const BATCH = 8;

/** Checks the folders, credentials and addresses of sources, and reports failing runs. */
export const checkSources: Check = async (config, entities) => [
  ...config.SOURCE_FOLDERS.flatMap(checkFolder),
  ...(await checkSeparate(config)),
  ...(await checkStored(config, entities)),
];

function checkFolder(path: string): Finding[] {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return [ok(`${path} of SOURCE_FOLDERS can be read.`)];
  } catch {
    return [problem(`${path} of SOURCE_FOLDERS cannot be read by the user that runs this.`)];
  }
}

async function checkSeparate(config: Config): Promise<Finding[]> {
  try {
    await requireSeparateFolders(config);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [problem(error.message)];
  }
}

async function checkStored(config: Config, entities: Entities): Promise<Finding[]> {
  if (!config.postgres && !existsSync(sqliteFile(config))) return [];
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'read', entities));
  try {
    await dataSource.initialize();
    const sources = await dataSource.getRepository(Source).find();
    const credentials = new SourceCredentials(Peppers.load(config));
    const connections = new SourceConnections(new SourceKinds(config), config);
    const findings: Finding[] = [];
    for (let start = 0; start < sources.length; start += BATCH) {
      const batch = sources.slice(start, start + BATCH);
      const found = batch.map((source) => checkSource(source, credentials, connections));
      findings.push(...(await Promise.all(found)).flat());
    }
    return findings;
  } catch {
    // The check of the database reports a missing or outdated one.
    return [];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

async function checkSource(
  source: Source,
  credentials: SourceCredentials,
  connections: SourceConnections,
): Promise<Finding[]> {
  const { id, type, config, state } = source;
  if (state === 'paused' || type === OIKB) return [];
  const secret = credentials.open(source);
  if (secret === undefined) {
    return [problem(`The credentials of ${id} cannot be decrypted. Enter them again.`)];
  }
  const failing = state === 'failing' ? [warning(`The last run of ${id} failed.`)] : [];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // The folder is not in DATA_DIR, because the service could not write files that another system user created.
  const workFolder = join(tmpdir(), `latchkey-doctor-${randomUUID()}`);
  try {
    await connections.test(type, config, secret, signal, workFolder);
    return [ok(`The source ${id} (${type}) can be read.`), ...failing];
  } catch (error) {
    return [
      problem(`The source ${id} (${type}) cannot be read: ${describeError(error)}`),
      ...failing,
    ];
  }
}

function describeError(error: unknown): string {
  if (error instanceof SourceError) return error.message;
  return error instanceof Problem
    ? "The service's configuration does not allow it."
    : 'It does not answer.';
}
