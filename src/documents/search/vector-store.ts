import type { DataSource } from 'typeorm';
import { storeWindows, type WindowVector } from '@latchkey/embeddings/window-vectors';
import type { PassageForWindows } from '@latchkey/embeddings/windows';
import type { PassageTable } from '@latchkey/extraction/passage-table';
import { parseJson } from '@latchkey/text/parse-json';
import { isPostgres } from '../../platform/database/dialect.js';
import type { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { PassageRange } from './vector-backlog.js';

export type PassageWithoutVectors = PassageForWindows & { readonly number: number };

export interface PassageVectors {
  readonly number: number;
  readonly windows: readonly WindowVector[];
}

const MISSING = `
  SELECT p.number, d.title, p.heading, p.text
  FROM passages p JOIN documents d ON d.id = p.document_id AND d.state = 'active'
  WHERE p.kb_id = $1 AND p.number > $2 AND p.number <= $3 AND NOT EXISTS (
    SELECT 1 FROM passage_vectors v WHERE v.passage_number = p.number AND v.model = $4)
  ORDER BY p.number LIMIT $5`;

const WITHOUT_SENTENCES = `
  SELECT p.number, d.title, p.heading, p.text, p.cells
  FROM passage_vectors v JOIN passages p ON p.number = v.passage_number
    JOIN documents d ON d.id = p.document_id
  WHERE v.model = $1 AND v.kb_id = $2 AND v.sentence_vectors IS NULL LIMIT $3`;

const ADD_SENTENCES = `
  UPDATE passage_vectors SET sentence_places = $1, sentence_vectors = $2
  WHERE passage_number = $3 AND model = $4`;

/** Of another model. The new row gets a new serial number, so that readers notice it. */
const REMOVE = `DELETE FROM passage_vectors WHERE passage_number = $1`;

const store = (lock: string) => `
  INSERT INTO passage_vectors (passage_number, kb_id, model, windows, codes, places, vectors)
  SELECT number, kb_id, $1, $2, $3, $4, $5 FROM passages WHERE number = $6 ${lock}
  ON CONFLICT DO NOTHING`;

/** The vectors of passages in the database. */
export class VectorStore {
  private readonly postgres: boolean;

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.postgres = isPostgres(dataSource);
  }

  /** The first passages of the range that have no vectors of the model. */
  missing(model: string, { kbId, after, end }: PassageRange, limit: number) {
    return this.dataSource.query<PassageWithoutVectors[]>(this.sql(MISSING), [
      kbId,
      after,
      end,
      model,
      limit,
    ]);
  }

  /** Stores nothing for a passage that was removed meanwhile. */
  store(model: string, passages: readonly PassageVectors[]): Promise<void> {
    const insert = this.sql(store(this.postgres ? 'FOR SHARE' : ''));
    return this.unitOfWork.run(async (manager) => {
      for (const { number, windows } of passages) {
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

  async withoutSentences(model: string, kbId: string, limit: number) {
    const rows = await this.dataSource.query<(PassageWithoutVectors & { cells: unknown })[]>(
      this.sql(WITHOUT_SENTENCES),
      [model, kbId, limit],
    );
    return rows.map(({ cells, ...row }) => ({
      ...row,
      // SQLite has JSON as text.
      cells: (typeof cells === 'string' ? parseJson(cells) : cells) as PassageTable | null,
    }));
  }

  /** Of a passage without sentences, nothing is stored, so that it is not looked at again. */
  storeSentences(model: string, passages: readonly PassageVectors[]): Promise<void> {
    return this.unitOfWork.run(async (manager) => {
      for (const { number, windows } of passages) {
        const { places, vectors } = storeWindows(windows);
        const bytes = [places, vectors].map((some) => Buffer.from(some));
        await manager.query(this.sql(ADD_SENTENCES), [...bytes, number, model]);
      }
    });
  }

  /** The parameters of each statement stand in it in their order. */
  private sql(statement: string): string {
    return this.postgres ? statement : statement.replace(/\$\d/g, '?');
  }
}
