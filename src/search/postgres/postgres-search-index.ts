import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource, EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { foldText } from '../fold-text.js';
import { questionTerms } from '../question-terms.js';
import { Passage, SearchIndex, SearchQuery } from '../search-index.js';

/** Chunks in one transaction, so that each statement stays short. */
const BATCH = 50;
const DROP_BATCH = 5000;
/** Found chunks that may turn out to be deleted or replaced meanwhile. */
const SLACK = 50;

const TITLE_WEIGHT = 2;
const K1 = 1.2;
const B = 0.75;

/**
 * Takes the chunks `$1` with their folded titles, headings and texts into the index of `$5`: their
 * words, how often each occurs, weighted, and how many there are.
 */
const ADD = `
  WITH folded AS (
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])
      AS f (chunk_number, title, heading, body)),
  lexeme AS (
    SELECT f.chunk_number, l.lexeme AS term, cardinality(l.positions) AS occurrences,
      cardinality(array_positions(l.weights, 'A')) AS in_title
    FROM folded f, unnest(
      setweight(to_tsvector('latchkey', f.title), 'A') || to_tsvector('latchkey', f.heading)
        || to_tsvector('latchkey', f.body)) l),
  added AS (
    INSERT INTO search_chunks (chunk_number, index_number, tokens, terms)
    SELECT f.chunk_number, i.number, COALESCE(sum(l.occurrences), 0),
      COALESCE(array_agg(l.term) FILTER (WHERE l.term IS NOT NULL), '{}')
    FROM folded f JOIN search_indexes i ON i.kb_id = $5 LEFT JOIN lexeme l USING (chunk_number)
    GROUP BY f.chunk_number, i.number
    ON CONFLICT DO NOTHING RETURNING chunk_number, index_number, tokens),
  counted AS (
    UPDATE search_indexes SET chunks = chunks + (SELECT count(*) FROM added),
      tokens = tokens + (SELECT COALESCE(sum(tokens), 0) FROM added)
    WHERE kb_id = $5)
  INSERT INTO search_postings (index_number, term, chunk_number, frequency, tokens)
  SELECT a.index_number, l.term, a.chunk_number,
    l.occurrences + l.in_title * (${TITLE_WEIGHT} - 1), a.tokens
  FROM added a JOIN lexeme l USING (chunk_number)`;

const REMOVE = `
  WITH removed AS (
    DELETE FROM search_chunks WHERE chunk_number = ANY ($1)
    RETURNING chunk_number, index_number, tokens, terms),
  counted AS (
    UPDATE search_indexes SET chunks = chunks - (SELECT count(*) FROM removed),
      tokens = tokens - (SELECT COALESCE(sum(tokens), 0) FROM removed)
    WHERE kb_id = $2)
  DELETE FROM search_postings p USING removed r, unnest(r.terms) AS t (term)
  WHERE p.index_number = r.index_number AND p.term = t.term AND p.chunk_number = r.chunk_number`;

/**
 * BM25 as FTS5 computes it: inverse document frequency above zero, word counts weighted by column,
 * lengths not. Every step is bounded by the one before, so that no plan, with statistics or
 * without, reads what the question did not find: the words' postings are counted and then summed
 * up from the index alone, and what is shown of a hit is looked up for the best ones (LIMIT 1 keeps
 * PostgreSQL from joining whole tables). Plain doubles, since numeric is many times slower.
 */
const SEARCH = `
  WITH question AS MATERIALIZED (
    SELECT lexeme AS term, cardinality(positions) AS times
    FROM unnest(to_tsvector('latchkey', $2))),
  index AS MATERIALIZED (
    SELECT number, chunks, tokens::float8 / chunks AS average
    FROM search_indexes WHERE kb_id = $1 AND chunks > 0),
  weighted AS MATERIALIZED (
    SELECT i.number, i.average, q.term, q.times * GREATEST(
      ln((i.chunks - p.count + 0.5::float8) / (p.count + 0.5::float8)), 0.000001) AS weight
    FROM question q CROSS JOIN index i CROSS JOIN LATERAL (
      SELECT count(*) FROM search_postings WHERE index_number = i.number AND term = q.term) p),
  hit AS MATERIALIZED (
    SELECT p.chunk_number, sum(w.weight * p.frequency * ${K1 + 1}::float8
      / (p.frequency + ${K1}::float8
        * (${1 - B}::float8 + ${B}::float8 * p.tokens / w.average))) AS score
    FROM weighted w JOIN search_postings p ON p.index_number = w.number AND p.term = w.term
    GROUP BY p.chunk_number ORDER BY score DESC, p.chunk_number LIMIT $3)
  SELECT passage.*, n.hits FROM (SELECT count(*) AS hits FROM hit) n LEFT JOIN (
  SELECT c.id AS "chunkId", d.id AS "documentId", d.title AS "documentTitle",
    d.external_id AS "externalId", d.source_url AS "sourceUrl", d.metadata, c.heading, c.page,
    c.text, hit.score, hit.chunk_number AS number
  FROM hit
  CROSS JOIN LATERAL (SELECT * FROM chunks WHERE number = hit.chunk_number LIMIT 1) c
  CROSS JOIN LATERAL (
    SELECT * FROM documents
    WHERE id = c.document_id AND version = c.version AND state = 'active' LIMIT 1) d
  ORDER BY hit.score DESC, hit.chunk_number LIMIT $4) passage ON TRUE
  ORDER BY passage.score DESC, passage.number`;

