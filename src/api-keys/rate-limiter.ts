import { createHash } from 'node:crypto';
import { OnApplicationShutdown } from '@nestjs/common';
import { toComparableName } from '@latchkey/text/person-name';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { limitedAddress } from '../platform/config/ip-address.js';
import { Problem } from '../platform/problems/problem.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import type { RateLimitStore } from './rate-limit-store.js';

export const WINDOW_SECONDS = 60;

/** How many requests a key, an end user, a dashboard user or an address has left in the current minute. */
export interface Quota {
  readonly policy: 'per-key' | 'per-end-user' | 'per-user' | 'per-address';
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** What a key may ask a minute: its own limits, or else those of the knowledge base. */
export const rateLimitsIn = (
  settings: Pick<Settings, 'rateLimitPerMinute' | 'rateLimitPerEndUser'>,
  key: Pick<ApiKeyPrincipal, 'rateLimitPerMinute' | 'rateLimitPerEndUser'>,
) => ({
  perMinute: key.rateLimitPerMinute ?? settings.rateLimitPerMinute,
  perEndUser: key.rateLimitPerEndUser ?? settings.rateLimitPerEndUser,
});

/**
 * Limits requests per minute: of a key together with its successors, of one of its end users, of a
 * dashboard user, and of an address.
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
  consumeForAddress(operation: string, ip: string, limit: number): Promise<Quota> {
    return this.consume('per-address', addressSubject(operation, ip), limit);
  }

  /**
   * Counts only the work that fails, and does none after as many failures as the limit. What runs at
   * once may exceed it.
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
   * Before `consumeForKey`, so that what is refused here uses up nothing of the key's limit.
   *
   * @throws Problem `rate_limited`
   */
  consumeForEndUser(rotationRoot: string, endUserId: string, limit: number): Promise<Quota> {
    return this.consume('per-end-user', endUserSubject(rotationRoot, endUserId), limit);
  }

  /** How many requests `consumeForKey` would still count in this minute; counts none. */
  remainingForKey(rotationRoot: string, limit: number): Promise<number> {
    return this.countRemaining(rotationRoot, limit);
  }

  /** The same of `consumeForEndUser`. */
  remainingForEndUser(rotationRoot: string, endUserId: string, limit: number): Promise<number> {
    return this.countRemaining(endUserSubject(rotationRoot, endUserId), limit);
  }

  /** Takes back a request that was counted by `consumeForKey`. */
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
    this.store.close();
  }

  private async count(subject: string) {
    const { counter } = this.store;
    const counted = await counter.consume(subject);
    if (counted.msBeforeNext <= 2 * WINDOW_SECONDS * 1000) return counted;
    // The window is so far ahead because the clock was set back (clocks of processes differ by less).
    // It would last until the clock reaches it, so a new window begins.
    await counter.delete(subject);
    return counter.consume(subject);
  }
}

/** An id may be longer than the store's column, and the name of a person. */
const digest = (id: string) => createHash('sha256').update(id).digest('base64url');

const addressSubject = (operation: string, ip: string) => `${operation} ${limitedAddress(ip)}`;

const endUserSubject = (rotationRoot: string, endUserId: string) =>
  `${rotationRoot} ${digest(toComparableName(endUserId))}`;

/** The RateLimit header fields of the IETF's draft, which are lists. */
export const quotaHeaders = (...quotas: readonly Quota[]) => ({
  'ratelimit-policy': quotas
    .map(({ policy, limit }) => `"${policy}";q=${limit};w=${WINDOW_SECONDS}`)
    .join(', '),
  ratelimit: quotas
    .map(({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`)
    .join(', '),
});
