import { SIMILAR_WORDS } from '../bounds.js';

const K1 = 1.2;
const B = 0.75;
/** Found chunks that may turn out to be deleted or replaced meanwhile. */
const SLACK = 50;

/**
 * Takes in the chunks `$1` with their numbers of words `$2` and fingerprints `$3`, and of the chunks `$4`
 * the terms `$5`, which occur `$6` times, weighted. `$7` is the knowledge base.
 */
export const ADD = `
  WITH posting AS (
    SELECT * FROM unnest($4::bigint[], $5::text[], $6::real[])
      AS p (chunk_number, term, frequency)),
  added AS (
    INSERT INTO search_chunks (chunk_number, index_number, tokens, terms, codes)
    SELECT c.chunk_number, i.number, c.tokens, COALESCE(p.terms, '{}'), c.codes
    FROM unnest($1::bigint[], $2::integer[], $3::bytea[]) AS c (chunk_number, tokens, codes)
    JOIN search_indexes i ON i.kb_id = $7
    LEFT JOIN (
      SELECT chunk_number, array_agg(term) AS terms FROM posting GROUP BY chunk_number) p
      USING (chunk_number)
    ON CONFLICT DO NOTHING RETURNING chunk_number, index_number, tokens),
  counted AS (
    UPDATE search_indexes SET chunks = chunks + (SELECT count(*) FROM added),
      tokens = tokens + (SELECT COALESCE(sum(tokens), 0) FROM added)
    WHERE kb_id = $7)
  INSERT INTO search_postings (index_number, term, chunk_number, frequency, tokens)
  SELECT a.index_number, p.term, a.chunk_number, p.frequency, a.tokens
  FROM added a JOIN posting p USING (chunk_number)`;

/** Takes out the chunks `$1` of the knowledge base `$2`; gives their terms. */
export const REMOVE = `
  WITH removed AS (
    DELETE FROM search_chunks WHERE chunk_number = ANY ($1)
    RETURNING chunk_number, index_number, tokens, terms),
  counted AS (
    UPDATE search_indexes SET chunks = chunks - (SELECT count(*) FROM removed),
      tokens = tokens - (SELECT COALESCE(sum(tokens), 0) FROM removed)
    WHERE kb_id = $2),
  postings AS (
    DELETE FROM search_postings p USING removed r, unnest(r.terms) AS t (term)
    WHERE p.index_number = r.index_number AND p.term = t.term AND p.chunk_number = r.chunk_number)
  SELECT DISTINCT unnest(terms) AS term FROM removed`;

/** Keeps the words `$2` with their stems `$3` for the knowledge base `$1`; gives the new ones. */
export const ADD_WORDS = `
  INSERT INTO search_words (index_number, term, word)
  SELECT i.number, w.term, w.word
  FROM unnest($2::text[], $3::text[]) AS w (word, term) JOIN search_indexes i ON i.kb_id = $1
  ON CONFLICT DO NOTHING RETURNING word`;

export const ADD_SPELLINGS = `
  INSERT INTO search_spellings (index_number, key, word)
  SELECT i.number, s.key, s.word
  FROM unnest($2::text[], $3::text[]) AS s (key, word) JOIN search_indexes i ON i.kb_id = $1
  ON CONFLICT DO NOTHING`;

/** Forgets the words with the stems `$2` that no passage has any more; gives them. */
export const REMOVE_WORDS = `
  DELETE FROM search_words w USING search_indexes i
  WHERE i.kb_id = $1 AND w.index_number = i.number AND w.term = ANY ($2)
    AND NOT EXISTS (
      SELECT FROM search_postings p WHERE p.index_number = i.number AND p.term = w.term)
  RETURNING w.word`;

export const REMOVE_SPELLINGS = `
  DELETE FROM search_spellings s
  USING search_indexes i, unnest($2::text[], $3::text[]) AS old (key, word)
  WHERE i.kb_id = $1 AND s.index_number = i.number AND s.key = old.key AND s.word = old.word`;

export const SIMILAR = `
  SELECT word FROM search_spellings
  WHERE index_number = (SELECT number FROM search_indexes WHERE kb_id = $1) AND key = ANY ($2)
  GROUP BY word ORDER BY count(*) DESC, word LIMIT ${SIMILAR_WORDS}`;

/**
 * How many passages of the knowledge base `$1` have each of the terms `$2`; `$3` where it is more
 * than that.
 */
export const FREQUENCIES = `
  SELECT t.term, p.count AS frequency
  FROM search_indexes i CROSS JOIN unnest($2::text[]) AS t (term)
  CROSS JOIN LATERAL (
    SELECT count(*) FROM (
      SELECT FROM search_postings
      WHERE index_number = i.number AND term = t.term LIMIT $3::bigint) one) p
  WHERE i.kb_id = $1`;

export const COUNT_PASSAGES = 'SELECT chunks FROM search_indexes WHERE kb_id = $1';

export const COUNT_DOCUMENTS = `
  SELECT count(*) AS count FROM (
    SELECT FROM documents WHERE kb_id = $1 AND state = 'active' LIMIT $2) one`;

const MATCHES = (filter: string) => `jsonb_path_match(metadata, ${filter}::jsonpath)`;

/** Whether a document of the knowledge base `$1` matches `$2`. */
export const HAS_DOCUMENT = `
  SELECT FROM documents WHERE kb_id = $1 AND state = 'active' AND ${MATCHES('$2')} LIMIT 1`;

