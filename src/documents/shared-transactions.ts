import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { together } from '../database/together.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Problem } from '../http/problem.js';
import { KnowledgeBasesService } from '../knowledge-bases/knowledge-bases.service.js';
import { isOutage } from './outage.js';

/** What shares a transaction takes moments: others wait for the lock meanwhile. */
const GROUP = 32;
const GROUP_BYTES = 1024 * 1024;

interface Unit {
  readonly bytes: number;
  /** Gives what tells its outcome, once that is committed. */
  readonly work: (manager: EntityManager) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/**
 * Units of work on one knowledge base that lock it wait for each other. Those that wait share the
 * next transaction, and its wait for the disk: the busier it gets, the less each of them costs.
 */
@Injectable()
export class SharedTransactions {
  private readonly waiting = new Map<string, Unit[]>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly knowledgeBases: KnowledgeBasesService,
  ) {}

  /**
   * Runs `work` after the knowledge base is locked. A Problem that it throws rolls back what it has
   * done, and nothing else.
   *
   * @param bytes about how much it writes
   */
  run<T>(kbId: string, bytes: number, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const unit: Unit = {
        bytes,
        work: async (manager) => {
          const result = await work(manager);
          return () => {
            resolve(result);
          };
        },
        reject,
      };
      const waiting = this.waiting.get(kbId);
      if (waiting) {
        waiting.push(unit);
        return;
      }
      this.waiting.set(kbId, [unit]);
      void this.runAll(kbId);
    });
  }

  private async runAll(kbId: string): Promise<void> {
    // For what else comes in this turn of the event loop.
    await setImmediate();
    const waiting = this.waiting.get(kbId) ?? [];
    while (waiting.length > 0) {
      const group = waiting.splice(0, fitting(waiting));
      try {
        await this.commit(kbId, group);
      } catch (error) {
        // Whoever waits behind an outage has waited long enough.
        const failed = isOutage(error) ? [...group, ...waiting.splice(0)] : group;
        for (const { reject } of failed) reject(error);
      }
    }
    this.waiting.delete(kbId);
  }

  private async commit(kbId: string, group: readonly Unit[]): Promise<void> {
    try {
      const outcomes = await this.unitOfWork.run(async (manager) => {
        await this.knowledgeBases.lock(manager, kbId);
        const [first] = group;
        if (first && group.length === 1) return [await first.work(manager)];
        const told: (() => void)[] = [];
        for (const unit of group) told.push(await attempt(manager, unit));
        return told;
      });
      for (const tell of outcomes) tell();
    } catch (error) {
      if (group.length === 1 || isOutage(error)) throw error;
      // It may be the fault of one of them.
      for (const unit of group) await this.commit(kbId, [unit]).catch(unit.reject);
    }
  }
}

async function attempt(manager: EntityManager, { work, reject }: Unit): Promise<() => void> {
  try {
    // Never released: the commit does that.
    const [, tell] = await together(manager.query('SAVEPOINT unit'), work(manager));
    return tell;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await manager.query('ROLLBACK TO SAVEPOINT unit');
    return () => {
      reject(error);
    };
  }
}

/** How many of the next ones share a transaction, one at least. */
function fitting(units: readonly Unit[]): number {
  let bytes = 0;
  let count = 0;
  for (const unit of units) {
    bytes += unit.bytes;
    if (count === GROUP || (count > 0 && bytes > GROUP_BYTES)) break;
    count++;
  }
  return count;
}
