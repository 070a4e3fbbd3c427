import { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { outsideTraces } from '../telemetry/tracing.js';

/**
 * Background work in rounds: at the start of the service, at an interval, and when `start` is called.
 * Rounds never overlap. Errors are logged, and the next round tries again.
 */
export abstract class BackgroundJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** False in operator commands, whose environment may lack what the service has. */
  static isEnabled = true;

  protected readonly logger = new Logger(this.constructor.name);
  /** Aborted at shutdown; the shutdown waits for the running round. */
  protected readonly signal: AbortSignal;
  private readonly stopping = new AbortController();
  private timer?: NodeJS.Timeout;
  private currentRounds?: Promise<void>;
  private startAgain = false;

  protected constructor(private readonly intervalMs: number) {
    this.signal = this.stopping.signal;
  }

  /** Runs one round; returns early when `signal` is aborted. The next start of the service resumes. */
  protected abstract run(): Promise<void>;

  onApplicationBootstrap(): void {
    if (!BackgroundJob.isEnabled) return;
    this.timer = setInterval(() => {
      this.start();
    }, this.intervalMs);
    this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    await this.currentRounds;
  }

  /** Runs a round now, or another one after the running round. */
  start(): void {
    if (!BackgroundJob.isEnabled) return;
    this.startAgain = true;
    // The job's spans must not belong to the trace of the request that calls this.
    this.currentRounds ??= outsideTraces(() => this.runAll()).finally(() => {
      this.currentRounds = undefined;
      // `start` was called between the end of the last round and now.
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
