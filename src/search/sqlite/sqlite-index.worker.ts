import type Database from 'better-sqlite3';
import {
  addSome,
  type AddRequest,
  remove as removeChunks,
  repairSome,
  type RepairRequest,
} from './index-content.js';
import { FORMAT } from './format.js';
import { dropIndex, formatOf, hasFile, isActive, transaction, writers } from './index-files.js';
import { IndexCorruptError } from './index-corrupt-error.js';
import { serializeErrors } from './serialize-errors.js';

/** Uses an index there is; one that is still being made anew is as good as any. */
const write = <T>(kbId: string, work: (connection: Database.Database) => T): Promise<T> =>
  writers.use(kbId, (connection) =>
    transaction(connection, () => {
      if (Math.abs(Number(formatOf(connection))) !== FORMAT) throw new IndexCorruptError();
      return work(connection);
    }),
  );

const requireFile = (kbId: string) => {
  if (!hasFile(kbId)) throw new IndexCorruptError();
};

/** @returns what is left to do */
export const add = serializeErrors((request: AddRequest): Promise<AddRequest | undefined> => {
  requireFile(request.kbId);
  return write(request.kbId, (connection) => addSome(connection, request));
});

export const remove = serializeErrors(
  (request: { kbId: string; chunkNumbers: number[] }): Promise<void> => {
    requireFile(request.kbId);
    return write(request.kbId, (connection) => {
      removeChunks(connection, request.chunkNumbers);
    });
  },
);

/**
 * Makes a part of an index equal to the chunks there are: it may be new, old, lost, or left by a
 * crash.
 *
 * @returns where to go on: undefined when all is done, null for a knowledge base that is deleted
 */
export const repair = serializeErrors(
  async (request: RepairRequest): Promise<number | undefined | null> => {
    if (!isActive(request.kbId)) return null;
    const repairNext = () =>
      writers.use(request.kbId, (connection) =>
        transaction(connection, () => repairSome(connection, request)),
      );
    return repairNext().catch((error: unknown) => {
      // It was damaged and is removed by now.
      if (error instanceof IndexCorruptError) return repairNext();
      throw error;
    });
  },
);

export const drop = serializeErrors(({ kbId }: { kbId: string }): void => {
  dropIndex(kbId);
});
