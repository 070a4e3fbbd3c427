import { IS_VISIBLE, PASSAGE_COLUMNS } from '@latchkey/ranking/index-reader';

const INDEX = '(SELECT number FROM search_indexes WHERE kb_id = $1)';

/** The size of the index of the knowledge base `$1`, and its languages, the most frequent first. */
export const STATISTICS = `
  SELECT i.chunks::float8 AS passages, i.tokens::float8 AS tokens,
    ARRAY(
      SELECT language FROM search_languages
      WHERE index_number = i.number AND chunks > 0
      ORDER BY chunks DESC, language COLLATE "C") AS languages
  FROM search_indexes i WHERE i.kb_id = $1`;

/** How many passages of the knowledge base `$1` have each of the terms `$2`. */
export const FREQUENCIES = `
  SELECT term, sum(postings)::float8 AS frequency FROM search_blocks
  WHERE index_number = ${INDEX} AND term = ANY ($2) GROUP BY term`;

/** The blocks of the terms `$2`. */
export const POSTINGS = `
  SELECT term, first, block AS bytes FROM search_blocks
  WHERE index_number = ${INDEX} AND term = ANY ($2) ORDER BY term, first`;

export const FINGERPRINTS = `
  SELECT chunk_number AS number, codes AS fingerprint FROM search_chunks
  WHERE chunk_number = ANY ($1)`;

export const SIMILAR_WORDS_BY_KEYS = `
  WITH candidate AS MATERIALIZED (
    SELECT word, count(*) AS shared FROM search_spellings
    WHERE index_number = ${INDEX} AND key = ANY ($2)
    GROUP BY word HAVING count(*) >= $3 ORDER BY count(*) DESC, word LIMIT $4)
  SELECT w.word, w.term AS stem FROM candidate s
  JOIN search_words w ON w.index_number = ${INDEX} AND w.word = s.word
  ORDER BY s.shared DESC, w.word, w.term`;

export const COUNT_DOCUMENTS = `
  SELECT count(*) AS count FROM (
    SELECT FROM documents WHERE kb_id = $1 AND state = 'active' LIMIT $2) one`;

const matches = (metadata: string, filter: string) =>
  `jsonb_path_match(${metadata}, ${filter}::jsonpath)`;

/**
 * Reads the chunks `$1` before they are joined with their documents. Otherwise a server without
 * statistics, as after an import, reads all chunks of these documents and compares each of them with
 * each number.
 */
const givenChunks = (columns: string) =>
  `WITH c AS MATERIALIZED (SELECT ${columns} FROM chunks WHERE number = ANY ($1))`;

/** The chunks `$1` without their texts. */
export const GIVEN_CHUNKS = givenChunks('number, document_id, version');

/** Which of the chunks `$1` are visible, and of documents that match `$2` if it is given. */
export const VISIBLE = `
  ${GIVEN_CHUNKS}
  SELECT c.number FROM c JOIN documents d ON d.id = c.document_id AND ${IS_VISIBLE}
  WHERE $2::text IS NULL OR ${matches('d.metadata', '$2')}`;

/** The visible chunks of all documents of the knowledge base `$1` that match `$2`. */
export const MATCHING = `
  SELECT c.number FROM documents d JOIN chunks c ON c.document_id = d.id
  WHERE d.kb_id = $1 AND ${IS_VISIBLE} AND ${matches('d.metadata', '$2')}`;

/** The same passages by language. */
export const STATISTICS_OF_MATCHING = `
  SELECT COALESCE(s.language, '') AS language, count(*)::float8 AS passages,
    sum(s.tokens)::float8 AS tokens
  FROM documents d JOIN chunks c ON c.document_id = d.id
  JOIN search_chunks s ON s.chunk_number = c.number
  WHERE d.kb_id = $1 AND ${IS_VISIBLE} AND ${matches('d.metadata', '$2')}
  GROUP BY 1 ORDER BY passages DESC, 1`;

/** The codes of the next `$4` passages that were stored behind the serial number `$3`. */
export const CODES = `
  SELECT serial::float8 AS serial, chunk_number AS number, windows, codes FROM chunk_vectors v
  WHERE v.kb_id = $1 AND v.model = $2 AND v.serial > $3 ORDER BY v.serial LIMIT $4`;

/** The windows of the chunks `$1` that have a vector of the model `$2`. */
export const WINDOWS = `
  SELECT chunk_number AS number, places, vectors FROM chunk_vectors
  WHERE chunk_number = ANY ($1) AND model = $2`;

export const PASSAGES = `
  ${givenChunks('*')}
  SELECT ${PASSAGE_COLUMNS}
  FROM c JOIN documents d ON d.id = c.document_id AND ${IS_VISIBLE}`;
