import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { fromHex, Sha256 } from './sha256.js';
import { type Challenge, solve } from './solve.js';

const hex = (text: string) => createHash('sha256').update(text).digest('hex');

describe(Sha256.name, () => {
  it('hashes texts of every length around its blocks', () => {
    for (const prefix of [
      '',
      'a',
      'b'.repeat(55),
      'c'.repeat(63),
      'd'.repeat(64),
      'e'.repeat(130),
    ]) {
      const hash = new Sha256(prefix);
      for (let length = 0; length < 70; length++) {
        const text = '7'.repeat(length);
        expect([...hash.digest(text)]).toEqual(fromHex(hex(prefix + text)));
      }
    }
  });
});

describe(solve.name, () => {
  const salt = 'f00d?expires=1893456000&site=site_01kafdp6ygf4rs4s2cr5cvzwkc';
  const challenge = (number: number, maxnumber = 5000): Challenge => ({
    ...{ algorithm: 'SHA-256', challenge: hex(`${salt}${number}`), maxnumber, salt },
    signature: 'ab',
  });

  it.each([0, 1, 4242, 5000])('finds %i', async (number) => {
    const solution = JSON.parse(atob(await solve(challenge(number)))) as Record<string, unknown>;
    const { maxnumber: _, ...asked } = challenge(number);
    expect(solution).toEqual({ ...asked, number });
  });

  it('ends where there is no solution', async () => {
    await expect(solve(challenge(101, 100))).rejects.toThrow('no solution');
  });
});
