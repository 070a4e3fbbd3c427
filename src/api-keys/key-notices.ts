import type { ApiKey } from './api-key.entity.js';
import { type KeyPolicy, policyViolations, type PolicyViolation } from './key-policy.js';

const SOON_MS = 7 * 24 * 60 * 60 * 1000;

export const NOTICE_CODES = ['expires_soon', 'replaced', 'policy_not_met'] as const;

/** Something that the holder of a key should act on. */
export interface KeyNotice {
  readonly code: (typeof NOTICE_CODES)[number];
  readonly message: string;
  /** When the key expires; null if it does not. */
  readonly at: Date | null;
}

/** @param now by the database's clock */
export const findNotices = (key: ApiKey, now: Date, policy: KeyPolicy): KeyNotice[] => [
  ...findEndNotices(key, now),
  ...policyViolations(key, policy).map((violation) => ({
    code: 'policy_not_met' as const,
    message: WORDS[violation],
    at: null,
  })),
];

const WORDS: Readonly<Record<PolicyViolation, string>> = {
  max_age_exceeded:
    'The key expires later than the service now allows. Have its expiry moved to an earlier time.',
  expiry_required: 'The service now requires an expiry, and this key has none.',
  addresses_required:
    'The service now requires allowed addresses, and this key works from any address.',
};

function findEndNotices(
  { rotatedTo, expiresAt: at }: Pick<ApiKey, 'rotatedTo' | 'expiresAt'>,
  now: Date,
): KeyNotice[] {
  if (rotatedTo !== null) {
    const message = 'The key was rotated. Switch to its successor before this key expires.';
    return [{ code: 'replaced', message, at }];
  }
  if (at === null || at.getTime() - now.getTime() > SOON_MS) return [];
  return [{ code: 'expires_soon', message: 'The key expires soon. Have it rotated.', at }];
}
