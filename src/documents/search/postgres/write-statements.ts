/**
 * Adds chunks to the index of the knowledge base `$6`: `$1` numbers, `$2` word counts, `$3`
 * fingerprints, `$4` terms divided by spaces, `$5` languages. Returns the new ones.
 */
export const ADD_CHUNKS = `
  WITH added AS (
    INSERT INTO search_chunks (chunk_number, index_number, tokens, codes, terms, language)
    SELECT c.chunk_number, i.number, c.tokens, c.codes, string_to_array(c.terms, ' '), c.language
    FROM unnest($1::bigint[], $2::integer[], $3::bytea[], $4::text[], $5::text[])
      AS c (chunk_number, tokens, codes, terms, language)
    JOIN search_indexes i ON i.kb_id = $6
    ON CONFLICT DO NOTHING RETURNING chunk_number, index_number, tokens, language),
  counted AS (
    UPDATE search_indexes SET chunks = chunks + (SELECT count(*) FROM added),
      tokens = tokens + (SELECT COALESCE(sum(tokens), 0) FROM added)
    WHERE kb_id = $6),
  languages AS (
    INSERT INTO search_languages AS l (index_number, language, chunks)
    SELECT index_number, COALESCE(language, ''), count(*) FROM added GROUP BY 1, 2
    ON CONFLICT (index_number, language) DO UPDATE SET chunks = l.chunks + excluded.chunks)
  SELECT chunk_number AS number FROM added`;

/**
 * Removes the chunks `$1` from the index of the knowledge base `$2`; returns each of their terms
 * with the chunks that had it.
 */
export const REMOVE_CHUNKS = `
  WITH removed AS (
    DELETE FROM search_chunks WHERE chunk_number = ANY ($1)
    RETURNING chunk_number, index_number, tokens, terms, language),
  counted AS (
    UPDATE search_indexes SET chunks = chunks - (SELECT count(*) FROM removed),
      tokens = tokens - (SELECT COALESCE(sum(tokens), 0) FROM removed)
    WHERE kb_id = $2),
  languages AS (
    UPDATE search_languages l SET chunks = l.chunks - r.chunks
    FROM (
      SELECT index_number, COALESCE(language, '') AS language, count(*) AS chunks
      FROM removed GROUP BY 1, 2) r
    WHERE l.index_number = r.index_number AND l.language = r.language)
  SELECT t.term, array_agg(r.chunk_number::float8) AS numbers
  FROM removed r CROSS JOIN unnest(r.terms) AS t (term) GROUP BY t.term`;

/**
 * The blocks of the terms `$2` in which the numbers from `$3` to `$4` lie. `OFFSET 0` has PostgreSQL
 * look up each term in the index; it would otherwise read the blocks of all knowledge bases.
 */
export const BLOCKS = `
  SELECT b.term, b.first, b.block AS bytes
  FROM search_indexes i
  CROSS JOIN unnest($2::text[], $3::bigint[], $4::bigint[]) AS p (term, first, last)
  CROSS JOIN LATERAL (
    SELECT term, first, block FROM search_blocks
    WHERE index_number = i.number AND term = p.term AND first <= p.last
      AND first >= COALESCE((
        SELECT max(first) FROM search_blocks
        WHERE index_number = i.number AND term = p.term AND first <= p.first), p.first)
    OFFSET 0) b
  WHERE i.kb_id = $1 ORDER BY b.term, b.first`;

/** Removes the blocks of the terms `$2` that begin with `$3`. */
export const REMOVE_BLOCKS = `
  DELETE FROM search_blocks b
  USING search_indexes i, unnest($2::text[], $3::bigint[]) AS old (term, first)
  WHERE i.kb_id = $1 AND b.index_number = i.number AND b.term = old.term AND b.first = old.first`;

/** Writes blocks: `$2` terms, `$3` first numbers, `$4` numbers of postings, `$5` contents. */
export const WRITE_BLOCKS = `
  INSERT INTO search_blocks (index_number, term, first, postings, block)
  SELECT i.number, b.term, b.first, b.postings, b.block
  FROM unnest($2::text[], $3::bigint[], $4::integer[], $5::bytea[])
    AS b (term, first, postings, block)
  JOIN search_indexes i ON i.kb_id = $1
  ON CONFLICT (index_number, term, first)
    DO UPDATE SET postings = excluded.postings, block = excluded.block`;

/** Adds the words `$2` with the stems `$3` to the knowledge base `$1`; returns the new ones. */
export const ADD_WORDS = `
  INSERT INTO search_words (index_number, term, word)
  SELECT i.number, w.term, w.word
  FROM unnest($2::text[], $3::text[]) AS w (word, term) JOIN search_indexes i ON i.kb_id = $1
  ON CONFLICT DO NOTHING RETURNING word`;

/** Adds the spelling keys `$2` of the words `$3`. */
export const ADD_SPELLINGS = `
  INSERT INTO search_spellings (index_number, key, word)
  SELECT i.number, s.key, s.word
  FROM unnest($2::text[], $3::text[]) AS s (key, word) JOIN search_indexes i ON i.kb_id = $1
  ON CONFLICT DO NOTHING`;

/** Removes the words of the stems `$2` that no passage has any more; returns those without a stem. */
export const REMOVE_UNUSED_WORDS = `
  WITH unused AS (
    DELETE FROM search_words w USING search_indexes i
    WHERE i.kb_id = $1 AND w.index_number = i.number AND w.term = ANY ($2)
      AND NOT EXISTS (
        SELECT FROM search_blocks b WHERE b.index_number = i.number AND b.term = w.term)
    RETURNING w.index_number, w.term, w.word)
  SELECT u.word FROM unused u WHERE NOT EXISTS (
    SELECT FROM search_words w
    WHERE w.index_number = u.index_number AND w.word = u.word AND w.term <> ALL ($2))`;

/** Removes the spelling keys `$2` of the words `$3`. */
export const REMOVE_SPELLINGS = `
  DELETE FROM search_spellings s
  USING search_indexes i, unnest($2::text[], $3::text[]) AS old (key, word)
  WHERE i.kb_id = $1 AND s.index_number = i.number AND s.key = old.key AND s.word = old.word`;
