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
    while (!this.isDone && !this.signal.aborted) this.isDone = await this.reindexBatch();
  }

  /** @returns whether no outdated chunk is left */
  private async reindexBatch(): Promise<boolean> {
    const batch = await this.unitOfWork.run(findOutdated);
    if (!batch) return true;
    const { kbId, numbers, passages } = batch;
    // Between the transactions: it may wait for the thread, with neither a connection nor a lock.
    const analysed = await this.analysers.run(passages);
    await this.unitOfWork.run(async (manager) => {
      await lockIndex(manager, kbId);
      // Others may have been removed, or indexed by another process.
      const rows = await manager.query<{ number: number }[]>(
        `SELECT chunk_number AS number FROM search_chunks
         WHERE chunk_number = ANY ($1) AND format = 0`,
        [numbers],
      );
      const outdated = new Set(rows.map(({ number }) => number));
      await removeChunks(manager, kbId, [...outdated]);
      await addChunks(
        manager,
        kbId,
        analysed.filter(({ number }) => outdated.has(number)),
      );
    });
    return false;
  }
}

/** Some outdated chunks of one knowledge base; undefined when there is none. */
async function findOutdated(
  manager: EntityManager,
): Promise<{ kbId: string; numbers: number[]; passages: PassageText[] } | undefined> {
  const [outdated] = await manager.query<{ kbId: string }[]>(
    `SELECT i.kb_id AS "kbId" FROM search_chunks s
     JOIN search_indexes i ON i.number = s.index_number WHERE s.format = 0 LIMIT 1`,
  );
  if (!outdated) return undefined;
  const { kbId } = outdated;
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
  return { kbId, numbers, passages };
}
