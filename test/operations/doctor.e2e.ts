import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BucketServer, CREDENTIALS } from '../../packages/sources/test/bucket-server.js';
import { WebSite } from '../../packages/sources/test/web-site.js';
import { Client } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { freePort } from '../support/postgres.mjs';
import { Service } from '../support/service.js';
import { Sources } from '../support/sources.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';
import { Requirement } from '../support/requirement.js';

const PEPPER = `p1:${Buffer.alloc(32, 7).toString('base64')}`;
const SECRET = 'gateway-secret-0123456789-abcdefghijkl';

describe('the doctor', () => {
  let service: Service;
  /** What the service was started with. */
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    service = await Service.start({
      ...{ NODE_ENV: 'production', DASHBOARD_AUTH_MODE: 'gateway', GATEWAY_SECRETS: SECRET },
      ...{ TRUSTED_PROXY_CIDRS: '192.0.2.1', API_KEY_PEPPERS: PEPPER, API_KEY_BCRYPT_COST: '10' },
      SECURITY_CONTACT: 'mailto:security@example.com',
    });
    environment = { ...service.environment, PORT: new URL(service.url).port };
  });

  afterAll(() => service.stop());

  const examine = (changes: NodeJS.ProcessEnv = {}) =>
    runCommand('operations/doctor.command.js', { ...environment, ...changes });

  it('finds no problem in a correct deployment', async () => {
    const { code, output } = await examine();
    expect(output).not.toMatch(/^(warning|problem)/m);
    expect(output).toContain(`The service is ready at ${service.url}.`);
    expect(output).toContain('X-Idp-User-Id alone is not trusted.');
    expect(output).toContain('The database answers.');
    if (engine === 'postgres') {
      const [row] = await sql<{ version: string }>(
        environment,
        "SELECT split_part(current_setting('server_version'), ' ', 1) AS version",
      );
      expect(output).toContain(`The server is PostgreSQL ${String(row?.version)}.`);
    }
    expect(code).toBe(0);
  });

  it('warns of settings that are fit for development only', async () => {
    const { code, output } = await examine({
      ...{ NODE_ENV: 'development', DASHBOARD_AUTH_MODE: 'trust', API_KEY_PEPPERS: '' },
      ...{ API_KEY_BCRYPT_COST: '4', SECURITY_CONTACT: '' },
    });
    for (const name of [
      'NODE_ENV',
      'DASHBOARD_AUTH_MODE',
      'API_KEY_PEPPERS',
      'BCRYPT',
      'CONTACT',
    ]) {
      expect(output).toMatch(new RegExp(`^warning .*${name}`, 'm'));
    }
    expect(code).toBe(0);
  });

  it('names every bad variable and shows no value', async () => {
    const { code, output } = await examine({ PORT: 'eighty', GATEWAY_SECRETS: 'short' });
    expect(output).toMatch(/^problem {2}.*PORT/m);
    expect(output).not.toMatch(/eighty|short\b/);
    expect(code).toBe(1);
  });

  it('says that no service answers', async () => {
    const { code, output } = await examine({ PORT: String(await freePort()) });
    expect(output).toMatch(/^problem {2}No service answers at http:\/\/127\.0\.0\.1:\d+/m);
    expect(code).toBe(1);
  });

  it('warns that the running service trusts anybody', async () => {
    const trusting = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(trusting, 'listening');
    const { output } = await examine({ PORT: String((trusting.address() as AddressInfo).port) });
    trusting.close();
    expect(output).toMatch(/^problem {2}The service trusts X-Idp-User-Id from anybody/m);
  });

  it('says why the database cannot be used, without its URL', async () => {
    const DATABASE_URL = `postgres://user:of-the-database@127.0.0.1:${await freePort()}/latchkey`;
    const { output } = await examine({ DATABASE_URL });
    expect(output).toMatch(/^problem {2}The database of DATABASE_URL .*: nothing listens there/m);
    expect(output).not.toContain('of-the-database');
  });

  it('says that a file is no database', async () => {
    const DATA_DIR = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'damaged-'));
    writeFileSync(join(DATA_DIR, 'latchkey.sqlite'), 'x'.repeat(10_000));
    const { output } = await examine({ DATA_DIR, DATABASE_URL: '' });
    expect(output).toMatch(/^problem {2}.*latchkey\.sqlite is not a readable database/m);
  });

  // What else may be wrong with models and the like: connection-checks.spec.ts.
  it('says that nothing listens at the addresses of other servers', async () => {
    const address = async () => `127.0.0.1:${await freePort()}`;
    const [redis, search] = [await address(), await address()];
    const [model, embeddings] = [await address(), await address()];
    const { output } = await examine({
      REDIS_URL: `redis://${redis}`,
      SEARCH_URL: `http://latchkey:of-the-engine@${search}`,
      ...{ LLM_BASE_URL: `http://${model}/v1`, LLM_MODEL: 'm' },
      ...{ EMBEDDINGS_BASE_URL: `http://${embeddings}/v1`, EMBEDDINGS_MODEL: 'm' },
    });
    const refused = 'does not answer: ECONNREFUSED';
    expect(output).toMatch(/^problem {2}Redis at REDIS_URL does not answer/m);
    expect(output).toContain(`problem  SEARCH_URL: The search engine at ${search} ${refused}`);
    expect(output).toContain(`problem  LLM_BASE_URL: ${model} ${refused}, nothing listens there`);
    expect(output).toContain(
      `problem  EMBEDDINGS_BASE_URL: ${embeddings} ${refused}, nothing listens there`,
    );
    expect(output).not.toContain('of-the-engine');
  });

  const notRoot = new Requirement(process.getuid?.() !== 0, 'root may write everywhere');
  notRoot.it('says that DATA_DIR cannot be written', async () => {
    const DATA_DIR = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'locked-'));
    chmodSync(DATA_DIR, 0o500);
    expect((await examine({ DATA_DIR })).output).toMatch(/^problem {2}DATA_DIR cannot be written/m);
  });

  it('connects to sources, with their credentials', async () => {
    const bucket = await BucketServer.start();
    const site = await WebSite.start();
    site.page('/', 'Home');
    const own = await Service.start({ SOURCE_ALLOW_PRIVATE: 'yes' });
    const alice = new Client(own, 'alice');
    const sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
    const web = await sources.connect('website', { start_urls: [`${site.url}/`] });
    const secret = 'not-the-secret-of-this-key';
    const refused = await sources.connect('s3', bucket.config, {
      credentials: { ...CREDENTIALS, secret_access_key: secret },
    });
    const findings = () => runCommand('operations/doctor.command.js', own.environment);
    const { output, code } = await findings();
    expect(output).toContain(`The source ${web.id} (website) can be read.`);
    expect(output).toContain(`The source ${refused.id} (s3) cannot be read: `);
    expect(output).not.toContain(secret);
    expect(code).toBe(1);
    await alice.call('PATCH', `/sources/${refused.id}`, { state: 'paused' });
    expect((await findings()).output).not.toContain(refused.id);
    await Promise.all([own.stop(), bucket.stop(), site.stop()]);
  });
});
