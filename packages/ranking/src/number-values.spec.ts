import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberValues } from './number-values.js';

describe(NumberValues.name, () => {
  it('gets what a Map gets', () => {
    const number = fc.oneof(
      fc.nat(100),
      fc.nat(3000),
      fc.nat(2 ** 31),
      fc.constantFrom(2 ** 52, 2 ** 52 + 31),
    );
    const value = fc.oneof(fc.constant(0), fc.nat(70_000));
    const entries = fc.array(fc.tuple(number, value), { size: 'large' });
    fc.assert(
      fc.property(entries, fc.array(number), (set, asked) => {
        const values = new NumberValues();
        for (const [one, its] of set) values.set(one, its);
        const map = new Map(set);
        for (const one of [...map.keys(), ...asked])
          expect(values.get(one)).toBe(map.get(one) ?? 0);
      }),
    );
  });

  it('takes little memory for numbers far from each other, and none for those forgotten', () => {
    const numbers = Array.from({ length: 20_000 }, (_, index) => index * 1000);
    const near = Array.from({ length: 200_000 }, (_, index) => index);
    const before = process.memoryUsage();
    const values = new NumberValues();
    const grown = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers;
    };
    for (const number of numbers) values.set(number, 1);
    expect(grown()).toBeLessThan(numbers.length * 800);
    for (const number of near) values.set(number, 1);
    for (const number of near) values.set(number, 0);
    expect(grown()).toBeLessThan(numbers.length * 800);
    expect(values.get(5)).toBe(0);
  });
});
