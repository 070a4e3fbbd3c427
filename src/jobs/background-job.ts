import { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';

/**
 * Work beside the requests: done once at the start, then at an interval, and whenever `start` is
 * called. Rounds never overlap. An error is logged, and the next round tries again.
 */
export abstract class BackgroundJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  /** Aborted when the application stops, which waits for the round that is running. */
  protected readonly signal: AbortSignal;
  private readonly stopping = new AbortController();
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private startAgain = false;

  protected constructor(private readonly intervalMs: number) {
    this.signal = this.stopping.signal;
  }

  /** One round. It returns early when `signal` is aborted; the next start of the service goes on. */
  protected abstract run(): Promise<void>;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.start();
    }, this.intervalMs);
    this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    await this.running;
  }

  /** Runs a round now, or one more after the round that is running. */
  start(): void {
    this.startAgain = true;
    this.running ??= this.runAll().finally(() => {
      this.running = undefined;
      // Asked for between the end of the last round and this.
      if (this.startAgain && !this.signal.aborted) this.start();
    });
  }

  private async runAll(): Promise<void> {
    while (this.startAgain && !this.signal.aborted) {
      this.startAgain = false;
      await this.run().catch((error: unknown) => {
        this.logger.error(error);
      });
    }
  }
}
