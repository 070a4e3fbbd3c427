import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../http/problem.js';

const WINDOW_SECONDS = 60;
/** Of a knowledge base that sets none. */
const DEFAULT_LIMIT = 6000;

/** What is left of a key's requests in the current minute. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts requests per key and minute. Keys that succeed each other share one count. */
@Injectable()
export class RateLimiter {
  // The library counts; the limit is compared here, so that changing it does not begin anew.
  private readonly counter = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: WINDOW_SECONDS,
  });

  /** @throws Problem `rate_limited` */
  async consume(subject: string, limit: number | null): Promise<Quota> {
    const { consumedPoints, msBeforeNext } = await this.counter.consume(subject);
    const effective = limit ?? DEFAULT_LIMIT;
    const quota = {
      limit: effective,
      remaining: Math.max(0, effective - consumedPoints),
      resetSeconds: Math.ceil(msBeforeNext / 1000),
    };
    if (consumedPoints > effective) {
      throw new Problem('rate_limited', {
        headers: { ...quotaHeaders(quota), 'retry-after': String(quota.resetSeconds) },
      });
    }
    return quota;
  }
}

/** As the IETF's draft on RateLimit header fields has them. */
export const quotaHeaders = ({ limit, remaining, resetSeconds }: Quota) => ({
  'ratelimit-policy': `"per-key";q=${limit};w=${WINDOW_SECONDS}`,
  ratelimit: `"per-key";r=${remaining};t=${resetSeconds}`,
});
