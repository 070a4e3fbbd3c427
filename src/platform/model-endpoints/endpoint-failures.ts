import { Logger } from '@nestjs/common';
import { RareWarning } from '../telemetry/rare-warning.js';
import { describeFailure, type FailedEndpoint } from './endpoint-failure.js';

/** After a failure the endpoint is not called for this long, so that questions do not wait for it. */
const PAUSE_MS = 10_000;

/** Tracks failures of an optional endpoint: each starts a pause, and at most one a minute is logged. */
export class EndpointFailures {
  private readonly warning: RareWarning;
  /** The end of the pause by kind of request, earliest first. */
  private readonly pausedUntil = new Map<string, number>();

  /**
   * @param context the context of the log lines
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

  /** Pauses requests of one kind; other kinds continue. */
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
