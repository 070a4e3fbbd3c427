import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../support/api-key-secret.js';
import {
  type ApiKey,
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from '../support/client.js';
import { runCommand } from '../support/command.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

const pepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [A, B] = [pepper('a'), pepper('b')];
/** A hash of something else: a key with it gets through only where bcrypt is not asked. */
const USELESS_HASH = '$2b$04$abcdefghijklmnopqrstuuJm3Hk8dWQ3iXbqGbQm0pUo1yRk8v8pS';

/** `onA` runs with pepper A, `onB` with B alone, and those between with both, B before A. */
type Deployment = 'onA' | 'onBA' | 'besideBA' | 'onB';

describe('an API key and the pepper it is indexed under', () => {
  let services: Record<Deployment, Service>;
  let kbId: string;

  // All on one database: a key meets another pepper by being used elsewhere.
  beforeAll(async () => {
    const onA = await Service.start({ API_KEY_PEPPERS: A });
    const start = (peppers: string) =>
      Service.start({ ...onA.environment, API_KEY_PEPPERS: peppers });
    const [onBA, besideBA, onB] = await Promise.all([
      start(`${B},${A}`),
      start(`${B},${A}`),
      start(B),
    ]);
    services = { onA, onBA, besideBA, onB };
  });

  beforeEach(async () => {
    kbId = (await client('onA', 'alice').createKnowledgeBase()).id;
  });

  afterAll(() => Promise.all(Object.values(services).map((service) => service.stop())));

  const client = (where: Deployment, user?: string) => new Client(services[where], user);
  const newKey = (where: Deployment = 'onA') => client(where, 'alice').createApiKey(kbId);
  const use = (where: Deployment, { api_key }: IssuedApiKey) =>
    client(where).query(api_key, 'Anything?');
  const useAll = async (where: Deployment, ...keys: IssuedApiKey[]) => {
    const results: string[] = [];
    for (const key of keys) results.push(outcome(await use(where, key)));
    return results;
  };
  const forged = ({ prefix }: ApiKey, n = 0) => withChecksum(prefix + String(n).padStart(32, 'z'));
  const change = (statement: string) => sql(services.onA.environment, statement);

  /** Under which pepper each key is indexed. */
  async function peppersOf(...keys: ApiKey[]): Promise<(string | undefined)[]> {
    const rows = await sql<{ id: string; pepper_id: string }>(
      services.onA.environment,
      `SELECT id, pepper_id FROM api_keys WHERE owner_id = '${kbId}'`,
    );
    return keys.map(({ id }) => rows.find((row) => row.id === id)?.pepper_id);
  }

  /** What the command says of each pepper: given, active keys, deactivated keys. */
  async function report(where: Deployment): Promise<Record<string, [string, number, number]>> {
    const { environment } = services[where];
    const { code, output } = await runCommand('operations/peppers.command.js', environment);
    expect([code, output]).toEqual([0, expect.not.stringContaining(B.slice(2))]);
    const row = /│\s*\d+\s*│\s*'([\w-]+)'\s*│\s*'(\w+)'\s*│\s*'?(\d+)'?\s*│\s*'?(\d+)'?\s*│/g;
    return Object.fromEntries(
      [...output.matchAll(row)].map(([, id, given, active, deactivated]) => [
        id,
        [given, Number(active), Number(deactivated)],
      ]),
    ) as Record<string, [string, number, number]>;
  }

  const breakHashes = () =>
    change(`UPDATE api_keys SET secret_hash = '${USELESS_HASH}' WHERE owner_id = '${kbId}'`);

  // First, since the command counts all keys there are.
  it('outlives the change of the pepper: keys move over as they are used', async () => {
    const [used, idle, revoked] = [await newKey(), await newKey(), await newKey()];
    await client('onA', 'alice').call('PATCH', `/api-keys/${revoked.id}/revoke`);
    expect(await report('onA')).toEqual({ a: ['current', 2, 1] });

    const fresh = await newKey('onBA');
    expect(await report('onBA')).toEqual({ b: ['current', 1, 0], a: ['previous', 2, 1] });
    // Not by bcrypt: no hash is any good.
    await breakHashes();
    expect(await useAll('onBA', used, fresh, used)).toEqual(['200', '200', '200']);
    expect(await report('onBA')).toEqual({ b: ['current', 2, 0], a: ['previous', 1, 1] });
    expect(await useAll('onBA', revoked, idle)).toEqual(['401 api_key_revoked', '200']);
    expect(await report('onBA')).toEqual({ b: ['current', 3, 1], a: ['previous', 0, 0] });

    expect(await report('onB')).toEqual({ b: ['current', 3, 1] });
    expect(await useAll('onB', used, idle, fresh, revoked)).toEqual([
      '200',
      '200',
      '200',
      '401 api_key_revoked',
    ]);
  });

  it('lets the key through while it cannot be moved', async () => {
    const key = await newKey();
    await use('onA', key);
    await change(
      engine === 'postgres'
        ? `ALTER TABLE api_keys ADD CONSTRAINT unmoved CHECK (pepper_id <> 'b') NOT VALID`
        : `CREATE TRIGGER unmoved BEFORE UPDATE OF pepper_id ON api_keys
           BEGIN SELECT RAISE(ABORT, 'not now'); END`,
    );
    expect(await useAll('onBA', key, key)).toEqual(['200', '200']);
    expect(await peppersOf(key)).toEqual(['a']);
    await change(
      engine === 'postgres'
        ? 'ALTER TABLE api_keys DROP CONSTRAINT unmoved'
        : 'DROP TRIGGER unmoved',
    );
    expect(await useAll('onBA', key)).toEqual(['200']);
    expect(await peppersOf(key)).toEqual(['b']);
  });

  it('may be moved by many uses at once, of two processes', async () => {
    const [key, warmUp] = [await newKey(), await newKey()];
    const partners = [client('onBA'), client('besideBA')] as const;
    await use('onBA', warmUp);
    const answers = await atOnce(100, (n) => partners[n % 2 ? 0 : 1].query(key.api_key, 'Hi'));
    expect(outcomes(answers)).toEqual({ '200': 100 });
    expect(await peppersOf(key, warmUp)).toEqual(['b', 'b']);
  });

  it('outlives even the loss of the pepper, by bcrypt, once', async () => {
    const [key, revoked, deleted, expired] = [
      await newKey(),
      await newKey(),
      await newKey(),
      await newKey(),
    ];
    const alice = client('onA', 'alice');
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await alice.call('DELETE', `/api-keys/${deleted.id}`);
    await change(`UPDATE api_keys SET expires_at = created_at WHERE id = '${expired.id}'`);
    expect(await report('onB')).toMatchObject({ a: ['missing', 2, 1] });
    expect(outcome(await client('onB').query(forged(key), 'Hi'))).toBe('401 invalid_api_key');
    expect(await useAll('onB', key, revoked, deleted, expired)).toEqual([
      '200',
      '401 api_key_revoked',
      '401 invalid_api_key',
      '401 api_key_expired',
    ]);
    expect(await peppersOf(key, revoked, expired)).toEqual(['b', 'b', 'b']);
    await breakHashes();
    expect(await useAll('onB', key, revoked)).toEqual(['200', '401 api_key_revoked']);
  });

  it('gets through although 200 forged keys come at once and the pepper is lost', async () => {
    const key = await newKey();
    const partner = client('onB');
    const [answers] = await Promise.all([
      atOnce(200, (n) => partner.query(forged(key, n), 'Hi')),
      eventually(async () => (await use('onB', key)).status === 200),
    ]);
    expect(Object.keys(outcomes(answers)).sort()).toEqual([
      '401 invalid_api_key',
      '503 verification_busy',
    ]);
    for (const { status, headers } of answers) {
      expect(headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    }
    expect(outcomes(await atOnce(20, () => use('onB', key)))).toEqual({ '200': 20 });
    // Indexed anew, it is no burden any more.
    const after = await atOnce(50, (n) => partner.query(forged(key, n), 'Hi'));
    expect(outcomes(after)).toEqual({ '401 invalid_api_key': 50 });
  });

  it('holds up nobody else meanwhile', async () => {
    const lost = await newKey();
    const other = await newKey('onB');
    const [, answers] = await Promise.all([
      atOnce(200, (n) => client('onB').query(forged(lost, n), 'Hi')),
      atOnce(50, () => use('onB', other)),
    ]);
    expect(outcomes(answers)).toEqual({ '200': 50 });
  });

  it('is told from 1,000 forged ones without bcrypt, by the same bytes each', async () => {
    const keys = await atOnce(10, () => newKey());
    const answers: Awaited<ReturnType<typeof use>>[] = [];
    for (const key of keys) {
      answers.push(...(await atOnce(100, (n) => client('onA').query(forged(key, n), 'Hi'))));
    }
    // Compares are bounded: had there been any, some would have been too busy.
    expect(outcomes(answers)).toEqual({ '401 invalid_api_key': 1000 });
    const seen = answers.map(({ text, headers, body }) => {
      const told = [...headers].filter(([name]) => name !== 'date');
      const { request_id } = body as unknown as { request_id: string };
      return JSON.stringify([text, told]).replaceAll(request_id, '');
    });
    expect(new Set(seen).size).toBe(1);
    expect(new Set(await useAll('onA', ...keys))).toEqual(new Set(['200']));
  });
});
