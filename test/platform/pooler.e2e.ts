import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { atOnce, Client, outcome, outcomes } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.mjs';
import { Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { migratedDatabase, serverUrl } from '../support/test-database.js';
import { tool } from '../support/requirement.js';

const AT_ONCE = 20;
const QUESTION = 'How long may customers return an order?';
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const pgbouncer = tool('PgBouncer', hasPgBouncer);

pgbouncer.describe('behind a pooler in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let direct: NodeJS.ProcessEnv;
  let environment: NodeJS.ProcessEnv;
  let a: Service;
  let b: Service;
  let alice: Client;

  beforeAll(async () => {
    pooler = await startPgBouncer(serverUrl());
    const url = new URL(String((await migratedDatabase(''))['DATABASE_URL']));
    url.port = new URL(serverUrl()).port;
    direct = { DATABASE_URL: url.href };
    await sql(direct, `ALTER DATABASE ${url.pathname.slice(1)} RESET ALL`);
    url.port = String(pooler.port);
    environment = { DATABASE_URL: url.href, DATABASE_POOLER: 'transaction' };
    a = await Service.start(environment);
    b = await Service.start({ ...a.environment, SEARCH_TIMEOUT_MS: '1' });
    alice = new Client(a, 'alice');
  });
  afterAll(async () => {
    await Promise.all([a.stop(), b.stop()]);
    await pooler.stop();
  });

  it('keys and questions work, also many at once, and a revocation holds at once', async () => {
    const { id } = await alice.createKnowledgeBase();
    await alice.addDocument(id, DOCUMENT);
    const key = await alice.createApiKey(id);
    const partner = new Client(a);
    const { body } = await partner.chat(key.api_key, QUESTION);
    expect(body).toMatchObject({ answered: true, sources: [{ document_title: 'Returns' }] });
    const ask = () => partner.query(key.api_key, QUESTION);
    expect(outcomes(await atOnce(AT_ONCE, ask))).toEqual({ '200': AT_ONCE });
    expect(outcome(await alice.call('PATCH', `/api-keys/${key.id}/revoke`))).toBe('200');
    expect(outcomes(await atOnce(AT_ONCE, ask))).toEqual({ '401 api_key_revoked': AT_ONCE });
  });

  it('a search that takes too long ends, and leaves its connection to others', async () => {
    const { id } = await alice.createKnowledgeBase();
    await alice.addDocument(id, { title: 'Long', text: 'Orders may be returned. '.repeat(5000) });
    const { api_key: secret } = await alice.createApiKey(id);
    const answers = await atOnce(AT_ONCE, () => new Client(b).query(secret, QUESTION));
    for (const { body } of answers) expect(body).toMatchObject({ partial: true });
    expect(outcome(await new Client(a).query(secret, QUESTION))).toBe('200');
  });

  it('the doctor says what the role lacks', async () => {
    const doctor = async (variables: NodeJS.ProcessEnv) =>
      (await runCommand('operations/doctor.command.js', { ...a.environment, ...variables })).output;
    expect(await doctor({})).toContain('has no statement_timeout');
    const database = new URL(String(direct['DATABASE_URL'])).pathname.slice(1);
    for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
      await sql(direct, `ALTER DATABASE ${database} SET ${setting} = '20s'`);
    }
    // One without connections from before.
    const other = await startPgBouncer(serverUrl());
    const url = new URL(String(environment['DATABASE_URL']));
    url.port = String(other.port);
    expect(await doctor({ DATABASE_URL: url.href })).not.toContain('_timeout');
    await other.stop();
  });
});
