import { setFlagsFromString } from 'node:v8';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberValues } from './number-values.js';

setFlagsFromString('--expose-gc');
/** Numbers of which each has a page of its own. */
const FAR = 10_000;
/** Numbers that lie close together. */
const NEAR = 200_000;
const collectGarbage = runInNewContext('gc') as () => void;

/** Buffers are freed in the background of a collection. */
async function used(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await setImmediate();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

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

  it('takes little memory for numbers far from each other, and none for those forgotten', async () => {
    const numbers = Array.from({ length: FAR }, (_, index) => index * 1000);
    const before = await used();
    const values = new NumberValues();
    for (const number of numbers) values.set(number, 1);
    const taken = (await used()) - before;
    expect(taken).toBeLessThan(FAR * 300);
    expect(values.bytes).toBeGreaterThan(taken * 0.7);
    for (let number = 0; number < NEAR; number++) values.set(number, 1);
    expect((await used()) - before).toBeGreaterThan(NEAR * 4);
    for (let number = 0; number < NEAR; number++) values.set(number, 0);
    expect((await used()) - before).toBeLessThan(FAR * 300);
    expect(values.get(5)).toBe(0);
  });
});
