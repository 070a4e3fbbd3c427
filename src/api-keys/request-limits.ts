import { Injectable, Logger } from '@nestjs/common';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { Problem } from '../platform/problems/problem.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import { RateLimiter, rateLimitsIn } from './rate-limiter.js';

/** A knowledge base of a request, with its limits. */
interface LimitingKnowledgeBase {
  readonly kbId: string;
  readonly settings: Pick<Settings, 'rateLimitPerMinute' | 'rateLimitPerEndUser'>;
}

/**
 * Applies the limits that are known only after ApiKeyAdmission has counted a request for its key: the limit
 * of the end user named in the body, and the limits of the knowledge bases besides the main one. A request
 * that is refused here does not use up the key's limit.
 */
@Injectable()
export class RequestLimits {
  private readonly logger = new Logger(RequestLimits.name);

  constructor(private readonly rateLimiter: RateLimiter) {}

  /** @throws Problem `rate_limited` */
  async countEndUser(apiKey: ApiKeyPrincipal, named: string | null): Promise<void> {
    const { rotationRoot, endUserId } = apiKey;
    const { perEndUser } = rateLimitsIn(apiKey.settings, apiKey);
    if (perEndUser === null || named === null || endUserId !== undefined) return;
    await this.refundIfRefused([rotationRoot], () =>
      this.rateLimiter.consumeForEndUser(rotationRoot, named, perEndUser),
    );
  }

  /**
   * Counts a request in each knowledge base besides the main one whose limits are lower. A higher limit
   * cannot be reached, because the main one counts every request.
   *
   * @param endUserId the end user of the request; null for none
   * @throws Problem `rate_limited`
   */
  async countIn(
    apiKey: ApiKeyPrincipal,
    endUserId: string | null,
    asked: readonly LimitingKnowledgeBase[],
  ): Promise<void> {
    const { kbId: main, rotationRoot } = apiKey;
    const limits = rateLimitsIn(apiKey.settings, apiKey);
    const counted = [rotationRoot];
    for (const { kbId, settings } of asked) {
      if (kbId === main) continue;
      const { perMinute, perEndUser } = rateLimitsIn(settings, apiKey);
      const subject = `${rotationRoot} ${kbId}`;
      if (
        endUserId !== null &&
        perEndUser !== null &&
        perEndUser < (limits.perEndUser ?? Infinity)
      ) {
        await this.refundIfRefused(counted, () =>
          this.rateLimiter.consumeForEndUser(subject, endUserId, perEndUser),
        );
      }
      if (perMinute < limits.perMinute) {
        await this.refundIfRefused(counted, () =>
          this.rateLimiter.consumeForKey(subject, perMinute),
        );
        counted.push(subject);
      }
    }
  }

  /** @param counted what takes the request back when it is refused */
  private async refundIfRefused(
    counted: readonly string[],
    count: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await count();
    } catch (error) {
      if (error instanceof Problem && error.code === 'rate_limited') {
        await Promise.all(counted.map((subject) => this.rateLimiter.returnToKey(subject))).catch(
          (failure: unknown) => {
            this.logger.warn(failure);
          },
        );
      }
      throw error;
    }
  }
}
