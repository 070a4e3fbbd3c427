import { describe, expect, it } from '@jest/globals';
import { readUserId } from './user-id.js';

const codeOf = (headers: string[]) => {
  try {
    return readUserId(headers);
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe(readUserId.name, () => {
  it('reads the header in any case, among others', () => {
    expect(readUserId(['Host', 'x-idp-user-id', 'X-IDP-User-Id', 'alice'])).toBe('alice');
  });

  it.each([[[]], [['Host', 'x']], [['X-Idp-User-Id', '']]])('requires it: %j', (headers) => {
    expect(codeOf(headers)).toBe('dashboard_authentication_required');
  });

  it.each(['a,b', 'a b', 'ü', 'x'.repeat(256), 'Group:a', 'SA_01h2xcejqtf2nbrexx3vqjhp41'])(
    'refuses %j',
    (value) => {
      expect(codeOf(['X-Idp-User-Id', value])).toBe('invalid_user_id');
    },
  );

  it('refuses two of them, also with the same value', () => {
    expect(codeOf(['X-Idp-User-Id', 'a', 'x-idp-user-id', 'a'])).toBe('invalid_user_id');
  });
});
