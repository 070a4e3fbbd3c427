import { describe, expect, it } from '@jest/globals';
import { Problem } from '../platform/problems/problem.js';
import { keyStatus, requireAllowedCaller, statusProblem } from './api-key-status.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const USABLE = { state: 'active', deletedAt: null, expiresAt: null } as const;
const DEACTIVATED = { ...USABLE, state: 'deactivated' } as const;
const STATUSES = [
  [USABLE, 'usable', undefined],
  [{ ...USABLE, expiresAt: new Date(NOW.getTime() + 1) }, 'usable', undefined],
  [{ ...USABLE, expiresAt: NOW }, 'expired', 'api_key_expired'],
  [DEACTIVATED, 'revoked', 'api_key_revoked'],
  [{ ...DEACTIVATED, expiresAt: NOW }, 'revoked', 'api_key_revoked'],
  [{ ...USABLE, deletedAt: NOW }, 'deleted', 'invalid_api_key'],
  [{ ...DEACTIVATED, expiresAt: NOW, deletedAt: NOW }, 'deleted', 'invalid_api_key'],
] as const;

describe(keyStatus, () => {
  it.each(STATUSES)('gives %j the status %s and the problem code %s', (key, status, code) => {
    expect(keyStatus(key, NOW)).toBe(status);
    const problem = statusProblem(status);
    expect(problem?.code).toBe(code);
    if (problem) expect(problem.getStatus()).toBe(401);
  });
});

describe(requireAllowedCaller, () => {
  type Lists = Record<'allowedIps' | 'allowedOrigins', string[] | null>;
  const ANY: Lists = { allowedOrigins: null, allowedIps: null };
  const ORIGIN = 'https://shop.example';
  const code = ({ allowedIps, allowedOrigins }: Lists, ip: string, origin?: string) => {
    try {
      requireAllowedCaller(allowedIps, { ip, origin }, [ANY, { allowedOrigins }]);
      return undefined;
    } catch (error) {
      return error instanceof Problem ? error.code : error;
    }
  };

  it('allows everybody where nothing is listed', () => {
    expect(code(ANY, '192.0.2.1', ORIGIN)).toBeUndefined();
    expect(code(ANY, 'unknown')).toBeUndefined();
  });

  it('allows listed origins, and callers that send none', () => {
    const key = { ...ANY, allowedOrigins: [ORIGIN] };
    expect(code(key, '192.0.2.1', ORIGIN)).toBeUndefined();
    expect(code(key, '192.0.2.1')).toBeUndefined();
    expect(code(key, '192.0.2.1', 'https://other.example')).toBe('origin_not_allowed');
    expect(code(key, '192.0.2.1', 'null')).toBe('origin_not_allowed');
    expect(code({ ...ANY, allowedOrigins: [] }, '192.0.2.1', ORIGIN)).toBe('origin_not_allowed');
  });

  it('allows listed addresses and ranges', () => {
    const key = { ...ANY, allowedIps: ['192.0.2.0/24', '2001:db8::1'] };
    expect(code(key, '192.0.2.77')).toBeUndefined();
    expect(code(key, '2001:db8::1')).toBeUndefined();
    expect(code(key, '198.51.100.1')).toBe('ip_not_allowed');
    expect(code(key, 'unknown')).toBe('ip_not_allowed');
  });
});
