import type Database from 'better-sqlite3';
import { lowerPriorityOfThread } from '@latchkey/extraction/lower-priority';
import { serializeErrors } from '../../../platform/jobs/worker-answer.js';
import {
  addSome,
  type AddRequest,
  removePassages,
  type Repaired,
  repairSome,
  type RepairRequest,
} from './index-content.js';
import { IndexCorruptError } from './index-corrupt-error.js';
import { dropIndex, hasFile, isActive, transaction, writers } from './index-files.js';
import { readState } from './index-format.js';

lowerPriorityOfThread();

/** Writes to an existing index, which may still be in a rebuild. */
async function write<T>(kbId: string, work: (index: Database.Database) => T): Promise<T> {
  if (!hasFile(kbId)) throw new IndexCorruptError();
  return writers.use(kbId, (index) =>
    transaction(index, () => {
      if (readState(index) === 'outdated') throw new IndexCorruptError();
      return work(index);
    }),
  );
}

/** @returns the rest of the request; undefined when everything is added */
export const add = serializeErrors((request: AddRequest) =>
  write(request.kbId, (index) => addSome(index, request)),
);

export const remove = serializeErrors((request: { kbId: string; chunkNumbers: number[] }) =>
  write(request.kbId, (index) => {
    removePassages(index, request.chunkNumbers);
  }),
);

/**
 * Repairs a part of an index, which may be missing, outdated, or left incomplete by a crash.
 *
 * @returns null for a deleted knowledge base
 */
export const repair = serializeErrors(async (request: RepairRequest): Promise<Repaired | null> => {
  if (!isActive(request.kbId)) return null;
  const repairNext = () =>
    writers.use(request.kbId, (index) => transaction(index, () => repairSome(index, request)));
  return repairNext().catch((error: unknown) => {
    // The damaged file was removed, so that a second try begins with a new one.
    if (error instanceof IndexCorruptError) return repairNext();
    throw error;
  });
});

export const drop = serializeErrors(({ kbId }: { kbId: string }): void => {
  dropIndex(kbId);
});