/** A passage with the number of hits it was chosen from; without one where none of them is shown. */
type Row = (Passage | { chunkId: null }) & { number: number | null; hits: number };

interface ChunkText {
  number: number;
  title: string;
  heading: string | null;
  text: string;
}

/**
 * BM25 over a table of postings. PostgreSQL's own ranking functions know no word statistics and
 * rank clearly worse.
 */
@Injectable()
export class PostgresSearchIndex extends SearchIndex {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override async add(kbId: string, documentId: string, version: number): Promise<void> {
    for (;;) {
      const added = await this.unitOfWork.run((manager) =>
        this.addBatch(manager, kbId, documentId, version),
      );
      if (added === 0) return;
    }
  }

  override async remove(kbId: string, chunkNumbers: number[]): Promise<void> {
    for (let start = 0; start < chunkNumbers.length; start += BATCH) {
      const numbers = chunkNumbers.slice(start, start + BATCH);
      await this.unitOfWork.run((manager) => manager.query(REMOVE, [numbers, kbId]));
    }
  }

  override async drop(kbId: string): Promise<void> {
    for (const table of ['search_postings', 'search_chunks']) {
      for (let removed = DROP_BATCH; removed === DROP_BATCH;) {
        removed = await this.unitOfWork.run(async (manager) => {
          const [, affected] = await manager.query<[unknown, number]>(
            `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
               SELECT ctid FROM ${table} WHERE index_number =
                 (SELECT number FROM search_indexes WHERE kb_id = $1) LIMIT ${DROP_BATCH}))`,
            [kbId],
          );
          return affected;
        });
      }
    }
    await this.unitOfWork.run((manager) =>
      manager.query('DELETE FROM search_indexes WHERE kb_id = $1', [kbId]),
    );
  }

  override async search({ kbId, question, limit }: SearchQuery): Promise<Passage[]> {
    const terms = questionTerms(question);
    if (terms.length === 0) return [];
    const words = foldText(terms.join(' '));
    for (let asked = limit + SLACK; ; asked *= 20) {
      const rows = await this.find([kbId, words, asked, limit]);
      const passages = rows.flatMap(({ hits, number, ...row }) =>
        row.chunkId === null ? [] : [row],
      );
      // Too many of the hits may have been of deleted documents.
      if (passages.length === limit || (rows[0]?.hits ?? 0) < asked) return passages;
    }
  }

  /** Prepared, once for each connection: planning takes longer than searching a small index. */
  private async find(values: unknown[]): Promise<Row[]> {
    const pool = (this.dataSource.driver as PostgresDriver).master as Pool;
    return (await pool.query<Row>({ name: 'search', text: SEARCH, values })).rows;
  }

  /** @returns how many chunks there were to add */
  private async addBatch(
    manager: EntityManager,
    kbId: string,
    documentId: string,
    version: number,
  ): Promise<number> {
    // Locks the document, so that it is deleted before or after and not meanwhile.
    const chunks = await manager.query<ChunkText[]>(
      `SELECT c.number, d.title, c.heading, c.text
       FROM chunks c JOIN documents d ON d.id = c.document_id AND d.state = 'active'
       WHERE c.document_id = $1 AND c.version = $2
         AND NOT EXISTS (SELECT FROM search_chunks s WHERE s.chunk_number = c.number)
       ORDER BY c.number LIMIT ${BATCH} FOR SHARE OF d`,
      [documentId, version],
    );
    if (chunks.length === 0) return 0;
    // Locks the index's row, so that its counts and its postings change together.
    await manager.query(
      `INSERT INTO search_indexes (kb_id) VALUES ($1)
       ON CONFLICT (kb_id) DO UPDATE SET chunks = search_indexes.chunks`,
      [kbId],
    );
    await manager.query(ADD, [
      chunks.map(({ number }) => number),
      chunks.map(({ title }) => foldText(title)),
      chunks.map(({ heading }) => foldText(heading ?? '')),
      chunks.map(({ text }) => foldText(text)),
      kbId,
    ]);
    return chunks.length;
  }
}
