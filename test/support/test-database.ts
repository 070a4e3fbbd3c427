import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, databaseVariables } from './postgres.mjs';

/** The engine under test; each of Jest's end-to-end projects sets one. */
export const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/** The server that engine-setup.mjs has started, or was told of. */
export function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is set by engine-setup.mjs');
  return url;
}

/** What makes a service use a new, empty database of the engine under test. */
export async function emptyDatabase(): Promise<NodeJS.ProcessEnv> {
  return engine === 'postgres' ? databaseVariables(await createDatabase(serverUrl())) : {};
}

/**
 * A database with the schema in it, as a copy of a migrated one.
 *
 * @param dataDir the service's, where the embedded database is
 */
export async function migratedDatabase(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const template = String(process.env[`LATCHKEY_TEMPLATE_${engine}`]);
  if (engine === 'postgres') return databaseVariables(await createDatabase(serverUrl(), template));
  copyFileSync(template, join(dataDir, 'latchkey.sqlite'));
  return {};
}

/**
 * A copy of all that a stopped service has kept, for services beside and after one another.
 *
 * @param environment of the stopped service
 * @param dataDir the copy's, empty so far
 */
export async function copiedDatabase(
  environment: NodeJS.ProcessEnv,
  dataDir: string,
): Promise<NodeJS.ProcessEnv> {
  cpSync(String(environment['DATA_DIR']), dataDir, { recursive: true });
  const url = environment['DATABASE_URL'];
  return {
    ...environment,
    DATA_DIR: dataDir,
    ...(url !== undefined && databaseVariables(await createDatabase(serverUrl(), url))),
  };
}