const SCORE = `w.weight * p.frequency * ${K1 + 1}::float8
  / (p.frequency + ${K1}::float8 * (${1 - B}::float8 + ${B}::float8 * p.tokens / w.average))`;

/** What the terms that make no candidates add to the score of one. */
const COMMON_SCORE = `
  COALESCE((
    SELECT sum(${SCORE}) FROM weighted w CROSS JOIN LATERAL (
      SELECT frequency, tokens FROM search_postings
      WHERE index_number = w.number AND term = w.term AND chunk_number = c.chunk_number LIMIT 1) p
    WHERE NOT w.selective), 0)`;

/** The chunks of all documents that match `$7`. */
const MATCHING_CHUNKS = `
  SELECT c.number FROM documents d JOIN chunks c ON c.document_id = d.id AND c.version = d.version
  WHERE d.kb_id = $1 AND d.state = 'active' AND ${MATCHES('$7')}`;

/**
 * BM25 as FTS5 computes it: inverse document frequency above zero, word counts weighted by column,
 * lengths not. Of the knowledge base `$1` by the terms `$2`, which the question has `$3` times and
 * `$4` passages have; those of which `$5` is true make candidates. Of the best candidates the best
 * `$6` that can be shown. Every step is bounded by the one before, so that no plan, with statistics
 * or without, reads what the question did not find: postings are summed up from the index alone,
 * and what else must be known of a hit is looked up for the best ones (LIMIT 1 keeps PostgreSQL
 * from joining whole tables). Plain doubles, since numeric is many times slower.
 *
 * @param options `hasCommon`: some terms make no candidates; `filter`: whether `$7` is looked for
 *   first, and hits among what matches, or tested for each hit; `isBounded`: whether to look no
 *   further than at a few more than `$6`
 */
export const search = ({
  hasCommon,
  filter,
  isBounded,
}: {
  readonly hasCommon: boolean;
  readonly filter: 'documents first' | 'hits first' | undefined;
  readonly isBounded: boolean;
}): string => `
  WITH question AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::integer[], $4::float8[], $5::boolean[])
      AS q (term, times, count, selective)),
  index AS MATERIALIZED (
    SELECT number, chunks, tokens::float8 / chunks AS average
    FROM search_indexes WHERE kb_id = $1 AND chunks > 0),
  ${filter === 'documents first' ? `matching AS MATERIALIZED (${MATCHING_CHUNKS}),` : ''}
  weighted AS MATERIALIZED (
    SELECT i.number, i.average, q.term, q.selective, q.times * GREATEST(
      ln((GREATEST(i.chunks - q.count, 0) + 0.5::float8) / (q.count + 0.5::float8)), 0.000001)
      AS weight
    FROM question q CROSS JOIN index i),
  candidate AS MATERIALIZED (
    SELECT p.chunk_number, sum(${SCORE}) AS score
    FROM weighted w JOIN search_postings p ON p.index_number = w.number AND p.term = w.term
    WHERE w.selective ${filter === 'documents first' ? 'AND p.chunk_number IN (SELECT number FROM matching)' : ''}
    GROUP BY p.chunk_number),
  hit AS MATERIALIZED (
    SELECT c.chunk_number, c.score ${hasCommon ? `+ ${COMMON_SCORE}` : ''} AS score FROM candidate c
    ORDER BY score DESC, c.chunk_number ${isBounded ? `LIMIT $6::integer + ${SLACK}` : ''})
  SELECT hit.chunk_number AS number, hit.score, s.codes AS fingerprint
  FROM hit
  CROSS JOIN LATERAL (SELECT * FROM chunks WHERE number = hit.chunk_number LIMIT 1) c
  CROSS JOIN LATERAL (
    SELECT FROM documents
    WHERE id = c.document_id AND version = c.version AND state = 'active'
      ${filter === 'hits first' ? `AND ${MATCHES('$7')}` : ''} LIMIT 1) d
  CROSS JOIN LATERAL (
    SELECT * FROM search_chunks WHERE chunk_number = hit.chunk_number LIMIT 1) s
  ORDER BY hit.score DESC, hit.chunk_number LIMIT $6`;

/**
 * The chunks of the knowledge base `$1` that have vectors of the model `$2` whose signs are most like
 * `$3`, and whose document matches `$5`, `$4` at most: comparing bits saves reading vectors.
 */
export const NEAREST = `
  WITH near AS MATERIALIZED (
    SELECT v.chunk_number, v.vector FROM chunk_vectors v
    WHERE v.kb_id = $1 AND v.model = $2 AND length(v.signs) = length($3::bit varying)
      AND ($5::text IS NULL OR EXISTS (
        SELECT FROM chunks c JOIN documents d
          ON d.id = c.document_id AND d.version = c.version AND d.state = 'active'
        WHERE c.number = v.chunk_number AND jsonb_path_match(d.metadata, $5::jsonpath)))
    ORDER BY bit_count(v.signs # $3::bit varying), v.chunk_number LIMIT $4)
  SELECT n.chunk_number AS number, n.vector, s.codes AS fingerprint
  FROM near n JOIN search_chunks s USING (chunk_number)`;

export const PASSAGES = `
  SELECT c.number, c.id AS "chunkId", d.id AS "documentId", d.title AS "documentTitle",
    d.external_id AS "externalId", d.source_url AS "sourceUrl", d.metadata, c.heading, c.page,
    c.text
  FROM chunks c
  JOIN documents d ON d.id = c.document_id AND d.version = c.version AND d.state = 'active'
  WHERE c.number = ANY ($1)`;
