import { Injectable, Logger } from '@nestjs/common';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { Problem } from '../platform/problems/problem.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import { RateLimiter, rateLimitsIn } from './rate-limiter.js';

/** A knowledge base that a request is about, with its settings. */
interface LimitingKnowledgeBase {
  readonly kbId: string;
  readonly settings: Pick<Settings, 'rateLimitPerMinute' | 'rateLimitPerEndUser'>;
}

/**
 * The limits that are known only after ApiKeyAdmission has counted a request for its key: that of an end
 * user whom its body names, and those of the knowledge bases beside the main one. A request that is refused
 * here uses up nothing of the key's limit.
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
   * Counts a request in each knowledge base beside the main one whose limits are lower. A higher one cannot
   * be reached, because the main one counts every request.
   *
   * @param endUserId in whose name it is made; null for nobody's
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
