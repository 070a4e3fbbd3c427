import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../platform/problems/problem.js';

/**
 * Limits requests by subject, in the memory of this process, where counting them in the database would be a write
 * for each.
 */
export class MemoryLimit {
  private readonly limiter: RateLimiterMemory;

  constructor(perMinute: number) {
    this.limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  }

  /** @throws Problem `rate_limited` */
  async consume(subject: string): Promise<void> {
    try {
      await this.limiter.consume(subject);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.ceil(refusal.msBeforeNext / 1000);
      throw new Problem('rate_limited', { headers: { 'retry-after': String(seconds) } });
    }
  }
}
