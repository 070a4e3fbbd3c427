import { Problem } from '../platform/problems/problem.js';
import type { FairShare } from './fair-share-lookup.js';

/** A task that takes longer is slow. */
const SLOW_MS = 100;
const RETRY_AFTER_SECONDS = '1';

/** The number of tasks that may wait, and for how long. Further tasks are refused. */
interface WaitingLimits {
  readonly perKnowledgeBase: number;
  readonly perUser: number;
  readonly milliseconds: number;
}

/** The limits for questions, which the service answers while the client waits. */
export const QUESTION_LIMITS: WaitingLimits = {
  perKnowledgeBase: 512,
  perUser: 1024,
  milliseconds: 10_000,
};

/** The limits for slow operations on the dashboard, for which a person waits. */
export const DASHBOARD_LIMITS: WaitingLimits = {
  perKnowledgeBase: 8,
  perUser: 16,
  milliseconds: 10_000,
};

/** The running and waiting tasks of one knowledge base. */
interface KnowledgeBaseTasks {
  running: number;
  /** Functions that start the waiting tasks, in the order of their arrival. */
  readonly waiting: Set<() => void>;
}

/** The tasks of all knowledge bases of one user. */
interface UserTasks {
  running: number;
  waiting: number;
  /** The time until which the user gets a single slot. */
  slowUntil: number;
  /** The first entry is served next. */
  readonly knowledgeBases: Map<string, KnowledgeBaseTasks>;
}

/**
 * Limits how many tasks of this process run at once, and serves users round-robin, and the knowledge bases of each user
 * round-robin. So the work of one user does not delay that of others, however many knowledge bases it has.
 * A user gets all slots but one, which stays free for others, and one knowledge base at most half of them.
 * After a slow task its user gets a single slot for as long as that task took, because several slow tasks at
 * once would leave no core for others.
 */
export class FairLimiter {
  private readonly slotsPerUser: number;
  private readonly slotsPerKnowledgeBase: number;
  private running = 0;
  /** The first entry is served next. */
  private readonly users = new Map<string, UserTasks>();

  /**
   * @param slots how many tasks may run at once
   * @param limits of waiting; without them nothing is refused
   */
  constructor(
    private readonly slots: number,
    private readonly limits?: WaitingLimits,
  ) {
    this.slotsPerUser = Math.max(1, slots - 1);
    this.slotsPerKnowledgeBase = Math.max(1, Math.floor(slots / 2));
  }

  /**
   * @param signal aborted when nobody waits for the result any more; a task that still waits is then
   *   not started
   * @param task called with the milliseconds that it waited
   * @throws Problem `knowledge_base_busy` when the limits of waiting are reached
   */
  async run<T>(
    fairShare: FairShare,
    signal: AbortSignal | undefined,
    task: (waitedMs: number) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const queuedAt = performance.now();
    await this.takeSlot(fairShare, signal);
    const startedAt = performance.now();
    try {
      return await task(startedAt - queuedAt);
    } finally {
      this.release(fairShare, startedAt);
    }
  }

  private takeSlot(fairShare: FairShare, signal: AbortSignal | undefined): Promise<void> {
    const user = this.getUserTasks(fairShare.userId);
    const { waiting } = getKnowledgeBaseTasks(user, fairShare.kbId);
    const { limits } = this;
    if (limits && waiting.size >= limits.perKnowledgeBase) return Promise.reject(busy());
    if (limits && user.waiting >= limits.perUser) {
      this.forgetIdle(fairShare);
      return Promise.reject(
        busy('The knowledge bases of its creator have too many questions waiting.'),
      );
    }
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        waiting.delete(start);
        user.waiting--;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const start = () => {
        stopWaiting();
        resolve();
      };
      const refuse = (reason: Error) => {
        stopWaiting();
        this.forgetIdle(fairShare);
        reject(reason);
      };
      const abort = () => {
        refuse(signal?.reason as Error);
      };
      const timer =
        limits &&
        setTimeout(() => {
          refuse(busy());
        }, limits.milliseconds).unref();
      signal?.addEventListener('abort', abort);
      waiting.add(start);
      user.waiting++;
      this.startNext();
    });
  }

  private release(fairShare: FairShare, startedAt: number): void {
    const now = performance.now();
    const user = this.getUserTasks(fairShare.userId);
    const knowledgeBase = getKnowledgeBaseTasks(user, fairShare.kbId);
    this.running--;
    user.running--;
    knowledgeBase.running--;
    const tookMs = now - startedAt;
    if (tookMs > SLOW_MS) user.slowUntil = Math.max(user.slowUntil, now + tookMs);
    moveToEnd(this.users, fairShare.userId);
    moveToEnd(user.knowledgeBases, fairShare.kbId);
    this.forgetIdle(fairShare);
    this.startNext();
  }

  private startNext(): void {
    for (const [userId, user] of this.users) {
      if (this.running >= this.slots) return;
      if (user.running >= this.countSlots(user)) continue;
      const next = this.findNext(user);
      if (!next) {
        // The user was remembered until now because it was slow.
        if (isIdle(user) && !isSlow(user)) this.users.delete(userId);
        continue;
      }
      const [kbId, knowledgeBase, start] = next;
      this.running++;
      user.running++;
      knowledgeBase.running++;
      start();
      moveToEnd(user.knowledgeBases, kbId);
      // A Map also iterates over entries added in the meantime, so the loop reaches this user again.
      moveToEnd(this.users, userId);
    }
  }

  private findNext(user: UserTasks): [string, KnowledgeBaseTasks, start: () => void] | undefined {
    if (user.waiting === 0) return undefined;
    for (const [kbId, knowledgeBase] of user.knowledgeBases) {
      const [start] = knowledgeBase.waiting;
      if (start && knowledgeBase.running < this.slotsPerKnowledgeBase) {
        return [kbId, knowledgeBase, start];
      }
    }
    return undefined;
  }

  private countSlots(user: UserTasks): number {
    return isSlow(user) ? 1 : this.slotsPerUser;
  }

  private getUserTasks(userId: string): UserTasks {
    return getOrInsert(this.users, userId, () => ({
      running: 0,
      waiting: 0,
      slowUntil: 0,
      knowledgeBases: new Map(),
    }));
  }

  private forgetIdle({ userId, kbId }: FairShare): void {
    const user = this.getUserTasks(userId);
    const { running, waiting } = getKnowledgeBaseTasks(user, kbId);
    if (running === 0 && waiting.size === 0) user.knowledgeBases.delete(kbId);
    if (isIdle(user) && !isSlow(user)) this.users.delete(userId);
  }
}

const getKnowledgeBaseTasks = (user: UserTasks, kbId: string): KnowledgeBaseTasks =>
  getOrInsert(user.knowledgeBases, kbId, () => ({ running: 0, waiting: new Set() }));

const isIdle = ({ running, waiting }: UserTasks): boolean => running === 0 && waiting === 0;
const isSlow = ({ slowUntil }: UserTasks): boolean => performance.now() < slowUntil;

function getOrInsert<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}

function moveToEnd<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}

/** @param detail by default that of the code, which speaks of one knowledge base */
const busy = (detail?: string) =>
  new Problem('knowledge_base_busy', {
    ...(detail !== undefined && { detail }),
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
