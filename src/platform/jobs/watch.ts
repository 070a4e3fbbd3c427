import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

export const LOOK_INTERVAL_MS = 1000;
/** Answers that are checked at the same time: one after another, those of many would take seconds. */
const AT_ONCE = 4;

/**
 * Looks once a second, never twice at once, whether answers that are being written have to end.
 *
 * Not a BackgroundJob, because those stop before the last answers are written.
 */
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

  /** Checks each of many. @throws the first error, once no check is running any more */
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
      // The next second looks again.
      this.logger.warn(error);
    } finally {
      this.looking = false;
    }
  }
}
