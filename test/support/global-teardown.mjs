import { dropDatabases } from './postgres.mjs';

export default async function globalTeardown() {
  await dropDatabases(String(process.env['TEST_DATABASE_URL']));
  await globalThis['testPostgres']?.stop();
}
