import type { DataSource, EntityManager } from 'typeorm';
import { isPostgres } from '../database/dialect.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BackgroundJob } from '../jobs/background-job.js';
import type { JobLock } from '../jobs/job-lock.js';
import type { Embeddings } from './embeddings.js';
import { vectorBytes, vectorSigns } from './vector.js';

const INTERVAL_MS = 15_000;
/** Chunks in one request to the endpoint. */
const BATCH = 64;
/** Chunk numbers in one query for missing vectors, so that the query stays short. */
const NUMBER_RANGE = 2000;
/**
 * Every so many rounds all chunks are checked again: a transaction that commits late adds chunks with
 * numbers below `checkedUpTo`.
 */
const ROUNDS_PER_FULL_CHECK = 40;

interface ChunkWithoutVector {
  number: number;
  text: string;
}

/**
 * Fetches vectors for chunks that have none: after indexing, and at an interval, to repeat requests
 * that failed.
 */
export class VectorIndexing extends BackgroundJob {
  private rounds = 0;
  /** All chunks up to this number have vectors, or were refused by the endpoint. */
  private checkedUpTo = 0;

  constructor(
    private readonly embeddings: Embeddings,
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobLock,
  ) {
    super(INTERVAL_MS);
  }

  protected override async run(): Promise<void> {
    if (this.rounds++ % ROUNDS_PER_FULL_CHECK === 0) this.checkedUpTo = 0;
    const newest = await this.newestChunk();
    if (this.checkedUpTo >= newest) return;
    // A process that does not get the lock tries again in its next round.
    await this.jobs.run('embeddings', this.signal, async (mayContinue) => {
      while (this.checkedUpTo < newest && (await mayContinue())) {
        const succeeded = await this.embedUpTo(Math.min(this.checkedUpTo + NUMBER_RANGE, newest));
        if (!succeeded) return;
      }
    });
  }

  /** @returns false when the endpoint fails */
  private async embedUpTo(end: number): Promise<boolean> {
    const chunks = await this.chunksWithoutVector(end);
    if (chunks.length > 0) {
      const vectors = await this.embeddings.ofPassages(
        chunks.map(({ text }) => text),
        this.signal,
      );
      if (!vectors) return false;
      await this.unitOfWork.run(async (manager) => {
        for (const [index, { number }] of chunks.entries()) {
          const vector = vectors[index];
          if (vector) await this.store(manager, number, vector);
        }
      });
    }
    this.checkedUpTo = chunks.length < BATCH ? end : (chunks.at(-1)?.number ?? end);
    return true;
  }

  private async newestChunk(): Promise<number> {
    const [row] = await this.dataSource.query<{ number: number | null }[]>(
      'SELECT max(number) AS number FROM chunks',
    );
    return row?.number ?? 0;
  }

  private chunksWithoutVector(end: number): Promise<ChunkWithoutVector[]> {
    const [first, second, third] = this.isPostgres ? ['$1', '$2', '$3'] : ['?', '?', '?'];
    return this.dataSource.query(
      `SELECT c.number, d.title || ' ' || COALESCE(c.heading, '') || ' ' || c.text AS text
       FROM chunks c JOIN documents d ON d.id = c.document_id AND d.state = 'active'
       WHERE c.number > ${first} AND c.number <= ${second} AND NOT EXISTS (
         SELECT 1 FROM chunk_vectors v WHERE v.chunk_number = c.number AND v.model = ${third})
       ORDER BY c.number LIMIT ${BATCH}`,
      [this.checkedUpTo, end, this.embeddings.model],
    );
  }

  /** Stores nothing for a chunk that was removed meanwhile. */
  private async store(manager: EntityManager, number: number, vector: Float32Array) {
    const values = [this.embeddings.model, vectorBytes(vector)];
    const changes = 'model = excluded.model, vector = excluded.vector';
    await (this.isPostgres
      ? manager.query(
          `INSERT INTO chunk_vectors (chunk_number, kb_id, model, vector, signs)
           SELECT number, kb_id, $2, $3, $4::bit varying FROM chunks WHERE number = $1 FOR SHARE
           ON CONFLICT (chunk_number) DO UPDATE SET ${changes}, signs = excluded.signs`,
          [number, ...values, vectorSigns(vector)],
        )
      : manager.query(
          `INSERT INTO chunk_vectors (chunk_number, kb_id, model, vector)
           SELECT number, kb_id, ?, ? FROM chunks WHERE number = ?
           ON CONFLICT (chunk_number) DO UPDATE SET ${changes}`,
          [...values, number],
        ));
  }

  private get isPostgres(): boolean {
    return isPostgres(this.dataSource);
  }
}
