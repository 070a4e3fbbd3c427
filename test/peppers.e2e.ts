import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withChecksum } from './support/api-key-secret.js';
import {
  type ApiKey,
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from './support/client.js';
import { runCommand } from './support/command.js';
import { eventually, Service } from './support/service.js';
import { sql } from './support/sql.js';
import { engine } from './support/test-database.js';

const pepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [A, B] = [pepper('a'), pepper('b')];
/** A hash of something else: a key with it gets through only where bcrypt is not asked. */
const USELESS_HASH = '$2b$04$abcdefghijklmnopqrstuuJm3Hk8dWQ3iXbqGbQm0pUo1yRk8v8pS';

describe('an API key and the pepper it is indexed under', () => {
  let service: Service;
  let kbId: string;

  beforeEach(async () => {
    service = await Service.start({ API_KEY_PEPPERS: A });
    kbId = (await client('alice').createKnowledgeBase()).id;
  });

  afterEach(() => service.stop());

  const client = (user?: string) => new Client(service, user);
  const newKey = () => client('alice').createApiKey(kbId);
  const use = ({ api_key }: IssuedApiKey) => client().query(api_key, 'Anything?');
  const useAll = async (...keys: IssuedApiKey[]) => {
    const results: string[] = [];
    for (const key of keys) results.push(outcome(await use(key)));
    return results;
  };
  const forged = ({ prefix }: ApiKey, n = 0) => withChecksum(prefix + String(n).padStart(32, 'z'));

  async function restart(peppers: string): Promise<void> {
    await service.stop();
    service = await Service.start({ ...service.environment, API_KEY_PEPPERS: peppers });
  }

  /** What the command says of each pepper: given, active keys, deactivated keys. */
  async function report(): Promise<Record<string, [string, number, number]>> {
    const { code, output } = await runCommand('api-keys/peppers.command.js', service.environment);
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
    sql(service.environment, `UPDATE api_keys SET secret_hash = '${USELESS_HASH}'`);

  it('outlives the change of the pepper: keys move over as they are used', async () => {
    const [used, idle, revoked] = [await newKey(), await newKey(), await newKey()];
    await client('alice').call('PATCH', `/api-keys/${revoked.id}/revoke`);
    expect(await report()).toEqual({ a: ['current', 2, 1] });

    await restart(`${B},${A}`);
    const fresh = await newKey();
    expect(await report()).toEqual({ b: ['current', 1, 0], a: ['previous', 2, 1] });
    // Not by bcrypt: no hash is any good.
    await breakHashes();
    expect(await useAll(used, fresh, used)).toEqual(['200', '200', '200']);
    expect(await report()).toEqual({ b: ['current', 2, 0], a: ['previous', 1, 1] });
    expect(await useAll(revoked, idle)).toEqual(['401 api_key_revoked', '200']);
    expect(await report()).toEqual({ b: ['current', 3, 1], a: ['previous', 0, 0] });

    await restart(B);
    expect(await report()).toEqual({ b: ['current', 3, 1] });
    expect(await useAll(used, idle, fresh, revoked)).toEqual([
      '200',
      '200',
      '200',
      '401 api_key_revoked',
    ]);
  });

  it('lets the key through while it cannot be moved', async () => {
    const key = await newKey();
    await use(key);
    await restart(`${B},${A}`);
    const change = (statement: string) => sql(service.environment, statement);
    await change(
      engine === 'postgres'
        ? `ALTER TABLE api_keys ADD CONSTRAINT unmoved CHECK (pepper_id <> 'b') NOT VALID`
        : `CREATE TRIGGER unmoved BEFORE UPDATE OF pepper_id ON api_keys
           BEGIN SELECT RAISE(ABORT, 'not now'); END`,
    );
    expect(await useAll(key, key)).toEqual(['200', '200']);
    expect(await report()).toMatchObject({ a: ['previous', 1, 0] });
    await change(
      engine === 'postgres'
        ? 'ALTER TABLE api_keys DROP CONSTRAINT unmoved'
        : 'DROP TRIGGER unmoved',
    );
    expect(await useAll(key)).toEqual(['200']);
    expect(await report()).toMatchObject({ b: ['current', 1, 0] });
  });

  it('may be moved by many uses at once, of two processes', async () => {
    const key = await newKey();
    await restart(`${B},${A}`);
    const beside = await Service.start(service.environment);
    const partners = [client(), new Client(beside)] as const;
    await use(await newKey());
    const answers = await atOnce(100, (n) => partners[n % 2 ? 0 : 1].query(key.api_key, 'Hi'));
    expect(outcomes(answers)).toEqual({ '200': 100 });
    expect(await report()).toMatchObject({ b: ['current', 2, 0], a: ['previous', 0, 0] });
    await beside.stop();
  });

  it('outlives even the loss of the pepper, by bcrypt, once', async () => {
    const [key, revoked, deleted, expired] = [
      await newKey(),
      await newKey(),
      await newKey(),
      await newKey(),
    ];
    await client('alice').call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await client('alice').call('DELETE', `/api-keys/${deleted.id}`);
    await sql(
      service.environment,
      `UPDATE api_keys SET expires_at = created_at WHERE id = '${expired.id}'`,
    );
    await restart(B);
    expect(await report()).toMatchObject({ a: ['missing', 2, 1] });
    expect(outcome(await client().query(forged(key), 'Hi'))).toBe('401 invalid_api_key');
    expect(await useAll(key, revoked, deleted, expired)).toEqual([
      '200',
      '401 api_key_revoked',
      '401 invalid_api_key',
      '401 api_key_expired',
    ]);
    expect(await report()).toEqual({ b: ['current', 2, 1] });
    await breakHashes();
    expect(await useAll(key, revoked)).toEqual(['200', '401 api_key_revoked']);
  });

  it('gets through although 200 forged keys come at once and the pepper is lost', async () => {
    const key = await newKey();
    await restart(B);
    const [answers] = await Promise.all([
      atOnce(200, (n) => client().query(forged(key, n), 'Hi')),
      eventually(async () => (await use(key)).status === 200),
    ]);
    expect(Object.keys(outcomes(answers)).sort()).toEqual([
      '401 invalid_api_key',
      '503 verification_busy',
    ]);
    for (const { status, headers } of answers) {
      expect(headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    }
    expect(outcomes(await atOnce(20, () => use(key)))).toEqual({ '200': 20 });
    // Indexed anew, it is no burden any more.
    const after = await atOnce(50, (n) => client().query(forged(key, n), 'Hi'));
    expect(outcomes(after)).toEqual({ '401 invalid_api_key': 50 });
  });

  it('holds up nobody else meanwhile', async () => {
    const lost = await newKey();
    await restart(B);
    const other = await newKey();
    const [, answers] = await Promise.all([
      atOnce(200, (n) => client().query(forged(lost, n), 'Hi')),
      atOnce(50, () => use(other)),
    ]);
    expect(outcomes(answers)).toEqual({ '200': 50 });
  });

  it('is told from 1,000 forged ones without bcrypt, by the same bytes each', async () => {
    const keys = await atOnce(10, newKey);
    const answers: Awaited<ReturnType<typeof use>>[] = [];
    for (const key of keys) {
      answers.push(...(await atOnce(100, (n) => client().query(forged(key, n), 'Hi'))));
    }
    // Compares are bounded: had there been any, some would have been too busy.
    expect(outcomes(answers)).toEqual({ '401 invalid_api_key': 1000 });
    const seen = answers.map(({ text, headers, body }) => {
      const told = [...headers].filter(([name]) => name !== 'date');
      const { request_id } = body as unknown as { request_id: string };
      return JSON.stringify([text, told]).replaceAll(request_id, '');
    });
    expect(new Set(seen).size).toBe(1);
    expect(new Set(await useAll(...keys))).toEqual(new Set(['200']));
  });
});

describe('API_KEY_PEPPERS', () => {
  const secret = randomBytes(32).toString('base64');

  it.each([
    `p:${randomBytes(31).toString('base64')}`,
    `:${secret}`,
    `p:${secret},`,
    `,p:${secret}`,
    `p:${secret} q:${secret}`,
    `p:${secret},p:${randomBytes(32).toString('base64')}`,
    `p q:${secret}`,
    `${'p'.repeat(33)}:${secret}`,
    `p:${secret}:${secret}`,
    `p:${'ä'.repeat(40)}`,
    `p:"${secret}"`,
    secret,
  ])('%s stops the start, and is not repeated', async (value) => {
    const { code, output } = await Service.refusal({ API_KEY_PEPPERS: value });
    expect([code, output]).toEqual([1, expect.stringMatching(/\bAPI_KEY_PEPPERS must /)]);
    const words = value.split(/[:, ]/).filter((word) => word.length > 30);
    expect(words.filter((word) => output.includes(word))).toEqual([]);
  });

  it.each([undefined, ''])('must be given in production: not %j', async (value) => {
    const { code, output } = await Service.refusal({
      NODE_ENV: 'production',
      DASHBOARD_AUTH_MODE: 'trust',
      DASHBOARD_AUTH_TRUST_UNSAFE: 'yes',
      ...(value === undefined ? {} : { API_KEY_PEPPERS: value }),
    });
    expect([code, output]).toEqual([1, expect.stringMatching(/\bAPI_KEY_PEPPERS must /)]);
  });
});
