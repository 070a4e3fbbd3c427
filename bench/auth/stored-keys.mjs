import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { hash } from 'bcrypt';
import { fromService } from '../from-service.mjs';

const KEYS_PER_KNOWLEDGE_BASE = 100;
/** As many are used, however many there are; of the others only the rows are made. */
const MAX_SECRETS = 1_000;
/** Counted like any other limit, and never reached. */
const RATE_LIMIT = 1_000_000_000;
/** Longer than a measurement. */
const TOKEN_MS = 6 * 60 * 60 * 1000;

const insertKey = `
  INSERT INTO api_keys (id, owner_type, owner_id, name, environment, prefix, secret_hash, fast_hash, pepper_id,
    state, created_at, created_by, first_used_at, rate_limit_per_minute, rotation_root, dpop_jkt)
  VALUES (:id, 'knowledge_base', :kbId, 'bench', 'live', :prefix, :secretHash, :fastHash, :pepperId,
    'active', :now, 'bench', :now, ${RATE_LIMIT}, :id, :jkt)`;

/**
 * A database of the service with `count` keys in use, written by SQL.
 *
 * @param {NodeJS.ProcessEnv} environment of the service that will use it
 * @param {number} count
 * @param {{ filter?: object, knowledgeBases?: number, jkt?: string | null }} [each] what every key is restricted to,
 *   how many knowledge bases it opens, and the thumbprint that it is bound to
 * @returns {Promise<{ secrets: string[], tokens: string[], retired: string }>} secrets from all over the
 *   table, client tokens of the same keys, and the secret of one more key, whose pepper is gone
 */
export async function storeKeys(
  environment,
  count,
  { filter, knowledgeBases = 1, jkt = null } = {},
) {
  const { ClientTokens } = await fromService('plugins/client-tokens/client-tokens.js');
  const { Config } = await fromService('platform/config/config.js');
  const { migrate } = await fromService('platform/database/migrate.js');
  const { sqliteFile } = await fromService('platform/database/data-source-options.js');
  const { Peppers } = await fromService('platform/peppers/peppers.js');
  const { generateSecret, parsePrefix } = await fromService('api-keys/secret.js');

  const config = Config.fromEnvironment(environment);
  await migrate(config);
  const peppers = Peppers.load(config);
  const clientTokens = new ClientTokens(peppers);
  const end = new Date(Date.now() + TOKEN_MS);
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '');

  const database = new Database(sqliteFile(config));
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -500000');
  const knowledgeBase = database.prepare(
    `INSERT INTO knowledge_bases (id, name, state, created_at, updated_at)
     VALUES (?, 'bench', 'active', :now, :now)`,
  );
  const key = database.prepare(insertKey);
  const opens = database.prepare(
    `INSERT INTO api_key_grants (key_id, position, kb_id, scopes, filter)
     VALUES (?, ?, ?, 'query,chat,feedback', ?)`,
  );
  const filterText = filter === undefined ? null : JSON.stringify(filter);
  const secretHash = `$2b$10$${'x'.repeat(53)}`;

  /** @type {string[]} */
  const secrets = [];
  /** @type {string[]} */
  const tokens = [];
  const every = Math.ceil(count / MAX_SECRETS);
  let kbId = '';
  database.transaction(() => {
    const others = Array.from({ length: knowledgeBases - 1 }, (_, index) => `kb_other_${index}`);
    for (const id of others) knowledgeBase.run(id, { now });
    for (let index = 0; index < count; index++) {
      const number = String(index).padStart(26, '0');
      if (index % KEYS_PER_KNOWLEDGE_BASE === 0) {
        kbId = `kb_${number}`;
        knowledgeBase.run(kbId, { now });
      }
      const row = { id: `key_${number}`, kbId, secretHash, now, jkt };
      if (index % every === 0) {
        const secret = generateSecret('live');
        const { hash: fastHash, pepperId } = peppers.current(secret);
        key.run({ ...row, prefix: parsePrefix(secret), fastHash, pepperId });
        for (const [place, id] of others.entries()) opens.run(row.id, place + 1, id, null);
        secrets.push(secret);
        const claims = {
          keyId: row.id,
          endUserId: 'bench',
          principals: ['user:bench'],
          scopes: ['query'],
          allowedOrigins: null,
        };
        tokens.push(clientTokens.sign(claims, end));
      } else {
        // Unlike any other, and in no order.
        const prefix = `rag_live_${randomBytes(2).toString('hex')}${String(index).padStart(6, '0')}`;
        const fastHash = randomBytes(32).toString('base64url');
        key.run({ ...row, prefix, fastHash, pepperId: peppers.ids[0] });
      }
      opens.run(row.id, 0, kbId, filterText);
    }
  })();

  const retired = generateSecret('live');
  key.run({
    id: 'key_retired',
    kbId,
    prefix: parsePrefix(retired),
    secretHash: await hash(retired, 4),
    fastHash: 'under a pepper that is gone',
    pepperId: 'gone',
    now,
    jkt,
  });
  opens.run('key_retired', 0, kbId, null);
  database.close();
  return { secrets, tokens, retired };
}
