import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

export const LOOK_INTERVAL_MS = 1000;
/** The number of concurrent checks: one after another, many would take seconds. */
const AT_ONCE = 4;

/** Checks once a second, without overlap, whether answers being written must be stopped. */
export abstract class Watch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name);
  private timer?: NodeJS.Timeout;
  private looking = false;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.lookOnce(), LOOK_INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  protected abstract hasNone(): boolean;
  protected abstract look(): Promise<void>;

  /** Runs a check for each item. */
  protected async each<T>(all: readonly T[], check: (one: T) => Promise<void>): Promise<void> {
    const rest = all[Symbol.iterator]();
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      for (const one of rest) await check(one);
    });
    for (const lane of await Promise.allSettled(lanes)) {
      if (lane.status === 'rejected') throw lane.reason;
    }
  }

  private async lookOnce(): Promise<void> {
    if (this.looking || this.hasNone()) return;
    this.looking = true;
    try {
      await this.look();
    } catch (error) {
      // The next check is a second later.
      this.logger.warn(error);
    } finally {
      this.looking = false;
    }
  }
}
