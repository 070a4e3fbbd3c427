import { Logger } from '@nestjs/common';
import { RareWarning } from '../telemetry/rare-warning.js';
import { describeFailure, type FailedEndpoint } from './endpoint-failure.js';

/** After a failure the endpoint is not asked for this long, so that questions do not wait for it. */
const PAUSE_MS = 10_000;

/** The failures of an optional endpoint: each begins a pause, and one a minute is logged. */
export class EndpointFailures {
  private readonly warning: RareWarning;
  /** By kind of request; the pause that ends first comes first. */
  private readonly pausedUntil = new Map<string, number>();

  /**
   * @param context of the lines in the log
   * @param consequence what the service does without the endpoint
   */
  constructor(
    context: string,
    private readonly consequence: string,
    private readonly endpoint: FailedEndpoint,
  ) {
    this.warning = new RareWarning(new Logger(context));
  }

  isPaused(kind: string): boolean {
    return performance.now() < (this.pausedUntil.get(kind) ?? -Infinity);
  }

  /** Pauses requests of one kind; those of other kinds go on. */
  pause(kind: string): void {
    const now = performance.now();
    for (const [other, end] of this.pausedUntil) {
      if (end > now) break;
      this.pausedUntil.delete(other);
    }
    this.pausedUntil.delete(kind);
    this.pausedUntil.set(kind, now + PAUSE_MS);
  }

  warn(error: unknown): void {
    this.warning.log(`${this.consequence}: ${describeFailure(error, this.endpoint)}`);
  }
}
