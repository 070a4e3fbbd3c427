import { describe, expect, it } from '@jest/globals';
import { rotatedExpiry, successorExpiry } from './rotation.js';

const at = (time: string) => new Date(`2027-03-01T${time}Z`);
const NOW = at('12:00:00');
const createdAt = at('10:00:00');

describe(successorExpiry, () => {
  it('gives the same life span', () => {
    expect(successorExpiry({ createdAt, expiresAt: at('13:00:00') }, NOW)).toEqual(at('15:00:00'));
  });

  it('gives no expiry where the key has none', () => {
    expect(successorExpiry({ createdAt, expiresAt: null }, NOW)).toBeNull();
  });

  it('stays within what a database can store', () => {
    const expiresAt = new Date('9999-12-31T23:59:59.999Z');
    expect(successorExpiry({ createdAt, expiresAt }, NOW)).toEqual(expiresAt);
  });
});

describe(rotatedExpiry, () => {
  it.each([
    ['the end of the grace period', null, 3600, at('13:00:00')],
    ['the end of the grace period before a later expiry', at('14:00:00'), 3600, at('13:00:00')],
    ['an earlier expiry', at('12:30:00'), 3600, at('12:30:00')],
    ['now without a grace period', at('14:00:00'), 0, NOW],
    ['an expiry in the past', at('11:00:00'), 0, at('11:00:00')],
  ])('is %s', (_, expiresAt, graceSeconds, expected) => {
    expect(rotatedExpiry({ expiresAt }, NOW, graceSeconds)).toEqual(expected);
  });
});
