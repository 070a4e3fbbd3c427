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
    'The key lives longer than the service allows now: have its end brought forward.',
  expiry_required: 'The service asks for an end of keys now, and this one has none.',
  addresses_required:
    'The service asks for the addresses of keys now, and this one works from any.',
};

function findEndNotices(
  { rotatedTo, expiresAt: at }: Pick<ApiKey, 'rotatedTo' | 'expiresAt'>,
  now: Date,
): KeyNotice[] {
  if (rotatedTo !== null) {
    const message = 'The key was rotated: use its successor before this one stops.';
    return [{ code: 'replaced', message, at }];
  }
  if (at === null || at.getTime() - now.getTime() > SOON_MS) return [];
  return [{ code: 'expires_soon', message: 'The key expires soon: have it rotated.', at }];
}
