import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberGroups } from './number-groups.js';

describe(NumberGroups.name, () => {
  it('gets what a Map gets', () => {
    const number = fc.oneof(fc.nat(3000), fc.nat(2 ** 31), fc.constantFrom(2 ** 52, 2 ** 52 + 31));
    const entry = fc.tuple(number, fc.nat(70_000));
    fc.assert(
      fc.property(fc.array(entry), fc.array(number), (entries, asked) => {
        const groups = new NumberGroups();
        for (const [one, group] of entries) groups.set(one, group);
        const map = new Map(entries);
        for (const one of [...map.keys(), ...asked])
          expect(groups.get(one)).toBe(map.get(one) ?? -1);
      }),
    );
  });
});
