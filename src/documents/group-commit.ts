import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  classifyFailure,
  LockTimeoutError,
  WriteQueueFullError,
} from '../platform/database/database-error.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { FairLimiter } from '../knowledge-bases/fair-limiter.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { FairShareLookup } from '../knowledge-bases/fair-share-lookup.js';
import { Problem } from '../platform/problems/problem.js';

/** Limits of one transaction; other writers wait for its lock. */
const MAX_UPLOADS = 32;
const MAX_BYTES = 1024 * 1024;
const MAX_MS = 100;
/** The maximum number of waiting uploads per knowledge base; further ones are refused with 503. */
const MAX_WAITING = 500;
/**
 * The maximum number of concurrent transactions per process. On PostgreSQL each has a connection, on
 * SQLite they queue.
 */
const CONCURRENCY = 4;

interface Upload {
  readonly bytes: number;
  /** Returns the function that settles the upload's promise; it is called after the commit. */
  readonly work: (manager: EntityManager) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: while a transaction of a knowledge base runs, further uploads to it are queued and
 * share the next transaction. Users take turns. Measured on SQLite with eight parallel uploads of small
 * documents: 72 documents a second at 10 ms of CPU each; with one transaction per document, 41 a second
 * at 14 ms.
 */
@Injectable()
export class GroupCommit {
  private readonly queues = new Map<string, Upload[]>();
  private readonly turns = new FairLimiter(CONCURRENCY);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly fairShares: FairShareLookup,
  ) {}

  /**
   * Runs `work` in a transaction that has locked the knowledge base. A Problem thrown by `work` rolls
   * back its own changes only, not those of other uploads.
   *
   * @param bytes approximate size of what it writes
   */
  run<T>(kbId: string, bytes: number, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const upload: Upload = {
        bytes,
        work: async (manager) => {
          const result = await work(manager);
          return () => {
            resolve(result);
          };
        },
        reject,
      };
      const queue = this.queues.get(kbId);
      if (queue) {
        if (queue.length < MAX_WAITING) queue.push(upload);
        else reject(new WriteQueueFullError());
        return;
      }
      this.queues.set(kbId, [upload]);
      void this.commitAll(kbId);
    });
  }

  private async commitAll(kbId: string): Promise<void> {
    // Uploads that arrive in the same turn of the event loop join the first transaction.
    await setImmediate();
    const queue = this.queues.get(kbId) ?? [];
    while (queue.length > 0) {
      let group: Upload[] = [];
      try {
        await this.turns.run(await this.fairShares.findFairShare(kbId), undefined, async () => {
          group = takeGroup(queue);
          queue.unshift(...(await this.commitGroup(kbId, group)));
        });
      } catch (error) {
        for (const { reject } of [...group, ...queue.splice(0)]) reject(error);
      }
    }
    this.queues.delete(kbId);
  }

  /**
   * @returns the uploads of the group that are still to be committed
   * @throws Error that other uploads would fail with, too
   */
  private async commitGroup(kbId: string, group: readonly Upload[]): Promise<Upload[]> {
    try {
      return group.slice(await this.commit(kbId, group));
    } catch (error) {
      if (concernsAll(error)) throw error;
      if (group.length === 1) group[0]?.reject(error);
      // One upload of the group may have caused the error: run each in its own transaction.
      else for (const one of group) await this.commitGroup(kbId, [one]);
      return [];
    }
  }

  /** @returns how many uploads of the group were committed; after MAX_MS no further one is begun */
  private async commit(kbId: string, group: readonly Upload[]): Promise<number> {
    const [first] = group;
    if (!first) return 0;
    const settlers = await this.unitOfWork.run(async (manager) => {
      await this.lock(manager, kbId);
      if (group.length === 1) return [await first.work(manager)];
      const deadline = performance.now() + MAX_MS;
      const done: (() => void)[] = [];
      for (const upload of group) {
        if (performance.now() > deadline) break;
        done.push(await this.runPart(manager, upload));
      }
      return done;
    });
    for (const settle of settlers) settle();
    return settlers.length;
  }

  private async runPart(manager: EntityManager, { work, reject }: Upload): Promise<() => void> {
    try {
      return await this.unitOfWork.runPart(manager, () => work(manager));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return () => {
        reject(error);
      };
    }
  }

  private async lock(manager: EntityManager, kbId: string): Promise<void> {
    try {
      await this.knowledgeBases.lock(manager, kbId);
    } catch (error) {
      throw classifyFailure(error) === 'cancelled'
        ? new LockTimeoutError('The knowledge base stayed locked', { cause: error })
        : error;
    }
  }
}

/** Whether other uploads to the knowledge base would fail now as well. */
const concernsAll = (error: unknown) =>
  error instanceof LockTimeoutError || classifyFailure(error) === 'away';

/** Removes from the queue the uploads of the next transaction: at least one, within the limits. */
function takeGroup(queue: Upload[]): Upload[] {
  let sum = 0;
  const size = queue.findIndex(({ bytes }, index) => {
    sum += bytes;
    return index === MAX_UPLOADS || (index > 0 && sum > MAX_BYTES);
  });
  return queue.splice(0, size === -1 ? queue.length : size);
}
