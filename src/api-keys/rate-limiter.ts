import { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { Problem } from '../http/problem.js';
import { openRateLimitCounter, RateLimitCounter } from './rate-limit-counter.js';

const WINDOW_SECONDS = 60;

/** What is left of a key's requests in the current minute. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts requests per key and minute. Keys that succeed each other share one count. */
export class RateLimiter implements OnApplicationShutdown {
  private constructor(private readonly shared: RateLimitCounter) {}

  static async open(config: Config, dataSource: DataSource): Promise<RateLimiter> {
    return new RateLimiter(await openRateLimitCounter(config, dataSource, WINDOW_SECONDS));
  }

  /** @throws Problem `rate_limited` */
  async consume(subject: string, limit: number): Promise<Quota> {
    const { consumedPoints, msBeforeNext } = await this.count(subject);
    const quota = {
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: Math.ceil(msBeforeNext / 1000),
    };
    if (consumedPoints > limit) {
      throw new Problem('rate_limited', {
        headers: { ...quotaHeaders(quota), 'retry-after': String(quota.resetSeconds) },
      });
    }
    return quota;
  }

  onApplicationShutdown(): void {
    this.shared.close();
  }

  private async count(subject: string) {
    const { counter } = this.shared;
    const counted = await counter.consume(subject);
    // Clocks of several processes differ by less than that.
    if (counted.msBeforeNext <= 2 * WINDOW_SECONDS * 1000) return counted;
    // The clock was put back: the window would last as long as it was put back by.
    await counter.delete(subject);
    return counter.consume(subject);
  }
}

/** As the IETF's draft on RateLimit header fields has them. */
export const quotaHeaders = ({ limit, remaining, resetSeconds }: Quota) => ({
  'ratelimit-policy': `"per-key";q=${limit};w=${WINDOW_SECONDS}`,
  ratelimit: `"per-key";r=${remaining};t=${resetSeconds}`,
});
