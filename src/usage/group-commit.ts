import { setImmediate } from 'node:timers/promises';

/**
 * Writes for many requests at once: while one group is being written, the next one collects, so
 * that the busier it gets, the less a request costs.
 */
export class GroupCommit<T> {
  private waiting: { item: T; done: () => void }[] = [];
  private running = false;

  /** @param write must not throw */
  constructor(private readonly write: (items: T[]) => Promise<void>) {}

  /** Resolves when `item` has been written. */
  add(item: T): Promise<void> {
    return new Promise((done) => {
      this.waiting.push({ item, done });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    // For what else comes in this turn of the event loop.
    await setImmediate();
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      await this.write(group.map(({ item }) => item));
      for (const { done } of group) done();
    }
    this.running = false;
  }
}
