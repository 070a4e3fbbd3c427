import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { BackgroundJob } from '../../jobs/background-job.js';
import type { WorkerPool } from '../../jobs/worker-pool.js';
import type { AnalysedPassage, PassageText } from '../analyse-passage.js';
import { addChunks, lockIndex, removeChunks } from './index-writer.js';

const RETRY_MS = 10_000;
/** Chunks in one transaction, so that other writes do not wait long. */
const BATCH = 50;

/**
 * Indexes chunks again that an earlier version of the service indexed, one posting a row and without
 * languages. Until then they are found by these rows.
 */
export class Reindexing extends BackgroundJob {
  private isDone = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly analysers: WorkerPool<PassageText[], AnalysedPassage[]>,
  ) {
    super(RETRY_MS);
  }

  protected override async run(): Promise<void> {
    while (!this.isDone && !this.signal.aborted) {
      this.isDone = await this.unitOfWork.run((manager) => this.reindexBatch(manager));
    }
  }

  /** @returns whether no outdated chunk is left */
  private async reindexBatch(manager: EntityManager): Promise<boolean> {
    const [outdated] = await manager.query<{ kbId: string }[]>(
      `SELECT i.kb_id AS "kbId" FROM search_chunks s
       JOIN search_indexes i ON i.number = s.index_number WHERE s.format = 0 LIMIT 1`,
    );
    if (!outdated) return true;
    const { kbId } = outdated;
    await lockIndex(manager, kbId);
    const chunks = await manager.query<{ number: number }[]>(
      `SELECT chunk_number AS number FROM search_chunks WHERE format = 0 AND index_number =
         (SELECT number FROM search_indexes WHERE kb_id = $1) LIMIT ${BATCH}`,
      [kbId],
    );
    const numbers = chunks.map(({ number }) => number);
    const passages = await manager.query<PassageText[]>(
      `SELECT c.number, d.title, d.language, c.heading, c.text
       FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.number = ANY ($1)`,
      [numbers],
    );
    const analysed = await this.analysers.run(passages);
    await removeChunks(manager, kbId, numbers);
    await addChunks(manager, kbId, analysed);
    return false;
  }
}
