import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Config } from '../platform/config/config.js';
import { isPostgres } from '../platform/database/dialect.js';
import { invalidField } from '../platform/problems/problem.js';
import type { ApiKey } from './api-key.entity.js';
import { latestExpiry } from './key-rules.js';

/** The operator's policy for all keys of the service. */
export type KeyPolicy = Pick<
  Config,
  'KEY_POLICY_MAX_AGE_DAYS' | 'KEY_POLICY_REQUIRE_EXPIRY' | 'KEY_POLICY_REQUIRE_ADDRESSES'
>;

export const POLICY_VIOLATIONS = [
  'max_age_exceeded',
  'expiry_required',
  'addresses_required',
] as const;

export type PolicyViolation = (typeof POLICY_VIOLATIONS)[number];

type RestrictedKey = Pick<ApiKey, 'environment' | 'createdAt' | 'expiresAt' | 'allowedIps'>;

/** Finds the requirements of the policy that a key does not meet. */
export function policyViolations(
  { environment, createdAt, expiresAt, allowedIps }: RestrictedKey,
  policy: KeyPolicy,
): PolicyViolation[] {
  const latest = latestExpiry(createdAt, policy.KEY_POLICY_MAX_AGE_DAYS ?? null);
  const violated: Record<PolicyViolation, boolean> = {
    max_age_exceeded: latest !== null && (expiresAt === null || expiresAt > latest),
    expiry_required: expiresAt === null && policy.KEY_POLICY_REQUIRE_EXPIRY.includes(environment),
    addresses_required:
      allowedIps === null && policy.KEY_POLICY_REQUIRE_ADDRESSES.includes(environment),
  };
  return POLICY_VIOLATIONS.filter((violation) => violated[violation]);
}

/**
 * Refuses a new key that does not meet the policy. For a changed key, only the changed fields must meet it,
 * so that a key from before the policy can still be renamed.
 *
 * @throws Problem `validation_failed`
 */
export function requirePolicy(
  key: RestrictedKey,
  policy: KeyPolicy,
  fields: readonly string[] = ['expires_at', 'allowed_ips'],
): void {
  const violations = policyViolations(key, policy);
  if (fields.includes('expires_at') && violations.includes('expiry_required')) {
    throw invalidField(
      'expires_at',
      `expires_at must be set: KEY_POLICY_REQUIRE_EXPIRY applies to ${key.environment} keys`,
    );
  }
  if (fields.includes('allowed_ips') && violations.includes('addresses_required')) {
    throw invalidField(
      'allowed_ips',
      `allowed_ips must be set: KEY_POLICY_REQUIRE_ADDRESSES applies to ${key.environment} keys`,
    );
  }
}

/** Restricts a query of keys `key` to those that violate the policy; the SQL form of `policyViolations`. */
export function whereViolating(
  keys: SelectQueryBuilder<ApiKey>,
  policy: KeyPolicy,
  dataSource: DataSource,
): SelectQueryBuilder<ApiKey> {
  const { KEY_POLICY_MAX_AGE_DAYS: days } = policy;
  const age = isPostgres(dataSource)
    ? `key.expires_at > key.created_at + :days * interval '1 day'`
    : `julianday(key.expires_at) > julianday(key.created_at) + :days + 1e-9`;
  return keys.andWhere(
    `(${days === undefined ? 'FALSE' : `key.expires_at IS NULL OR ${age}`}
      OR key.expires_at IS NULL AND key.environment IN (:...expiring)
      OR key.allowed_ips IS NULL AND key.environment IN (:...bound))`,
    {
      days,
      // SQL has no empty list.
      expiring: ['', ...policy.KEY_POLICY_REQUIRE_EXPIRY],
      bound: ['', ...policy.KEY_POLICY_REQUIRE_ADDRESSES],
    },
  );
}
