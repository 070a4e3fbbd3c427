import { setImmediate as nextTurn } from 'node:timers/promises';

/** A step of a search was ended by its deadline, or because nobody waits for its result. */
export class SearchInterruptedError extends Error {
  override name = 'SearchInterruptedError';
}

/** How long a search may use the thread that it runs in before others get their turn. */
const SLICE_MS = 10;

/** Until when one search may go on. */
export class SearchDeadline {
  private readonly endsAt: number;
  private sliceEndsAt: number;

  /** @param isCancelled whether the client has left */
  constructor(
    private readonly timeoutMs: number,
    private readonly isCancelled: () => boolean,
  ) {
    this.endsAt = performance.now() + timeoutMs;
    this.sliceEndsAt = performance.now() + SLICE_MS;
  }

  get remainingMs(): number {
    return Math.max(0, this.endsAt - performance.now());
  }

  get isOver(): boolean {
    return this.remainingMs === 0 || this.isCancelled();
  }

  get isHalfOver(): boolean {
    return this.remainingMs < this.timeoutMs / 2 || this.isCancelled();
  }

  /** @throws SearchInterruptedError when the search must end */
  check(): void {
    if (this.isOver) throw new SearchInterruptedError();
  }

  /** @throws SearchInterruptedError when nobody waits for the result any more */
  checkCancelled(): void {
    if (this.isCancelled()) throw new SearchInterruptedError();
  }

  /** Between the steps of a long computation: lets other work of this thread go first. */
  async yield(): Promise<void> {
    if (performance.now() < this.sliceEndsAt) return;
    await nextTurn();
    this.sliceEndsAt = performance.now() + SLICE_MS;
  }
}
