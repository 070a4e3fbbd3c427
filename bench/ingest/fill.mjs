import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';

const BATCH = 1000;
const NOW = '2026-01-01 00:00:00.000';

/**
 * Fills a knowledge base with indexed documents of one passage each, as if they had been uploaded. The
 * service makes the search index of them by itself.
 *
 * @param {NodeJS.ProcessEnv} environment of a service that has stopped
 * @param {string} kbId
 * @param {number} count
 * @param {() => string} text of a document
 */
export async function fill(environment, kbId, count, text) {
  const store = await connect(environment);
  for (let start = 0; start < count; start += BATCH) {
    const size = Math.min(BATCH, count - start);
    await store.insert(
      kbId,
      Array.from({ length: size }, (_, n) => ({
        // In the order of time, as the service's own ids are.
        suffix: `01aaaaaaaaaaaaaaaa${String(start + n).padStart(8, '0')}`,
        text: text(),
      })),
    );
  }
  await store.finish(kbId, count);
}

const DOCUMENT_COLUMNS = `id, kb_id, title, mime_type, size_bytes, sha256, external_id, metadata, state,
  status, version, claim, chunk_count, chunk_size, chunk_overlap, reader_version, created_at,
  updated_at, indexed_at`;
const CHUNK_COLUMNS = 'id, kb_id, document_id, version, position, text';
const SIZES = (/** @type {string} */ kbId, /** @type {number} */ count) =>
  `INSERT INTO knowledge_base_sizes (kb_id, documents, bytes) VALUES ('${kbId}', ${count}, ${count * 300})`;

/** @param {NodeJS.ProcessEnv} environment */
async function connect(environment) {
  const url = environment['DATABASE_URL'];
  return url === undefined
    ? sqlite(join(String(environment['DATA_DIR']), 'latchkey.sqlite'))
    : await postgres(url);
}

/** @typedef {{ suffix: string, text: string }} Row */

/** @param {string} file */
function sqlite(file) {
  const database = new Database(file);
  database.pragma('synchronous = OFF');
  const insertDocument = database.prepare(
    `INSERT INTO documents (${DOCUMENT_COLUMNS})
     VALUES (?, ?, ?, 'text/plain', ?, ?, ?, '{}', 'active', 'ready', 1, 1, 1, 300, 30, 1000,
       '${NOW}', '${NOW}', '${NOW}')`,
  );
  const insertContent = database.prepare('INSERT INTO document_contents VALUES (?, ?)');
  const insertChunk = database.prepare(
    `INSERT INTO chunks (${CHUNK_COLUMNS}) VALUES (?, ?, ?, 1, 0, ?)`,
  );
  return {
    insert: (/** @type {string} */ kbId, /** @type {Row[]} */ rows) => {
      database.transaction(() => {
        for (const { suffix, text } of rows) {
          const id = documentId(kbId, suffix);
          insertDocument.run(id, kbId, `Filled ${suffix}`, text.length, `${kbId}${suffix}`, suffix);
          insertContent.run(id, Buffer.from(text));
          insertChunk.run(id.replace('doc_', 'chunk_'), kbId, id, text);
        }
      })();
    },
    finish: (/** @type {string} */ kbId, /** @type {number} */ count) => {
      database.exec(SIZES(kbId, count));
      database.close();
    },
  };
}

/** @param {string} url */
async function postgres(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    insert: async (/** @type {string} */ kbId, /** @type {Row[]} */ rows) => {
      const columns = [
        rows.map(({ suffix }) => documentId(kbId, suffix)),
        rows.map(({ suffix }) => suffix),
        rows.map(({ text }) => text),
      ];
      const from = 'FROM unnest($2::text[], $3::text[], $4::text[]) AS row (id, suffix, text)';
      const values = [kbId, ...columns];
      await client.query(
        `INSERT INTO documents (${DOCUMENT_COLUMNS})
         SELECT id, $1, 'Filled ' || suffix, 'text/plain', length(text), $1 || suffix, suffix, '{}',
           'active', 'ready', 1, 1, 1, 300, 30, 1000, '${NOW}', '${NOW}', '${NOW}' ${from}`,
        values,
      );
      await client.query(
        `INSERT INTO document_contents
         SELECT id, convert_to(text, 'UTF8') FROM unnest($1::text[], $2::text[]) AS row (id, text)`,
        [columns[0], columns[2]],
      );
      await client.query(
        `INSERT INTO chunks (${CHUNK_COLUMNS})
         SELECT replace(id, 'doc_', 'chunk_'), $1, id, 1, 0, text
         FROM unnest($2::text[], $3::text[]) AS row (id, text)`,
        [kbId, columns[0], columns[2]],
      );
    },
    finish: async (/** @type {string} */ kbId, /** @type {number} */ count) => {
      await client.query(SIZES(kbId, count));
      await client.query(`INSERT INTO search_indexes (kb_id, chunks) VALUES ('${kbId}', ${count})`);
      // Chunks without a fingerprint are indexed by the service.
      await client.query(
        `INSERT INTO search_chunks (chunk_number, index_number, tokens, terms)
         SELECT c.number, i.number, 0, '{}' FROM chunks c JOIN search_indexes i ON i.kb_id = c.kb_id
         WHERE c.kb_id = '${kbId}'`,
      );
      await client.query('VACUUM (ANALYZE)');
      await client.end();
    },
  };
}

/** Different in each knowledge base. */
const documentId = (/** @type {string} */ kbId, /** @type {string} */ suffix) =>
  `doc_01${kbId.slice(-8)}${suffix.slice(10)}`;
