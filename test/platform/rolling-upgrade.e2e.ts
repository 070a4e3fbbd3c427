import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { previousRelease } from '../support/previous-release.mjs';
import { history } from '../support/requirement.js';
import { Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const EXPANSION = 'Expand9999999999998';
const CONTRACTION = 'Contract9999999999999';

const services: Service[] = [];

async function start(environment: NodeJS.ProcessEnv = {}, directory?: string): Promise<Service> {
  const service = await Service.start(environment, directory);
  services.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

/** Does what a migration of a later version does that only expands the schema. */
async function expand(environment: NodeJS.ProcessEnv): Promise<void> {
  for (const statement of [
    'CREATE TABLE added_later (id varchar PRIMARY KEY)',
    'ALTER TABLE api_keys ADD COLUMN added_later varchar',
    `INSERT INTO migrations (timestamp, name) VALUES (9999999999998, '${EXPANSION}')`,
  ]) {
    await sql(environment, statement);
  }
}

const migrations = (environment: NodeJS.ProcessEnv) =>
  sql(environment, 'SELECT * FROM migrations ORDER BY id');

/** Checks keys, queries and uploads of two versions that share a database. */
async function expectUseBeside(newer: Service, older: Service): Promise<void> {
  const alice = new Client(newer, 'alice');
  const kb = await alice.createKnowledgeBase();
  const key = await alice.createApiKey(kb.id);
  await alice.addDocument(kb.id, { title: 'Returns', text: 'Orders may be returned in 30 days.' });
  const titles = async (service: Service, question: string) => {
    const answer = await new Client(service).query(key.api_key, question);
    expect(outcome(answer)).toBe('200');
    return answer.body.results.map(({ document_title }) => document_title);
  };
  expect(await titles(older, 'When may orders be returned?')).toEqual(['Returns']);

  const aliceOnOlder = new Client(older, 'alice');
  const text = 'Parcels are delivered within two days.';
  await aliceOnOlder.addDocument(kb.id, { title: 'Delivery', text });
  expect(await titles(newer, 'When are parcels delivered?')).toEqual(['Delivery']);
  const keyOfOlder = await aliceOnOlder.createApiKey(kb.id);
  expect(outcome(await new Client(newer).query(keyOfOlder.api_key, 'parcels'))).toBe('200');

  await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
  expect(outcome(await new Client(older).query(key.api_key, 'parcels'))).toBe(
    '401 api_key_revoked',
  );
}

describe('a version on the schema of a later one', () => {
  it('runs beside it after migrations that only expand the schema', async () => {
    const newer = await start();
    await expand(newer.environment);
    await expectUseBeside(newer, await start(newer.environment));
  });

  it('refuses to start after a migration that requires another one, in words, and leaves the database as it is', async () => {
    const newer = await start();
    await expand(newer.environment);
    await sql(
      newer.environment,
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, '${CONTRACTION}')`,
    );
    // What it requires is known.
    await sql(
      newer.environment,
      `INSERT INTO schema_requirements (migration) VALUES ('RequireMigrations1795400000000')`,
    );
    await (await start(newer.environment)).stop();
    await sql(
      newer.environment,
      `INSERT INTO schema_requirements (migration) VALUES ('${EXPANSION}')`,
    );
    const before = await migrations(newer.environment);
    const { code, output } = await Service.refusal(newer.environment);
    expect(output.trim()).toBe(
      'The database was migrated by a newer version of Latchkey, on whose schema this one cannot run; start that version or a later one',
    );
    expect(code).toBe(1);
    expect(await migrations(newer.environment)).toEqual(before);
  });
});

(await history()).describe('the previous release', () => {
  it('starts on the schema of this version, and serves beside it', async () => {
    const folder = await previousRelease();
    const present = await start();
    await expectUseBeside(present, await start(present.environment, folder));
  });
});
