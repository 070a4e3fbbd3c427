import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '../platform/problems/problem.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import { RateLimiter } from './rate-limiter.js';

/**
 * The limit of an end user whom the body of a request names. It is known only after the request was
 * counted for its key; ApiKeyAdmission counts the end user of a client token.
 */
@Injectable()
export class EndUserLimit {
  private readonly logger = new Logger(EndUserLimit.name);

  constructor(private readonly rateLimiter: RateLimiter) {}

  /** @throws Problem `rate_limited`; the request then uses up nothing of the key's limit */
  async count(apiKey: ApiKeyPrincipal, named: string | null): Promise<void> {
    const { rotationRoot, rateLimitPerEndUser: limit, endUserId } = apiKey;
    if (limit === null || named === null || endUserId !== undefined) return;
    try {
      await this.rateLimiter.forEndUser(rotationRoot, named, limit);
    } catch (error) {
      if (error instanceof Problem && error.code === 'rate_limited') {
        await this.rateLimiter.returnToKey(rotationRoot).catch((failure: unknown) => {
          this.logger.warn(failure);
        });
      }
      throw error;
    }
  }
}
