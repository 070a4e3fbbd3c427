import { SIMILAR_WORDS } from '../bounds.js';
import { IS_VISIBLE, PASSAGE_COLUMNS } from '../index-reader.js';

const K1 = 1.2;
const B = 0.75;
/** Extra hits to read, since some may belong to deleted or replaced documents. */
const SPARE_HITS = 50;

export const SIMILAR_WORDS_BY_KEYS = `
  SELECT word FROM search_spellings
  WHERE index_number = (SELECT number FROM search_indexes WHERE kb_id = $1) AND key = ANY ($2)
  GROUP BY word ORDER BY count(*) DESC, word LIMIT ${SIMILAR_WORDS}`;

/** How many passages of the knowledge base `$1` have each of the terms `$2`, counted up to `$3`. */
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

const matches = (filter: string) => `jsonb_path_match(metadata, ${filter}::jsonpath)`;

/** Whether a document of the knowledge base `$1` matches `$2`. */
export const HAS_DOCUMENT = `
  SELECT FROM documents WHERE kb_id = $1 AND state = 'active' AND ${matches('$2')} LIMIT 1`;

const SCORE = `w.weight * p.frequency * ${K1 + 1}::float8
  / (p.frequency + ${K1}::float8 * (${1 - B}::float8 + ${B}::float8 * p.tokens / w.average))`;

/** The score that the common terms add to that of a candidate. */
const COMMON_SCORE = `
  COALESCE((
    SELECT sum(${SCORE}) FROM weighted w CROSS JOIN LATERAL (
      SELECT frequency, tokens FROM search_postings
      WHERE index_number = w.number AND term = w.term AND chunk_number = c.chunk_number LIMIT 1) p
    WHERE NOT w.selective), 0)`;

/** The visible chunks of all documents that match `$7`. */
const MATCHING_CHUNKS = `
  SELECT c.number FROM documents d JOIN chunks c ON c.document_id = d.id
  WHERE d.kb_id = $1 AND ${IS_VISIBLE} AND ${matches('$7')}`;

/**
 * BM25 as FTS5 computes it: inverse document frequencies are above zero; term frequencies are weighted
 * by field, lengths are not. Parameters: `$1` the knowledge base; `$2` the terms, `$3` how often the
 * question has each, `$4` how many passages have it, `$5` whether it is selective; `$6` the number
 * of hits; `$7` the filter.
 *
 * MATERIALIZED makes each step read only what the step before found, whatever plan PostgreSQL chooses:
 * candidates come from the index of postings alone, and other columns are looked up for the best of
 * them. LIMIT 1 keeps PostgreSQL from joining whole tables. Numbers are `float8`, because `numeric` is
 * many times slower.
 *
 * @param options `hasCommon`: whether some terms are not selective; `filter`: whether to find the
 *   matching documents first or to test the document of each hit; `isBounded`: whether to check
 *   only SPARE_HITS more than `$6`
 */
export const bm25 = ({
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
    ORDER BY score DESC, c.chunk_number ${isBounded ? `LIMIT $6::integer + ${SPARE_HITS}` : ''})
  SELECT hit.chunk_number AS number, hit.score, s.codes AS fingerprint
  FROM hit
  CROSS JOIN LATERAL (SELECT * FROM chunks WHERE number = hit.chunk_number LIMIT 1) c
  CROSS JOIN LATERAL (
    SELECT FROM documents
    WHERE id = c.document_id AND version = c.version AND state = 'active'
      ${filter === 'hits first' ? `AND ${matches('$7')}` : ''} LIMIT 1) d
  CROSS JOIN LATERAL (
    SELECT * FROM search_chunks WHERE chunk_number = hit.chunk_number LIMIT 1) s
  ORDER BY hit.score DESC, hit.chunk_number LIMIT $6`;

/**
 * The `$4` chunks of the knowledge base `$1` whose vectors of the model `$2` have the signs most
 * similar to `$3`; with a filter `$5` only of matching documents. Comparing signs avoids reading all
 * vectors.
 */
export const NEAREST = `
  WITH near AS MATERIALIZED (
    SELECT v.chunk_number, v.vector FROM chunk_vectors v
    WHERE v.kb_id = $1 AND v.model = $2 AND length(v.signs) = length($3::bit varying)
      AND ($5::text IS NULL OR EXISTS (
        SELECT FROM chunks c JOIN documents d
          ON d.id = c.document_id AND ${IS_VISIBLE}
        WHERE c.number = v.chunk_number AND ${matches('$5')}))
    ORDER BY bit_count(v.signs # $3::bit varying), v.chunk_number LIMIT $4)
  SELECT n.chunk_number AS number, n.vector, s.codes AS fingerprint
  FROM near n JOIN search_chunks s USING (chunk_number)`;

export const PASSAGES = `
  SELECT ${PASSAGE_COLUMNS}
  FROM chunks c JOIN documents d ON d.id = c.document_id AND ${IS_VISIBLE}
  WHERE c.number = ANY ($1)`;
