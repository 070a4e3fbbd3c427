import { Problem } from '../problems/problem.js';

/** Questions of one knowledge base that may wait for a slot. */
const MAX_WAITING = 512;
/** A question that waits longer is refused. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '1';

/** The searches of one knowledge base. */
interface Queue {
  running: number;
  /** Starts of waiting searches, first come first. */
  readonly waiting: Set<() => void>;
}

/**
 * Runs a bounded number of searches at once, in turn for each knowledge base. One knowledge base
 * gets at most half of the slots, so that its heavy questions leave slots for others.
 */
export class SearchQueue {
  private readonly slotsPerKnowledgeBase: number;
  private running = 0;
  /** By knowledge base, in the order of their turns. */
  private readonly queues = new Map<string, Queue>();

  /** @param slots searches that run at once */
  constructor(private readonly slots: number) {
    this.slotsPerKnowledgeBase = Math.max(1, Math.floor(slots / 2));
  }

  /**
   * @param signal aborted when the client leaves; a search that still waits is not started then
   * @throws Problem `knowledge_base_busy` when too many questions of the knowledge base wait, or
   *   this one waited too long
   */
  async run<T>(
    kbId: string,
    signal: AbortSignal | undefined,
    search: () => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    await this.takeSlot(kbId, signal);
    try {
      return await search();
    } finally {
      this.running--;
      const queue = this.queueOf(kbId);
      queue.running--;
      this.moveToEnd(kbId, queue);
      this.startNext();
    }
  }

  private takeSlot(kbId: string, signal: AbortSignal | undefined): Promise<void> {
    const queue = this.queueOf(kbId);
    if (queue.waiting.size >= MAX_WAITING) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        queue.waiting.delete(start);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const start = () => {
        stopWaiting();
        queue.running++;
        this.running++;
        resolve();
      };
      const refuse = (reason: Error) => {
        stopWaiting();
        this.removeIfEmpty(kbId, queue);
        reject(reason);
      };
      const abort = () => {
        refuse(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        refuse(busy());
      }, MAX_WAIT_MS).unref();
      signal?.addEventListener('abort', abort);
      queue.waiting.add(start);
      this.startNext();
    });
  }

  private startNext(): void {
    for (const [kbId, queue] of this.queues) {
      if (this.running >= this.slots) return;
      const [start] = queue.waiting;
      if (!start || queue.running >= this.slotsPerKnowledgeBase) continue;
      start();
      // The iteration reaches it again at the end, where it may start another search.
      this.moveToEnd(kbId, queue);
    }
  }

  private queueOf(kbId: string): Queue {
    const queue = this.queues.get(kbId) ?? { running: 0, waiting: new Set() };
    this.queues.set(kbId, queue);
    return queue;
  }

  /** Gives the next turn to the other knowledge bases. */
  private moveToEnd(kbId: string, queue: Queue): void {
    this.queues.delete(kbId);
    this.queues.set(kbId, queue);
    this.removeIfEmpty(kbId, queue);
  }

  private removeIfEmpty(kbId: string, { running, waiting }: Queue): void {
    if (running === 0 && waiting.size === 0) this.queues.delete(kbId);
  }
}

const busy = () =>
  new Problem('knowledge_base_busy', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
