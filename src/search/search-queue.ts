import { Problem } from '../problems/problem.js';
import { describeSpan } from '../telemetry/tracing.js';

/** Searches of one knowledge base that may wait for a slot. */
const MAX_WAITING = 512;
/** A search that waits longer is refused. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '1';
/** A search that takes longer is slow. */
const SLOW_MS = 100;

/** The running and waiting searches of one knowledge base. */
interface Queue {
  running: number;
  /** Whether the search that ended last was slow. */
  isSlow: boolean;
  /** Functions that start the waiting searches, in the order of their arrival. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many searches run at once, and serves knowledge bases round-robin. One knowledge base
 * gets at most half of the slots, and only one while its searches are slow, so that they do not
 * delay the others.
 */
export class SearchQueue {
  private readonly slotsPerKnowledgeBase: number;
  private running = 0;
  /** By knowledge base; the first one is served next. */
  private readonly queues = new Map<string, Queue>();

  /** @param slots how many searches may run at once */
  constructor(private readonly slots: number) {
    this.slotsPerKnowledgeBase = Math.max(1, Math.floor(slots / 2));
  }

  /**
   * @param signal aborted when the client disconnects; a search that still waits is then not started
   * @throws Problem `knowledge_base_busy` when MAX_WAITING searches of the knowledge base wait, or
   *   this one has waited MAX_WAIT_MS
   */
  async run<T>(
    kbId: string,
    signal: AbortSignal | undefined,
    search: () => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const queuedAt = performance.now();
    await this.takeSlot(kbId, signal);
    const startedAt = performance.now();
    describeSpan({ 'latchkey.search.wait_ms': Math.round(startedAt - queuedAt) });
    try {
      return await search();
    } finally {
      this.running--;
      const queue = this.queueOf(kbId);
      queue.running--;
      queue.isSlow = performance.now() - startedAt > SLOW_MS;
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
      if (!start || queue.running >= this.slotsOf(queue)) continue;
      start();
      // A Map iterates over entries added meanwhile, so the loop reaches this queue again.
      this.moveToEnd(kbId, queue);
    }
  }

  private slotsOf({ isSlow }: Queue): number {
    return isSlow ? 1 : this.slotsPerKnowledgeBase;
  }

  private queueOf(kbId: string): Queue {
    const queue = this.queues.get(kbId) ?? { running: 0, isSlow: false, waiting: new Set() };
    this.queues.set(kbId, queue);
    return queue;
  }

  /** Lets the other knowledge bases go first. */
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
