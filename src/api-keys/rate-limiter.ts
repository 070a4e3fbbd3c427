import { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { Problem } from '../problems/problem.js';
import { openRateLimitCounter, RateLimitCounter } from './rate-limit-counter.js';

const WINDOW_SECONDS = 60;

/** What is left of the requests of a key, or an address, in the current minute. */
export interface Quota {
  readonly policy: 'per-key' | 'per-address';
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts requests per minute: of keys, those that succeed each other together, and of addresses. */
export class RateLimiter implements OnApplicationShutdown {
  private constructor(private readonly shared: RateLimitCounter) {}

  static async open(config: Config, dataSource: DataSource): Promise<RateLimiter> {
    return new RateLimiter(await openRateLimitCounter(config, dataSource, WINDOW_SECONDS));
  }

  /**
   * @param rotationRoot the first key of the line of successors
   * @throws Problem `rate_limited`
   */
  forKey(rotationRoot: string, limit: number): Promise<Quota> {
    return this.consume('per-key', rotationRoot, limit);
  }

  /**
   * @param operation what is limited, by a name of its own
   * @throws Problem `rate_limited`
   */
  forAddress(operation: string, ip: string, limit: number): Promise<Quota> {
    return this.consume('per-address', `${operation} ${ip}`, limit);
  }

  private async consume(policy: Quota['policy'], subject: string, limit: number): Promise<Quota> {
    const { consumedPoints, msBeforeNext } = await this.count(subject);
    const quota = {
      policy,
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
export const quotaHeaders = ({ policy, limit, remaining, resetSeconds }: Quota) => ({
  'ratelimit-policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
  ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
});
