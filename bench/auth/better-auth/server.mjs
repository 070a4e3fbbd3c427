// @ts-nocheck Its packages are installed by the benchmark alone.
// The peer: better-auth's verification of API keys with the storage and the writes that it has by
// default, in front of the same answer.
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { apiKey } from '@better-auth/api-key';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { served } from '../served.mjs';

const [file, keys] = process.argv.slice(2);

const database = new Database(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = NORMAL');

const options = {
  database,
  secret: 'x'.repeat(32),
  baseURL: 'http://127.0.0.1',
  emailAndPassword: { enabled: true },
  logger: { disabled: true },
  telemetry: { enabled: false },
  // Counted like any other limit, and never reached.
  plugins: [
    apiKey({ rateLimit: { enabled: true, timeWindow: 60_000, maxRequests: 1_000_000_000 } }),
  ],
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const auth = betterAuth(options);
const { user } = await auth.api.signUpEmail({
  body: { email: 'bench@example.com', password: 'x'.repeat(12), name: 'bench' },
});
const secrets = [];
for (let count = 0; count < Number(keys); count++) {
  const { key } = await auth.api.createApiKey({ body: { userId: user.id } });
  secrets.push(key);
}

const app = Fastify();
app.post('/echo', async ({ body }, reply) => {
  const { valid } = await auth.api.verifyApiKey({ body: { key: body.api_key } });
  return valid ? { message: body.message } : reply.code(401).send();
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
served(Number(new URL(url).port), { secrets });
