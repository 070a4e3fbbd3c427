import type { DataSource, EntityManager } from 'typeorm';
import { isPostgres } from '../database/dialect.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BackgroundJob } from '../jobs/background-job.js';
import type { JobLock } from '../jobs/job-lock.js';
import type { Embeddings } from './embeddings.js';
import { vectorBytes, vectorSigns } from './vector.js';

const INTERVAL_MS = 15_000;
/** Chunks whose vectors are asked for at once. */
const BATCH = 64;
/** Chunk numbers that are looked through at once, so that it takes moments. */
const SPAN = 2000;
/** Runs until everything is looked through again: a transaction may have committed late. */
const WHOLE_EVERY = 40;

interface Unembedded {
  number: number;
  text: string;
}

/**
 * Fetches the vectors of chunks that have none, in the background: after indexing, and from time to
 * time, so that what a failing endpoint has left out is taken up.
 */
export class VectorIndexing extends BackgroundJob {
  private runs = 0;
  /** Chunks up to this one have vectors, or were refused. */
  private done = 0;

  constructor(
    private readonly embeddings: Embeddings,
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobLock,
  ) {
    super(INTERVAL_MS);
  }

  protected override async run(): Promise<void> {
    if (this.runs++ % WHOLE_EVERY === 0) this.done = 0;
    const newest = await this.newest();
    if (this.done >= newest) return;
    // Once for all processes. One that comes too late looks again in a while.
    await this.jobs.run('embeddings', this.signal, async (mayContinue) => {
      while (this.done < newest && (await mayContinue())) {
        const embedded = await this.embedUpTo(Math.min(this.done + SPAN, newest));
        if (!embedded) return;
      }
    });
  }

  /** @returns false when the endpoint fails */
  private async embedUpTo(end: number): Promise<boolean> {
    const chunks = await this.unembedded(end);
    if (chunks.length > 0) {
      const vectors = await this.embeddings.ofPassages(chunks.map(({ text }) => text));
      if (!vectors) return false;
      await this.unitOfWork.run(async (manager) => {
        for (const [index, { number }] of chunks.entries()) {
          const vector = vectors[index];
          if (vector) await this.store(manager, number, vector);
        }
      });
    }
    this.done = chunks.length < BATCH ? end : (chunks.at(-1)?.number ?? end);
    return true;
  }

  private async newest(): Promise<number> {
    const [row] = await this.dataSource.query<{ number: number | null }[]>(
      'SELECT max(number) AS number FROM chunks',
    );
    return row?.number ?? 0;
  }

  private unembedded(end: number): Promise<Unembedded[]> {
    const [first, second, third] = this.isPostgres ? ['$1', '$2', '$3'] : ['?', '?', '?'];
    return this.dataSource.query(
      `SELECT c.number, d.title || ' ' || COALESCE(c.heading, '') || ' ' || c.text AS text
       FROM chunks c JOIN documents d ON d.id = c.document_id AND d.state = 'active'
       WHERE c.number > ${first} AND c.number <= ${second} AND NOT EXISTS (
         SELECT 1 FROM chunk_vectors v WHERE v.chunk_number = c.number AND v.model = ${third})
       ORDER BY c.number LIMIT ${BATCH}`,
      [this.done, end, this.embeddings.model],
    );
  }

  /** Nothing where the chunk has gone meanwhile. */
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
