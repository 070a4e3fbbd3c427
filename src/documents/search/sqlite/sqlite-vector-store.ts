import type { DataSource } from 'typeorm';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import {
  type ChunkRange,
  type ChunkVector,
  type ChunkWithoutVector,
  EMBEDDED_TEXT,
  VectorStore,
} from '../vector-store.js';
import { vectorBytes } from '@latchkey/embeddings/vector';

const MISSING = `
  SELECT c.number, ${EMBEDDED_TEXT} AS text
  FROM chunks c JOIN documents d ON d.id = c.document_id AND d.state = 'active'
  WHERE c.number > ? AND c.number <= ? AND NOT EXISTS (
    SELECT 1 FROM chunk_vectors v WHERE v.chunk_number = c.number AND v.model = ?)
  ORDER BY c.number LIMIT ?`;

const STORE = `
  INSERT INTO chunk_vectors (chunk_number, kb_id, model, vector)
  SELECT number, kb_id, ?, ? FROM chunks WHERE number = ?
  ON CONFLICT (chunk_number) DO UPDATE SET model = excluded.model, vector = excluded.vector`;

/** Vectors as bytes, which sqlite-vec compares. */
export class SqliteVectorStore extends VectorStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override prepare(): Promise<void> {
    return Promise.resolve();
  }

  override convert(): Promise<void> {
    return Promise.resolve();
  }

  override missing(
    model: string,
    { after, end }: ChunkRange,
    limit: number,
  ): Promise<ChunkWithoutVector[]> {
    return this.dataSource.query(MISSING, [after, end, model, limit]);
  }

  override store(model: string, vectors: readonly ChunkVector[]): Promise<void> {
    return this.unitOfWork.run(async (manager) => {
      for (const { number, vector } of vectors) {
        await manager.query(STORE, [model, vectorBytes(vector), number]);
      }
    });
  }
}
