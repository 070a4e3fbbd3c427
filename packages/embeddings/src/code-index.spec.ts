import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CodeIndex } from './code-index.js';

const WORDS = 4;
const bitsOf = (word: number) => (word >>> 0).toString(2).replaceAll('0', '').length;
const distance = (one: Int32Array, other: Int32Array) =>
  one.reduce((sum, word, index) => sum + bitsOf(word ^ (other[index] ?? 0)), 0);

// Of few bits, so that many are equally far.
const code = fc
  .array(fc.constantFrom(0, 1, 3, -1, 0x7fff0000), { minLength: WORDS, maxLength: WORDS })
  .map((words) => Int32Array.from(words));

const bytesOf = (codes: readonly Int32Array[]) =>
  new Uint8Array(Int32Array.from(codes.flatMap((one) => [...one])).buffer);

/** Every code is compared, and the nearest are cut from all of them in order. */
function nearestOf(
  passages: readonly (readonly Int32Array[])[],
  to: Int32Array,
  limit: number,
  isAllowed: (passage: number) => boolean,
) {
  const windows = passages.flatMap((codes, passage) =>
    isAllowed(passage) ? codes.map((one) => ({ passage, distance: distance(one, to) })) : [],
  );
  const far = windows.map((one) => one.distance).toSorted((a, b) => a - b)[limit - 1] ?? Infinity;
  const near = windows.filter((one) => one.distance <= far);
  near.sort((one, other) => one.distance - other.distance);
  return [...new Set(near.map(({ passage }) => passage))];
}

const pause = () => Promise.resolve();

describe(CodeIndex.name, () => {
  it('finds the same as when all codes are put in order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(code, { minLength: 1, maxLength: 3 }), { maxLength: 40 }),
        code,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (passages, to, limit, every) => {
          const index = new CodeIndex();
          for (const [passage, codes] of passages.entries())
            index.add(passage, bytesOf(codes), codes.length);
          const isAllowed = (passage: number) => passage % every === 0;
          const found = await index.nearest(to, limit, isAllowed, pause);
          expect(found).toEqual(nearestOf(passages, to, limit, isAllowed));
        },
      ),
    ));

  it('takes codes that were stored with an odd number of words', async () => {
    const index = new CodeIndex();
    index.add(1, bytesOf([Int32Array.of(1, 2, 3), Int32Array.of(4, 5, 6)]), 2);
    index.add(2, bytesOf([Int32Array.of(4, 5, 7, 0)]), 1);
    expect(await index.nearest(Int32Array.of(4, 5, 6, 0), 3, undefined, pause)).toEqual([1, 2]);
  });

  it('finds them in parts as well', async () => {
    const index = new CodeIndex();
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647);
    const passages = Array.from({ length: 10_000 }, () => [
      Int32Array.from({ length: WORDS }, random),
    ]);
    for (const [passage, codes] of passages.entries()) index.add(passage, bytesOf(codes), 1);
    const to = Int32Array.from({ length: WORDS }, random);
    let pauses = 0;
    const found = await index.nearest(to, 50, undefined, () => {
      pauses++;
      return pause();
    });
    expect(pauses).toBeGreaterThan(1);
    expect(found).toEqual(nearestOf(passages, to, 50, () => true));
  });
});
