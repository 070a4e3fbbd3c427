import { createDatabase } from './postgres.mjs';

/** The engine under test; each of jest's two end-to-end projects sets one. */
export const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/** The server that the global setup has started, or was told of. */
export function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is set by the global setup');
  return url;
}

/** What makes a service use an empty database of the engine under test. */
export async function newDatabase(): Promise<NodeJS.ProcessEnv> {
  return engine === 'postgres' ? { DATABASE_URL: await createDatabase(serverUrl()) } : {};
}
