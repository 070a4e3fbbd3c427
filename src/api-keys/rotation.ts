import type { ApiKey } from './api-key.entity.js';

/** The latest time that both engines can store. */
const LATEST_EXPIRY = Date.parse('9999-12-31T23:59:59.999Z');

/** The expiry of a key's successor, which gets the same life span. */
export function successorExpiry(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  now: Date,
): Date | null {
  if (!expiresAt) return null;
  const lifeSpanMs = expiresAt.getTime() - createdAt.getTime();
  return new Date(Math.min(now.getTime() + lifeSpanMs, LATEST_EXPIRY));
}

/** The expiry of a rotated key: the end of the grace period, or its own expiry if that is earlier. */
export function rotatedExpiry(
  { expiresAt }: Pick<ApiKey, 'expiresAt'>,
  now: Date,
  graceSeconds: number,
): Date {
  const graceEnd = new Date(now.getTime() + graceSeconds * 1000);
  return expiresAt && expiresAt < graceEnd ? expiresAt : graceEnd;
}
