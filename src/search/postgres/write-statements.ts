/**
 * Adds chunks to the index of the knowledge base `$7`: `$1` numbers, `$2` word counts and `$3`
 * fingerprints of the chunks; `$4` chunk numbers, `$5` terms and `$6` weighted frequencies of the
 * postings.
 */
export const ADD_CHUNKS = `
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

/** Removes the chunks `$1` from the index of the knowledge base `$2`; returns their terms. */
export const REMOVE_CHUNKS = `
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

/** Removes and returns the words of the stems `$2` that no passage has any more. */
export const REMOVE_UNUSED_WORDS = `
  DELETE FROM search_words w USING search_indexes i
  WHERE i.kb_id = $1 AND w.index_number = i.number AND w.term = ANY ($2)
    AND NOT EXISTS (
      SELECT FROM search_postings p WHERE p.index_number = i.number AND p.term = w.term)
  RETURNING w.word`;

/** Removes the spelling keys `$2` of the words `$3`. */
export const REMOVE_SPELLINGS = `
  DELETE FROM search_spellings s
  USING search_indexes i, unnest($2::text[], $3::text[]) AS old (key, word)
  WHERE i.kb_id = $1 AND s.index_number = i.number AND s.key = old.key AND s.word = old.word`;
