import { createHash } from 'node:crypto';
import { OnApplicationShutdown } from '@nestjs/common';
import { toComparableName } from '@latchkey/text/person-name';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { limitedAddress } from '../platform/config/ip-address.js';
import { Problem } from '../platform/problems/problem.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import type { RateLimitStore } from './rate-limit-store.js';

export const WINDOW_SECONDS = 60;

/** The remaining requests of a key, an end user, a dashboard user or an address in the current window. */
export interface Quota {
  readonly policy: 'per-key' | 'per-end-user' | 'per-user' | 'per-address';
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly windowSeconds: number;
}

/** The requests per minute that a key may make: its own limits, or else the knowledge base's. */
export const rateLimitsIn = (
  settings: Pick<Settings, 'rateLimitPerMinute' | 'rateLimitPerEndUser'>,
  key: Pick<ApiKeyPrincipal, 'rateLimitPerMinute' | 'rateLimitPerEndUser'>,
) => ({
  perMinute: key.rateLimitPerMinute ?? settings.rateLimitPerMinute,
  perEndUser: key.rateLimitPerEndUser ?? settings.rateLimitPerEndUser,
});

/**
 * Limits requests per minute: of a rotation line of keys, of one of its end users, of a dashboard user, and
 * of an address.
 */
export class RateLimiter implements OnApplicationShutdown {
  constructor(private readonly store: RateLimitStore) {}

  /**
   * @param rotationRoot the first key of the line of successors
   * @throws Problem `rate_limited`
   */
  consumeForKey(rotationRoot: string, limit: number): Promise<Quota> {
    return this.consume('per-key', rotationRoot, limit);
  }

  /**
   * @param operation a name for what is limited
   * @throws Problem `rate_limited`
   */
  consumeForAddress(
    operation: string,
    ip: string,
    limit: number,
    windowSeconds = WINDOW_SECONDS,
  ): Promise<Quota> {
    return this.consume('per-address', addressSubject(operation, ip), limit, windowSeconds);
  }

  /**
   * Counts only failures, and refuses work once there were as many as the limit. Parallel calls may exceed
   * it.
   *
   * @param operation a name for what is limited
   * @throws Problem `rate_limited`, and whatever `work` throws
   */
  async limitFailures<T>(
    operation: string,
    ip: string,
    limit: number,
    work: () => Promise<T>,
  ): Promise<T> {
    const subject = addressSubject(operation, ip);
    if ((await this.countRemaining(subject, limit)) === 0)
      await this.consume('per-address', subject, limit);
    try {
      return await work();
    } catch (error) {
      await this.count(subject);
      throw error;
    }
  }

  /**
   * Call it before `consumeForKey`, so that a request that is refused here does not use up the key's limit.
   *
   * @throws Problem `rate_limited`
   */
  consumeForEndUser(rotationRoot: string, endUserId: string, limit: number): Promise<Quota> {
    return this.consume('per-end-user', endUserSubject(rotationRoot, endUserId), limit);
  }

  /** How many more requests `consumeForKey` would admit in this minute. It counts nothing. */
  remainingForKey(rotationRoot: string, limit: number): Promise<number> {
    return this.countRemaining(rotationRoot, limit);
  }

  /** How many more requests `consumeForEndUser` would admit in this minute. It counts nothing. */
  remainingForEndUser(rotationRoot: string, endUserId: string, limit: number): Promise<number> {
    return this.countRemaining(endUserSubject(rotationRoot, endUserId), limit);
  }

  /** Takes back a request that `consumeForKey` counted. */
  async returnToKey(rotationRoot: string): Promise<void> {
    await this.store.counter.reward(rotationRoot);
  }

  /**
   * @param operation a name for what is limited
   * @throws Problem `rate_limited`
   */
  consumeForUser(operation: string, userId: string, limit: number): Promise<Quota> {
    return this.consume('per-user', `${operation} ${digest(userId)}`, limit);
  }

  private async countRemaining(subject: string, limit: number): Promise<number> {
    const counted = await this.store.counter.get(subject);
    return Math.max(0, limit - (counted?.consumedPoints ?? 0));
  }

  private async consume(
    policy: Quota['policy'],
    subject: string,
    limit: number,
    windowSeconds = WINDOW_SECONDS,
  ): Promise<Quota> {
    const { consumedPoints, msBeforeNext } = await this.count(subject, windowSeconds);
    const quota = {
      policy,
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: Math.ceil(msBeforeNext / 1000),
      windowSeconds,
    };
    if (consumedPoints > limit) {
      throw new Problem('rate_limited', {
        headers: { ...quotaHeaders(quota), 'retry-after': String(quota.resetSeconds) },
      });
    }
    return quota;
  }

  onApplicationShutdown(): void {
    this.store.close();
  }

  private async count(subject: string, windowSeconds = WINDOW_SECONDS) {
    const { counter } = this.store;
    const consume = () => counter.consume(subject, 1, { customDuration: windowSeconds });
    const counted = await consume();
    if (counted.msBeforeNext <= 2 * windowSeconds * 1000) return counted;
    // The window ends this far ahead only if the clock was set back (the clocks of processes differ by
    // less). It would last until the clock reaches it, so a new window begins.
    await counter.delete(subject);
    return consume();
  }
}

/** Ids are hashed because they can be longer than the store's column, and can be names of persons. */
const digest = (id: string) => createHash('sha256').update(id).digest('base64url');

const addressSubject = (operation: string, ip: string) => `${operation} ${limitedAddress(ip)}`;

const endUserSubject = (rotationRoot: string, endUserId: string) =>
  `${rotationRoot} ${digest(toComparableName(endUserId))}`;

/** The RateLimit header fields of the IETF draft, which are lists. */
export const quotaHeaders = (...quotas: readonly Quota[]) => ({
  'ratelimit-policy': quotas
    .map(({ policy, limit, windowSeconds }) => `"${policy}";q=${limit};w=${windowSeconds}`)
    .join(', '),
  ratelimit: quotas
    .map(({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`)
    .join(', '),
});
