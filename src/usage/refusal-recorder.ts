import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Increment, increment } from './counters.js';
import { QUARTER_MS, quarterOf } from './quarters.js';
import { ofExisting, type UsedKey } from './used-key.js';

const FLUSH_INTERVAL_MS = 2000;

/** By the status of the answer to a request whose key is a real one. */
export const isRefusal = (status: number): boolean => [401, 403, 429].includes(status);

/**
 * Counts requests that were refused although the key was a real one: used up, deactivated, expired,
 * from elsewhere. Collected in memory, since who is refused could ask as often as the line allows.
 */
@Injectable()
export class RefusalRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RefusalRecorder.name);
  private pending = new Map<string, Increment & { counts: { refused: number } }>();
  private flushing: Promise<void> = Promise.resolve();
  private timer?: NodeJS.Timeout;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  record({ id, kbId, environment }: UsedKey): void {
    this.add({ id, kbId, environment }, quarterOf(new Date()), 1);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private add(key: UsedKey, quarter: number, refused: number): void {
    const name = `${key.id} ${quarter}`;
    const counted = this.pending.get(name);
    if (counted) counted.counts.refused += refused;
    else this.pending.set(name, { key, at: new Date(quarter * QUARTER_MS), counts: { refused } });
  }

  private flush(): Promise<void> {
    this.flushing = this.flushing.then(() => this.writeDown());
    return this.flushing;
  }

  private async writeDown(): Promise<void> {
    if (this.pending.size === 0) return;
    const collected = [...this.pending.values()];
    this.pending = new Map();
    try {
      await this.unitOfWork.run(async (manager) => {
        await increment(manager, await ofExisting(manager, collected));
      });
    } catch (error) {
      this.logger.error(error);
      for (const { key, at, counts } of collected) this.add(key, quarterOf(at), counts.refused);
    }
  }
}
