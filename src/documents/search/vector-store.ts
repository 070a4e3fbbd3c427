import type { DataSource } from 'typeorm';
import { storeWindows, type WindowVector } from '@latchkey/embeddings/window-vectors';
import type { PassageForWindows } from '@latchkey/embeddings/windows';
import { isPostgres } from '../../platform/database/dialect.js';
import type { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { ChunkRange } from './vector-backlog.js';

export type ChunkWithoutVectors = PassageForWindows & { readonly number: number };

export interface ChunkVectors {
  readonly number: number;
  readonly windows: readonly WindowVector[];
}

const MISSING = `
  SELECT c.number, d.title, c.heading, c.text
  FROM chunks c JOIN documents d ON d.id = c.document_id AND d.state = 'active'
  WHERE c.kb_id = $1 AND c.number > $2 AND c.number <= $3 AND NOT EXISTS (
    SELECT 1 FROM chunk_vectors v WHERE v.chunk_number = c.number AND v.model = $4)
  ORDER BY c.number LIMIT $5`;

/** Of another model. The new row gets a new serial number, so that readers notice it. */
const REMOVE = `DELETE FROM chunk_vectors WHERE chunk_number = $1`;

const store = (lock: string) => `
  INSERT INTO chunk_vectors (chunk_number, kb_id, model, windows, codes, places, vectors)
  SELECT number, kb_id, $1, $2, $3, $4, $5 FROM chunks WHERE number = $6 ${lock}
  ON CONFLICT DO NOTHING`;

/** The vectors of chunks in the database. */
export class VectorStore {
  private readonly postgres: boolean;

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.postgres = isPostgres(dataSource);
  }

  /** The first chunks of the range that have no vectors of the model. */
  missing(model: string, { kbId, after, end }: ChunkRange, limit: number) {
    return this.dataSource.query<ChunkWithoutVectors[]>(this.sql(MISSING), [
      kbId,
      after,
      end,
      model,
      limit,
    ]);
  }

  /** Stores nothing for a chunk that was removed meanwhile. */
  store(model: string, chunks: readonly ChunkVectors[]): Promise<void> {
    const insert = this.sql(store(this.postgres ? 'FOR SHARE' : ''));
    return this.unitOfWork.run(async (manager) => {
      for (const { number, windows } of chunks) {
        const { codes, places, vectors } = storeWindows(windows);
        await manager.query(this.sql(REMOVE), [number]);
        await manager.query(insert, [
          model,
          windows.length,
          ...[codes, places, vectors].map((bytes) => Buffer.from(bytes)),
          number,
        ]);
      }
    });
  }

  /** The parameters of each statement stand in it in their order. */
  private sql(statement: string): string {
    return this.postgres ? statement : statement.replace(/\$\d/g, '?');
  }
}
