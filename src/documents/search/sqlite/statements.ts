import { IS_VISIBLE, PASSAGE_COLUMNS } from '@latchkey/ranking/index-reader';

/** Calls `check_deadline()`, which may interrupt the statement, for about one row of 64. */
const checkDeadline = (number: string) => `((${number} & 63) OR check_deadline())`;

/** Tests a passage: visible, and of a document `d` that matches `filter`. */
const isVisible = (number: string, filter: string): string => `
  EXISTS (
    SELECT 1 FROM live.chunks c CROSS JOIN live.documents d ON d.id = c.document_id
    WHERE c.number = ${number} AND ${IS_VISIBLE} AND ${filter})`;

/** Which of `@numbers` are visible, and of documents that match. */
export const visible = (filter: string): string => `
  SELECT n.value FROM json_each(@numbers) n
  WHERE ${checkDeadline('n.key')} AND ${isVisible('n.value', filter)}`;

/** All visible passages of matching documents. */
export const matching = (filter: string): string => `
  SELECT c.number FROM live.documents d CROSS JOIN live.chunks c ON c.document_id = d.id
  WHERE d.kb_id = @kbId AND ${IS_VISIBLE} AND ${checkDeadline('d.rowid')} AND ${filter}`;

export const COUNT_DOCUMENTS = `
  SELECT count(*) FROM (
    SELECT 1 FROM live.documents WHERE kb_id = ? AND state = 'active' LIMIT ?)`;

export const LANGUAGES = `
  SELECT language, passages, tokens FROM languages WHERE passages > 0
  ORDER BY passages DESC, language`;

/** The same of the visible passages of matching documents. */
export const languagesOf = (filter: string): string => `
  SELECT COALESCE(e.language, '') AS language, count(*) AS passages, sum(e.tokens) AS tokens
  FROM live.documents d CROSS JOIN live.chunks c ON c.document_id = d.id
  CROSS JOIN entries e ON e.number = c.number
  WHERE d.kb_id = @kbId AND ${IS_VISIBLE} AND ${checkDeadline('d.rowid')} AND ${filter}
  GROUP BY 1 ORDER BY passages DESC, 1`;

/** How many passages have a term; the index `postings_by_term` has all that this reads. */
export const FREQUENCY = `
  SELECT sum(count) FROM postings INDEXED BY postings_by_term
  WHERE term = ? AND ${checkDeadline('first')}`;

export const POSTINGS = `
  SELECT first, block AS bytes FROM postings
  WHERE term = ? AND ${checkDeadline('id')} ORDER BY first`;

export const FINGERPRINT = 'SELECT codes FROM codes WHERE number = ?';

export const PASSAGE = `
  SELECT ${PASSAGE_COLUMNS}
  FROM live.chunks c JOIN live.documents d ON d.id = c.document_id AND ${IS_VISIBLE}
  WHERE c.number = ?`;

export const SIMILAR_WORDS_BY_KEYS = `
  SELECT w.word, w.stem FROM (
    SELECT word AS id, count(*) AS shared FROM spellings
    WHERE key IN (SELECT value FROM json_each(?)) AND ${checkDeadline('word')} GROUP BY word
    HAVING count(*) >= ?) s
  CROSS JOIN words w ON w.id = s.id ORDER BY s.shared DESC, w.word, w.stem LIMIT ?`;

/** The codes of the next passages that were stored behind a serial number. */
export const CODES = `
  SELECT serial, chunk_number AS number, windows, codes FROM live.chunk_vectors
  WHERE kb_id = @kbId AND model = @model AND serial > @after AND ${checkDeadline('serial')}
  ORDER BY serial LIMIT @limit`;

export const WINDOWS = `
  SELECT chunk_number AS number, places, vectors FROM live.chunk_vectors
  WHERE model = @model AND chunk_number IN (SELECT value FROM json_each(@numbers))`;
