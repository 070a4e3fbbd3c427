import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { causeOf, isDatabaseAway } from '../database/database-error.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Problem } from '../problems/problem.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';

/** What shares a transaction takes moments: others wait for the lock meanwhile. */
const GROUP = 32;
const GROUP_BYTES = 1024 * 1024;
const GROUP_MS = 100;
/** Whoever has waited so long is told to come again. */
const MAX_WAIT_MS = 5000;

const MEMBERS = { role: 'member', lock: 'knowledge base' } as const;

interface Unit {
  readonly bytes: number;
  readonly since: number;
  /** After a group has failed it shares with none. */
  readonly alone: boolean;
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
    private readonly knowledgeBases: KnowledgeBaseAccess,
  ) {}

  /**
   * Runs `work` after the knowledge base is locked and the user found to be a member: see
   * KnowledgeBaseAccess.change. A Problem that it throws rolls back what it has done, and nothing
   * else.
   *
   * @param bytes about how much it writes
   */
  run<T>(
    user: DashboardUser,
    kbId: string,
    bytes: number,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const unit: Unit = {
        bytes,
        since: performance.now(),
        alone: false,
        work: async (manager) => {
          await this.knowledgeBases.authorize(manager, user, kbId, MEMBERS);
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
      const group = waiting.splice(0, fitting(waiting)).filter(isInTime);
      try {
        const done = await this.commit(kbId, group);
        waiting.unshift(...group.slice(done));
      } catch (error) {
        if (isDatabaseAway(causeOf(error))) {
          // Whoever waits behind them would wait in vain.
          for (const { reject } of [...group, ...waiting.splice(0)]) reject(error);
        } else if (group.length === 1) {
          group[0]?.reject(error);
        } else {
          // It may be the fault of one of them.
          waiting.unshift(...group.map((unit) => ({ ...unit, alone: true })));
        }
      }
    }
    this.waiting.delete(kbId);
  }

  /** @returns how many of the group it was, since others wait for the lock */
  private async commit(kbId: string, group: readonly Unit[]): Promise<number> {
    const [first] = group;
    if (!first) return 0;
    const outcomes = await this.unitOfWork.run(async (manager) => {
      await this.knowledgeBases.lock(manager, kbId);
      if (group.length === 1) return [await first.work(manager)];
      const until = performance.now() + GROUP_MS;
      const told: (() => void)[] = [];
      for (const unit of group) {
        if (performance.now() > until) break;
        told.push(await attempt(manager, unit));
      }
      return told;
    });
    for (const tell of outcomes) tell();
    return outcomes.length;
  }
}

function isInTime({ since, reject }: Unit): boolean {
  const isLate = performance.now() - since > MAX_WAIT_MS;
  if (isLate) reject(new Problem('database_unavailable'));
  return !isLate;
}

async function attempt(manager: EntityManager, { work, reject }: Unit): Promise<() => void> {
  try {
    // Never released: the commit does that.
    await manager.query('SAVEPOINT unit');
    return await work(manager);
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
    if (count === GROUP || (count > 0 && (unit.alone || bytes > GROUP_BYTES))) break;
    count++;
    if (unit.alone) break;
  }
  return count;
}
