import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Config } from '../../platform/config/config.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { SharedNonces } from './shared-nonces.js';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 1);
const newPepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const create = (...peppers: string[]) =>
  new SharedNonces(Peppers.load(Config.fromEnvironment({ API_KEY_PEPPERS: peppers.join(',') })));

describe(SharedNonces.name, () => {
  const [first, second] = [newPepper('first'), newPepper('second')];
  const nonce = create(first).create(NOW);

  it('are accepted by every process with the pepper', () => {
    expect(create(first).check(nonce, NOW)).toBe('current');
    expect(create(second, first).check(nonce, NOW)).toBe('current');
    expect(create(second).check(nonce, NOW)).toBeUndefined();
  });

  it.each([
    [-4, 'current'],
    [-6, undefined],
    [59, 'current'],
    [61, 'ending'],
    [119, 'ending'],
    [121, undefined],
  ])('after %d minutes are %s', (minutes, expected) => {
    expect(create(first).check(nonce, NOW + minutes * MINUTE)).toBe(expected);
  });

  it('refuse every other text', () => {
    const [time = '', mac = ''] = nonce.split('.');
    const later = (parseInt(time, 36) + 1).toString(36);
    for (const other of [
      '',
      '.',
      time,
      `${later}.${mac}`,
      `${time}.${'A'.repeat(22)}`,
      `${nonce}.`,
    ]) {
      expect([other, create(first).check(other, NOW)]).toEqual([other, undefined]);
    }
  });
});
