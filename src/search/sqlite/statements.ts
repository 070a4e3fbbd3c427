import { SIMILAR_WORDS, TITLE_WEIGHT } from '../bounds.js';
import { IS_VISIBLE, PASSAGE_COLUMNS } from '../index-reader.js';

/** Calls `check_deadline()`, which may interrupt the statement, for about one row of 64. */
const checkDeadline = (number: string) => `((${number} & 63) OR check_deadline())`;

const SCORE = `-bm25(passages, ${TITLE_WEIGHT}, 1, 1)`;

const hits = (match: string, restriction: string) => `
  SELECT rowid AS number, ${SCORE} AS score FROM passages
  WHERE passages MATCH ${match} AND ${checkDeadline('rowid')} ${restriction}`;

/**
 * The hits of `@selective`, scored by the terms of `@common` too. The second part has the full score
 * of the hits with a common term, which is the higher of their two.
 */
const hitsBySelectiveTerms = (restriction: string) => `
  SELECT number, max(score) AS score FROM (
    ${hits('@selective', restriction)}
    UNION ALL
    ${hits('@common', restriction)})
  GROUP BY number`;

/**
 * The best `@limit` hits with their fingerprints.
 *
 * @param hasCommon whether there are terms that only score
 * @param restriction which passages may be hits: '', `onlyVisible` or `onlyOfDocuments`
 */
export const find = (hasCommon: boolean, restriction: string): string => `
  SELECT h.number, h.score, c.codes AS fingerprint FROM (
    ${hasCommon ? hitsBySelectiveTerms(restriction) : hits('@selective', restriction)}
    ORDER BY score DESC, number LIMIT @limit) h
  CROSS JOIN codes c ON c.number = h.number
  ORDER BY h.score DESC, h.number`;

/** Tests each passage: visible, and of a document `d` that matches `filter`. */
export const onlyVisible = (number: string, filter = 'TRUE'): string => `
  AND EXISTS (
    SELECT 1 FROM live.chunks c CROSS JOIN live.documents d ON d.id = c.document_id
    WHERE c.number = ${number} AND ${IS_VISIBLE} AND ${filter})`;

/**
 * The same by a list of all visible passages of matching documents. The plus keeps FTS5 from
 * looking up each number of the list.
 */
export const onlyOfDocuments = (number: string, filter: string): string => `
  AND +${number} IN (
    SELECT c.number FROM live.documents d CROSS JOIN live.chunks c ON c.document_id = d.id
    WHERE d.kb_id = @kbId AND ${IS_VISIBLE} AND ${checkDeadline('d.rowid')} AND ${filter})`;

export const hasDocument = (filter: string): string => `
  SELECT 1 FROM live.documents d
  WHERE d.kb_id = @kbId AND d.state = 'active' AND ${checkDeadline('d.rowid')} AND ${filter}
  LIMIT 1`;

export const COUNT_DOCUMENTS = `
  SELECT count(*) FROM (
    SELECT 1 FROM live.documents WHERE kb_id = ? AND state = 'active' LIMIT ?)`;

/** FTS5's own table of document frequencies. */
export const CREATE_VOCABULARY = `
  CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main', 'passages', 'row')`;
export const FREQUENCY = 'SELECT doc FROM temp.vocabulary WHERE term = ?';

/** Counts the small rows that FTS5 keeps for each passage. */
export const COUNT_PASSAGES = 'SELECT count(*) FROM (SELECT 1 FROM passages_docsize LIMIT ?)';

export const PASSAGE = `
  SELECT ${PASSAGE_COLUMNS}
  FROM live.chunks c JOIN live.documents d ON d.id = c.document_id AND ${IS_VISIBLE}
  WHERE c.number = ?`;

export const SIMILAR_WORDS_BY_KEYS = `
  SELECT w.word FROM (
    SELECT word AS id, count(*) AS shared FROM spellings
    WHERE key IN (SELECT value FROM json_each(?)) AND ${checkDeadline('word')} GROUP BY word) s
  CROSS JOIN words w ON w.id = s.id ORDER BY s.shared DESC, w.word LIMIT ${SIMILAR_WORDS}`;

export const nearest = (restriction: string): string => `
  SELECT n.number, c.codes AS fingerprint FROM (
    SELECT chunk_number AS number, vec_distance_cosine(vector, @vector) AS distance
    FROM live.chunk_vectors
    WHERE kb_id = @kbId AND model = @model AND length(vector) = length(@vector)
      AND ${checkDeadline('chunk_number')} ${restriction}
    ORDER BY distance, chunk_number LIMIT @limit) n
  LEFT JOIN codes c ON c.number = n.number
  ORDER BY n.distance, n.number`;
