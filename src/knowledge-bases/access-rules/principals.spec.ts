import { describe, expect, it } from '@jest/globals';
import {
  comparedPrincipal,
  groupPrincipal,
  parsePrincipal,
  toPrincipals,
  userPrincipal,
} from './principals.js';

describe(parsePrincipal, () => {
  it.each(['user:anna', 'group:Vertrieb, Süd', 'group:法務', `user:${'a'.repeat(255)}`, 'group: '])(
    'takes %j',
    (text) => {
      expect(parsePrincipal(text)).toBe(text);
    },
  );

  it.each([
    ...['everyone', 'anna', 'user:', 'team:x', 'User:anna', '', 'user:\0', 'group:\ud800', 7, null],
    `user:${'a'.repeat(256)}`,
  ])('refuses %j', (value) => {
    expect(parsePrincipal(value)).toBeUndefined();
  });

  it('takes names that look alike for the same', () => {
    expect(parsePrincipal('group:Cafe\u0301')).toBe(groupPrincipal('Caf\u00e9'));
    expect(parsePrincipal('user:Cafe\u0301')).toBe('user:Caf\u00e9');
  });
});

describe(comparedPrincipal, () => {
  it('is the same for a person in any case, and for a group by every character', () => {
    expect(comparedPrincipal('user:CAF\u00c9')).toBe(userPrincipal('Cafe\u0301'));
    expect(comparedPrincipal('group:Cafe\u0301')).toBe('group:Caf\u00e9');
    expect(toPrincipals(['user:Bob', 'user:bob', 'group:Bob'])).toEqual(['user:bob', 'group:Bob']);
  });
});
