import { lowerPriorityOfThread } from '@latchkey/extraction/lower-priority';
import { serializeErrors } from '../../../platform/jobs/worker-answer.js';
import { indexTasks } from '../index-tasks.js';
import { IndexWriter } from '../index-writer.js';
import { IndexCorruptError } from './index-corrupt-error.js';
import { dropIndex, engine, hasFile, isActive, transaction, writers } from './index-files.js';
import { readState } from './index-format.js';
import { type Repaired, type RepairRequest, repairSome } from './repair-index.js';
import { getStore } from './sqlite-index-store.js';

lowerPriorityOfThread();

/**
 * Other writes wait up to 0.3 s for a batch of this size. A term in several passages is written once:
 * with 100, indexing a long document took 1.5 times as long.
 */
const BATCH = 500;

/** Writes to an existing index, which may be in a rebuild. */
async function write<T>(kbId: string, work: (index: IndexWriter) => Promise<T>): Promise<T> {
  if (!hasFile(kbId)) throw new IndexCorruptError();
  return writers.use(kbId, (file) =>
    transaction(file, () => {
      if (readState(file) === 'outdated') throw new IndexCorruptError();
      return work(new IndexWriter(getStore(file, kbId), engine !== undefined));
    }),
  );
}

export const { add, remove, move, isInEngine } = indexTasks(write, BATCH, engine);

/**
 * Repairs a part of an index that may be missing, outdated or incomplete after a crash.
 *
 * @returns null for a deleted knowledge base
 */
export const repair = serializeErrors(async (request: RepairRequest): Promise<Repaired | null> => {
  if (!isActive(request.kbId)) return null;
  const repairNext = () =>
    writers.use(request.kbId, (file) => transaction(file, () => repairSome(file, request, engine)));
  return repairNext().catch((error: unknown) => {
    // The damaged file was removed, so that a second try begins with a new one.
    if (error instanceof IndexCorruptError) return repairNext();
    throw error;
  });
});

export const drop = serializeErrors(async ({ kbId }: { kbId: string }): Promise<void> => {
  await engine?.leave(kbId, 'shared');
  dropIndex(kbId);
});
