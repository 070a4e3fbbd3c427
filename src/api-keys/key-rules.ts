import { invalidField } from '../platform/problems/problem.js';
import type { ApiKeyGrant } from './api-key-grant.entity.js';
import type { ApiKey } from './api-key.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The latest expiry of a key created at `from`; null without a limit. */
export const latestExpiry = (from: Date, maxAgeDays: number | null): Date | null =>
  maxAgeDays === null ? null : new Date(from.getTime() + maxAgeDays * DAY_MS);

/** The earlier of two times, where null means never. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}

/**
 * The expiry of a new key: the requested one, or else the latest that is allowed.
 *
 * @throws Problem `validation_failed` when the requested one is later
 */
export function newExpiry(
  requested: Date | null,
  now: Date,
  maxAgeDays: number | null,
): Date | null {
  const latest = latestExpiry(now, maxAgeDays);
  if (requested && latest && requested > latest) throw tooLate(latest);
  return requested ?? latest;
}

/**
 * Checks a change of a key's expiry. If a key is older than the limit, its expiry can still be shortened.
 *
 * @throws Problem `validation_failed`
 */
export function requireExpiryWithin(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  end: Date | null,
  now: Date,
  maxAgeDays: number | null,
): void {
  const latest = latestExpiry(createdAt, maxAgeDays);
  const latestNow = latestExpiry(now, maxAgeDays);
  if (!latest || !latestNow) return;
  const shortens = end !== null && end <= latestNow && (!expiresAt || end <= expiresAt);
  if (!shortens && (end === null || end > latest)) throw tooLate(latest);
}

const tooLate = (latest: Date) =>
  invalidField(
    'expires_at',
    `expires_at must not be later than ${latest.toISOString()}: the age of keys is limited`,
  );

/**
 * A key with a filter may not write documents: it could write what it must not read.
 *
 * @throws Problem `validation_failed`
 */
export function requireCompatibleGrant({
  scopes,
  filter,
}: Pick<ApiKeyGrant, 'scopes' | 'filter'>): void {
  if (filter && scopes.includes('documents:write')) {
    throw invalidField('filter', 'filter and the scope documents:write cannot be combined');
  }
}
