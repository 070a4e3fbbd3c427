import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberSet } from './number-set.js';

describe(NumberSet.name, () => {
  it('has what a Set has', () => {
    const number = fc.oneof(fc.nat(3000), fc.nat(2 ** 31), fc.constantFrom(2 ** 52, 2 ** 52 + 31));
    fc.assert(
      fc.property(fc.array(number), fc.array(number), (added, asked) => {
        const [bits, set] = [new NumberSet(), new Set<number>()];
        for (const one of added) {
          bits.add(one);
          set.add(one);
        }
        expect(bits.size).toBe(set.size);
        for (const one of [...added, ...asked]) expect(bits.has(one)).toBe(set.has(one));
      }),
    );
  });
});
