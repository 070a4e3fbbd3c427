import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import {
  type ChunkRange,
  type ChunkVector,
  type ChunkWithoutVector,
  EMBEDDED_TEXT,
  VectorStore,
} from '../vector-store.js';
import { readVector, vectorBytes, vectorSigns, vectorText } from '@latchkey/embeddings/vector';

/** Vectors converted in one transaction. */
const CONVERT_BATCH = 200;
const LOCK_TIMEOUT_MS = 100;

/** Whether pgvector's type can be used, and whether there is a column of it. */
const STATE = `
  SELECT to_regtype('vector') IS NOT NULL AS "hasType", EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = 'chunk_vectors'::regclass AND attname = 'embedding' AND NOT attisdropped
  ) AS "hasColumn"`;

/** Where `vector` is set, `embedding` is ignored: it may be of an older model. */
const missing = (hasColumn: boolean) => `
  SELECT c.number, ${EMBEDDED_TEXT} AS text
  FROM chunks c JOIN documents d ON d.id = c.document_id AND d.state = 'active'
  WHERE c.number > $1 AND c.number <= $2 AND NOT EXISTS (
    SELECT 1 FROM chunk_vectors v WHERE v.chunk_number = c.number AND v.model = $3
      AND (v.vector IS NOT NULL ${hasColumn ? 'OR v.embedding IS NOT NULL' : ''}))
  ORDER BY c.number LIMIT $4`;

const STORE_BYTES = `
  INSERT INTO chunk_vectors (chunk_number, kb_id, model, vector, signs)
  SELECT number, kb_id, $2, $3, $4::bit varying FROM chunks WHERE number = $1 FOR SHARE
  ON CONFLICT (chunk_number) DO UPDATE
  SET model = excluded.model, vector = excluded.vector, signs = excluded.signs`;

const STORE_EMBEDDING = `
  INSERT INTO chunk_vectors (chunk_number, kb_id, model, embedding)
  SELECT number, kb_id, $2, $3::vector FROM chunks WHERE number = $1 FOR SHARE
  ON CONFLICT (chunk_number) DO UPDATE
  SET model = excluded.model, embedding = excluded.embedding, vector = NULL, signs = NULL`;

const TO_CONVERT = `
  SELECT chunk_number AS number, vector FROM chunk_vectors
  WHERE chunk_number > $1 AND chunk_number <= $2 AND vector IS NOT NULL
  ORDER BY chunk_number LIMIT ${CONVERT_BATCH} FOR UPDATE`;

const CONVERT = `
  UPDATE chunk_vectors v SET embedding = n.embedding::vector, vector = NULL, signs = NULL
  FROM unnest($1::bigint[], $2::text[]) AS n (number, embedding)
  WHERE v.chunk_number = n.number`;

/**
 * Vectors in a column of pgvector where the database has that extension, and otherwise as bytes, with
 * the signs of their numbers. The operator may create or drop the extension at any time: existing
 * vectors are converted in the background, and those that were dropped are made again.
 */
export class PostgresVectorStore extends VectorStore {
  private readonly logger = new Logger(PostgresVectorStore.name);
  private hasColumn = false;
  private hasWarned = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override async prepare(): Promise<void> {
    const [state] = await this.dataSource.query<{ hasType: boolean; hasColumn: boolean }[]>(STATE);
    this.hasColumn = state?.hasColumn ?? false;
    if (this.hasColumn || !state?.hasType) return;
    try {
      await this.unitOfWork.run(async (manager) => {
        // Searches queue behind this while it waits for its lock, so it must not wait long.
        await manager.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
        await manager.query('ALTER TABLE chunk_vectors ADD COLUMN IF NOT EXISTS embedding vector');
      });
      this.hasColumn = true;
    } catch (error) {
      // The next round tries again, every few seconds.
      if (!this.hasWarned) this.logger.warn(`Vectors stay outside of pgvector: ${String(error)}`);
      this.hasWarned = true;
    }
  }

  override async convert(range: ChunkRange): Promise<void> {
    if (!this.hasColumn) return;
    for (let after: number | undefined = range.after; after !== undefined;) {
      after = await this.convertBatch({ after, end: range.end });
    }
  }

  override missing(
    model: string,
    { after, end }: ChunkRange,
    limit: number,
  ): Promise<ChunkWithoutVector[]> {
    return this.dataSource.query(missing(this.hasColumn), [after, end, model, limit]);
  }

  override store(model: string, vectors: readonly ChunkVector[]): Promise<void> {
    return this.unitOfWork.run(async (manager) => {
      for (const { number, vector } of vectors) {
        await (this.hasColumn
          ? manager.query(STORE_EMBEDDING, [number, model, vectorText(vector)])
          : manager.query(STORE_BYTES, [number, model, vectorBytes(vector), vectorSigns(vector)]));
      }
    });
  }

  /** @returns the last chunk number; undefined when no vectors are left to convert */
  private convertBatch({ after, end }: ChunkRange): Promise<number | undefined> {
    return this.unitOfWork.run(async (manager) => {
      const rows = await manager.query<{ number: number; vector: Uint8Array }[]>(TO_CONVERT, [
        after,
        end,
      ]);
      const numbers = rows.map(({ number }) => number);
      const texts = rows.map(({ vector }) => vectorText(readVector(vector)));
      if (rows.length > 0) await manager.query(CONVERT, [numbers, texts]);
      return rows.length < CONVERT_BATCH ? undefined : numbers.at(-1);
    });
  }
}
