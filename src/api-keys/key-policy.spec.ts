import { describe, expect, it } from '@jest/globals';
import { Problem } from '../platform/problems/problem.js';
import { type KeyPolicy, policyViolations, requirePolicy } from './key-policy.js';

const DAY_MS = 24 * 3_600_000;
const CREATED = new Date('2026-01-01T00:00:00Z');
const after = (days: number) => new Date(CREATED.getTime() + days * DAY_MS);

const key = (more: object = {}) => ({
  environment: 'live' as const,
  createdAt: CREATED,
  expiresAt: null,
  allowedIps: null,
  ...more,
});
const policy = (more: Partial<KeyPolicy>): KeyPolicy => ({
  KEY_POLICY_REQUIRE_EXPIRY: [],
  KEY_POLICY_REQUIRE_ADDRESSES: [],
  ...more,
});

describe(policyViolations.name, () => {
  it('are none without a policy', () => {
    expect(policyViolations(key(), policy({}))).toEqual([]);
  });

  it('are a life longer than allowed, whose end counts, and one without an end', () => {
    const of30Days = policy({ KEY_POLICY_MAX_AGE_DAYS: 30 });
    expect(policyViolations(key(), of30Days)).toEqual(['max_age_exceeded']);
    expect(policyViolations(key({ expiresAt: after(30) }), of30Days)).toEqual([]);
    const later = new Date(after(30).getTime() + 1);
    expect(policyViolations(key({ expiresAt: later }), of30Days)).toEqual(['max_age_exceeded']);
  });

  it('are those of the key’s environment', () => {
    const ofLive = policy({
      KEY_POLICY_REQUIRE_EXPIRY: ['live', 'admin'],
      KEY_POLICY_REQUIRE_ADDRESSES: ['live'],
    });
    expect(policyViolations(key(), ofLive)).toEqual(['expiry_required', 'addresses_required']);
    expect(policyViolations(key({ environment: 'admin' }), ofLive)).toEqual(['expiry_required']);
    expect(policyViolations(key({ environment: 'test' }), ofLive)).toEqual([]);
    const met = { expiresAt: after(1), allowedIps: ['192.0.2.1'] };
    expect(policyViolations(key(met), ofLive)).toEqual([]);
  });
});

describe(requirePolicy.name, () => {
  const both = policy({
    KEY_POLICY_REQUIRE_EXPIRY: ['live'],
    KEY_POLICY_REQUIRE_ADDRESSES: ['live'],
  });

  function refused(fields?: string[]): unknown {
    try {
      requirePolicy(key(), both, fields);
    } catch (problem) {
      return problem instanceof Problem ? problem.toBody('').errors : problem;
    }
    return [];
  }

  it('refuses the fields that are missing, of those that are given', () => {
    expect(refused()).toMatchObject([{ field: 'expires_at' }]);
    expect(refused(['allowed_ips'])).toMatchObject([{ field: 'allowed_ips' }]);
    expect(refused(['name'])).toEqual([]);
  });
});
