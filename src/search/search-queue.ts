import { Problem } from '../problems/problem.js';

/** Questions of one knowledge base that may wait for their turn. */
const MAX_WAITING = 512;
/** How long a question waits for its turn before it is refused. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '1';

/** The questions of one knowledge base. */
interface Line {
  running: number;
  /** What lets each of them begin, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

/**
 * Runs a bounded number of searches at once; knowledge bases take turns. One knowledge base gets at
 * most half of the slots, so that its heavy questions leave a slot for the next knowledge base.
 */
export class SearchQueue {
  private readonly share: number;
  private running = 0;
  /** By knowledge base; the one whose turn is next comes first. */
  private readonly lines = new Map<string, Line>();

  /** @param slots searches that run at once */
  constructor(private readonly slots: number) {
    this.share = Math.max(1, Math.floor(slots / 2));
  }

  /**
   * @param signal aborted when the client leaves: a search that still waits is given up
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
      const line = this.lineOf(kbId);
      line.running--;
      this.moveToEnd(kbId, line);
      this.startNext();
    }
  }

  private takeSlot(kbId: string, signal: AbortSignal | undefined): Promise<void> {
    const line = this.lineOf(kbId);
    if (line.waiting.size >= MAX_WAITING) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const leaveLine = () => {
        line.waiting.delete(start);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const start = () => {
        leaveLine();
        line.running++;
        this.running++;
        resolve();
      };
      const refuse = (reason: Error) => {
        leaveLine();
        this.forgetIfIdle(kbId, line);
        reject(reason);
      };
      const abort = () => {
        refuse(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        refuse(busy());
      }, MAX_WAIT_MS).unref();
      signal?.addEventListener('abort', abort);
      line.waiting.add(start);
      this.startNext();
    });
  }

  private startNext(): void {
    for (const [kbId, line] of this.lines) {
      if (this.running >= this.slots) return;
      const [start] = line.waiting;
      if (!start || line.running >= this.share) continue;
      start();
      // The iteration comes to it again there, in case that it may start another one.
      this.moveToEnd(kbId, line);
    }
  }

  private lineOf(kbId: string): Line {
    const line = this.lines.get(kbId) ?? { running: 0, waiting: new Set() };
    this.lines.set(kbId, line);
    return line;
  }

  /** Others come first at the next turn. */
  private moveToEnd(kbId: string, line: Line): void {
    this.lines.delete(kbId);
    this.lines.set(kbId, line);
    this.forgetIfIdle(kbId, line);
  }

  private forgetIfIdle(kbId: string, { running, waiting }: Line): void {
    if (running === 0 && waiting.size === 0) this.lines.delete(kbId);
  }
}

const busy = () =>
  new Problem('knowledge_base_busy', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
