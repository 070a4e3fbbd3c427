import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';

/** Starts PostgreSQL, unless TEST_DATABASE_URL names a server to use instead. */
export default async function globalSetup() {
  process.env['LATCHKEY_TEST_RUN'] = `${process.pid}_`;
  process.env['LATCHKEY_TEST_DIR'] = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
  if (process.env['TEST_DATABASE_URL']) return;
  const { url, server } = await startPostgres();
  process.env['TEST_DATABASE_URL'] = url;
  Object.assign(globalThis, { testPostgres: server });
}
