import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** A step of a search was interrupted by the deadline, or because the client has disconnected. */
export class SearchInterruptedError extends Error {
  override name = 'SearchInterruptedError';
}

/**
 * The longest time that a computation blocks its thread. Another question on PostgreSQL may wait this long for
 * each of its ten statements.
 */
const SLICE_MS = 1;
/**
 * A search that has taken longer pauses between its slices, if its thread also serves requests:
 * beside twelve heavy questions, the 99th percentile of another user's fell from about 50 to 42 ms.
 */
const SLOW_MS = 50;
const PAUSE_MS = 1;
/** How many values `map` maps between two checks of the clock. */
const VALUES_PER_CHECK = 16;

/** The time limit of one search, and whether it was cancelled. */
export class SearchDeadline {
  private readonly endsAt: number;
  private readonly slowFrom: number;
  private sliceEndsAt: number;
  /** Whether a step ended early, with what it had found. */
  wasCutShort = false;

  /**
   * @param isCancelled whether the client has disconnected
   * @param options.servesRequests whether the thread of the search also serves requests
   */
  constructor(
    timeoutMs: number,
    private readonly isCancelled: () => boolean,
    { servesRequests = false } = {},
  ) {
    this.endsAt = performance.now() + timeoutMs;
    this.slowFrom = performance.now() + (servesRequests ? SLOW_MS : Infinity);
    this.sliceEndsAt = performance.now() + SLICE_MS;
  }

  get remainingMs(): number {
    return Math.max(0, this.endsAt - performance.now());
  }

  get isOver(): boolean {
    return this.remainingMs === 0 || this.isCancelled();
  }

  /** @throws SearchInterruptedError when the search must end */
  check(): void {
    if (this.isOver) throw new SearchInterruptedError();
  }

  /** @throws SearchInterruptedError when the client has disconnected */
  checkCancelled(): void {
    if (this.isCancelled()) throw new SearchInterruptedError();
  }

  /** Like `Array.map`, but lets other work run every SLICE_MS, so as not to block the thread. */
  async map<Value, Mapped>(
    values: readonly Value[],
    mapOne: (value: Value, index: number) => Mapped,
  ): Promise<Mapped[]> {
    const mapped: Mapped[] = [];
    for (const [index, value] of values.entries()) {
      if (index % VALUES_PER_CHECK === 0) await this.yield();
      mapped.push(mapOne(value, index));
    }
    return mapped;
  }

  /** Await it between the steps of a long computation, so that other work runs every SLICE_MS. */
  async yield(): Promise<void> {
    if (performance.now() < this.sliceEndsAt) return;
    if (performance.now() < this.slowFrom || this.isOver) await nextTurn();
    else await pause(PAUSE_MS);
    this.sliceEndsAt = performance.now() + SLICE_MS;
  }
}
