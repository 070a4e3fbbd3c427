import type { ApiKey } from './api-key.entity.js';

/** The latest time that both engines can store. */
const LATEST_EXPIRY = Date.parse('9999-12-31T23:59:59.999Z');

/** When the successor of a key expires: it gets the same life span. */
export function successorExpiry(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  now: Date,
): Date | null {
  if (!expiresAt) return null;
  const lifeSpanMs = expiresAt.getTime() - createdAt.getTime();
  return new Date(Math.min(now.getTime() + lifeSpanMs, LATEST_EXPIRY));
}

/** When a rotated key expires: at the end of the grace period, or earlier by its own expiry. */
export function rotatedExpiry(
  { expiresAt }: Pick<ApiKey, 'expiresAt'>,
  now: Date,
  graceSeconds: number,
): Date {
  const graceEnd = new Date(now.getTime() + graceSeconds * 1000);
  return expiresAt && expiresAt < graceEnd ? expiresAt : graceEnd;
}
