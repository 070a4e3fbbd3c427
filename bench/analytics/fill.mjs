import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';

const EXCHANGES_PER_CONVERSATION = 4;
const DOCUMENTS = 200;
const TOPICS = 2000;
/** How long single requests are kept. */
const KEPT_DAYS = 31;
const COUNTERS = `queries, chats, conversations, answered, unanswered, small_talk, up, down,
  prompt_tokens, completion_tokens, refused, uses, latencies`;

/**
 * @typedef {object} Amount
 * @property {number} messages questions and answers
 * @property {number} days
 * @property {number} endUsers
 */

/**
 * Fills a knowledge base of a service that has stopped with chats of the days before now, evenly
 * spread, and with what the service would have counted of them, in the order of time as it would.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} kbId
 * @param {string[]} keyIds
 * @param {Amount} amount
 */
export async function fill(environment, kbId, keyIds, amount) {
  const url = environment['DATABASE_URL'];
  if (url === undefined) {
    const database = new Database(join(String(environment['DATA_DIR']), 'latchkey.sqlite'));
    database.pragma('synchronous = OFF');
    database.pragma('cache_size = -500000');
    database.pragma('foreign_keys = OFF');
    for (const statement of statements(sqlite, kbId, keyIds, amount)) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements(postgres, kbId, keyIds, amount)) {
      await client.query(statement);
    }
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}

const sqlite = {
  instant: (/** @type {string} */ seconds) =>
    `strftime('%Y-%m-%d %H:%M:%f', ${seconds}, 'unixepoch')`,
};

const postgres = {
  instant: (/** @type {string} */ seconds) => `to_timestamp(${seconds})`,
};

/**
 * @param {typeof sqlite} dialect
 * @param {string} kbId
 * @param {string[]} keyIds the last one is of the environment `test`
 * @param {Amount} amount
 */
function statements({ instant }, kbId, keyIds, { messages, days, endUsers }) {
  const exchanges = messages / 2;
  const end = Math.floor(Date.now() / 1000);
  const step = (days * 86_400) / exchanges;
  const keys = keyIds.map((id, n) => `WHEN ${n} THEN '${id}'`).join(' ');
  const time = instant('seconds');
  const id = (/** @type {string} */ prefix, /** @type {string} */ number) =>
    `'${prefix}_0' || substr(CAST(1000000000000 + ${number} AS text), 2) || '0000000000000'`;
  return [
    `CREATE TABLE exchanges AS
     WITH RECURSIVE numbers (n) AS (SELECT CAST(0 AS bigint) UNION ALL SELECT n + 1 FROM numbers
       WHERE n + 1 < ${exchanges}),
     chats AS (SELECT n, n / ${EXCHANGES_PER_CONVERSATION} AS conversation, CAST(${end} - ${step} * (${exchanges} - n) AS bigint) AS seconds FROM numbers)
     SELECT n, seconds, CAST(seconds / 900 AS integer) AS quarter,
       CASE conversation % ${keyIds.length} ${keys} END AS key_id,
       CASE WHEN conversation % ${keyIds.length} = ${keyIds.length - 1} THEN 'test' ELSE 'live' END AS environment,
       n % 10 <> 0 AS answered, n % ${EXCHANGES_PER_CONVERSATION} = 0 AS began,
       5 + (n * 7919 % 97) * (n * 31 % 89) AS latency,
       1 + (CAST(conversation AS bigint) * 48271 % ${endUsers}) * 1000003 AS end_user,
       n * 613 % ${DOCUMENTS} AS document, n * 127 % ${TOPICS} AS topic
     FROM chats`,
    `INSERT INTO conversations (id, kb_id, api_key_id, environment, created_at, updated_at)
     SELECT ${id('conv', 'n')}, '${kbId}', key_id, environment, ${time}, ${time}
     FROM exchanges WHERE began`,
    ...['user', 'assistant'].map(
      (role, n) =>
        `INSERT INTO messages (id, conversation_id, role, content, status, answered, sources,
           created_at)
         SELECT ${id('msg', `2 * n + ${n}`)},
           ${id('conv', `(n - n % ${EXCHANGES_PER_CONVERSATION})`)}, '${role}',
           'Question ' || topic, 'complete', ${n === 0 ? 'NULL' : 'answered'}, '[]', ${time}
         FROM exchanges`,
    ),
    `INSERT INTO unanswered_questions (message_id, kb_id, conversation_id, environment, topic,
       asked_at)
     SELECT ${id('msg', '2 * n')}, '${kbId}',
       ${id('conv', `(n - n % ${EXCHANGES_PER_CONVERSATION})`)}, environment, topic, ${time}
     FROM exchanges WHERE NOT answered`,
    `INSERT INTO usage_counts (kb_id, period, at_ms, api_key_id, id, environment, ${COUNTERS})
     SELECT '${kbId}', 'request', 1000 * seconds, key_id, ${id('msg', '2 * n + 1')}, environment, 0,
       1, CASE WHEN began THEN 1 ELSE 0 END, CASE WHEN answered THEN 1 ELSE 0 END,
       CASE WHEN answered THEN 0 ELSE 1 END, 0, 0, 0, 900, 100, 0, 0,
       CAST(1 + floor(ln(latency) / ln(1.2)) AS integer) || ':1'
     FROM exchanges WHERE seconds > ${end - KEPT_DAYS * 86_400} ORDER BY seconds`,
    `INSERT INTO usage_counts (kb_id, period, at_ms, api_key_id, id, environment, ${COUNTERS})
     SELECT '${kbId}', 'quarter', 900000 * CAST(quarter AS bigint), key_id, '', environment, 0,
       SUM(chats), SUM(conversations), SUM(answered), SUM(chats - answered), 0, 0, 0,
       900 * SUM(chats), 100 * SUM(chats), 0, SUM(chats), string_agg(bucket || ':' || chats, ',')
     FROM (
       SELECT quarter, key_id, environment, CAST(1 + floor(ln(latency) / ln(1.2)) AS integer) AS bucket,
         COUNT(*) AS chats, SUM(CASE WHEN began THEN 1 ELSE 0 END) AS conversations,
         SUM(CASE WHEN answered THEN 1 ELSE 0 END) AS answered
       FROM exchanges GROUP BY 1, 2, 3, 4
     ) AS by_bucket GROUP BY quarter, key_id, environment ORDER BY quarter`,
    `INSERT INTO usage_members (kb_id, kind, quarter, environment, api_key_id, member, requests)
     SELECT '${kbId}', 'end_user', quarter, environment, key_id,
       substr(CAST(1000000000000 + end_user AS text), 3), COUNT(*)
     FROM exchanges GROUP BY quarter, environment, key_id, end_user ORDER BY quarter`,
    `INSERT INTO documents (id, kb_id, title, mime_type, size_bytes, sha256, metadata, status,
       attempts, passage_count, version, state, created_at, updated_at)
     SELECT ${id('doc', 'document')}, '${kbId}', 'Document ' || document, 'text/plain', 1, '', '{}',
       'ready', 0, 0, 1, 'active', ${instant(String(end))}, ${instant(String(end))}
     FROM (SELECT DISTINCT document FROM exchanges) AS used`,
    `INSERT INTO usage_members (kb_id, kind, quarter, environment, api_key_id, member, requests)
     SELECT '${kbId}', 'document', quarter - quarter % 96, environment, '',
       ${id('doc', 'document')}, COUNT(*)
     FROM exchanges WHERE answered GROUP BY 3, 4, 6`,
    'DROP TABLE exchanges',
  ];
}
