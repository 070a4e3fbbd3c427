import type { LoggerService } from '@nestjs/common';

const INTERVAL_MS = 60_000;

/** A warning that may occur many times a second, but is logged at most once a minute. */
export class RareWarning {
  private loggedAt = -Infinity;
  private omitted = 0;

  constructor(private readonly logger: Pick<LoggerService, 'warn'>) {}

  /** @returns whether it was logged; otherwise it is counted in the next logged one */
  log(message: string): boolean {
    const now = performance.now();
    if (now - this.loggedAt < INTERVAL_MS) {
      this.omitted++;
      return false;
    }
    this.logger.warn(this.omitted > 0 ? `${message} (${this.omitted} more left out)` : message);
    this.loggedAt = now;
    this.omitted = 0;
    return true;
  }
}
