import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CodeIndex } from './code-index.js';
import { encodeVector } from './window-vectors.js';

const WORDS = 4;
const BITS = WORDS * 32;
/** Windows that are compared by both bits, for each that is wanted. */
const COMPARED = 20;
const bitsOf = (word: number) => (word >>> 0).toString(2).replaceAll('0', '').length;
/** The number of different signs; those of large numbers of the other vector count thrice. */
const distance = (one: Int32Array, other: Int32Array) =>
  one.slice(0, WORDS).reduce((sum, word, index) => {
    const sign = other[index] ?? 0;
    const isLarge = ~(sign ^ (other[WORDS + index] ?? 0));
    return sum + bitsOf(word ^ sign) + 2 * bitsOf((word ^ sign) & isLarge);
  }, 0);

// The codes have few different bits, so that many are equally far.
const code = fc
  .array(fc.constantFrom(0, 1, 3, -1, 0x7fff0000), { minLength: 2 * WORDS, maxLength: 2 * WORDS })
  .map((words) => Int32Array.from(words));

const bytesOf = (codes: readonly Int32Array[]) =>
  new Uint8Array(Int32Array.from(codes.flatMap((one) => [...one])).buffer);

/** A vector of whole numbers, so that sums are exact. */
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: BITS, maxLength: BITS })
  .map((values) => Float32Array.from(values));

const bitOf = (words: Int32Array, at: number) => ((words[at >> 5] ?? 0) >> (at & 31)) & 1;
const product = (one: Int32Array, to: Float32Array) =>
  to.reduce(
    (sum, value, at) => sum + value * (4 * bitOf(one, at) + 2 * bitOf(one, BITS + at) - 3),
    0,
  );

/** Every code is compared, and the nearest are cut from all of them in order. */
function nearestOf(
  passages: readonly (readonly Int32Array[])[],
  to: Float32Array,
  limit: number,
  isAllowed: (passage: number) => boolean,
) {
  const code = encodeVector(to);
  const windows = passages.flatMap((codes, passage) =>
    isAllowed(passage)
      ? codes.map((one) => ({
          passage,
          distance: distance(one, code),
          product: product(one, to),
        }))
      : [],
  );
  const cut = (values: number[], count: number) => values.toSorted((a, b) => a - b)[count - 1];
  const furthest = cut(
    windows.map((one) => one.distance),
    COMPARED * limit,
  );
  const compared = windows.filter((one) => one.distance <= (furthest ?? Infinity));
  const least = cut(
    compared.map((one) => -one.product),
    limit,
  );
  const near = compared.filter((one) => -one.product <= (least ?? Infinity));
  near.sort((one, other) => other.product - one.product);
  return [...new Set(near.map(({ passage }) => passage))];
}

const pause = () => Promise.resolve();

describe(CodeIndex.name, () => {
  it('finds the same as when all codes are put in order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(code, { minLength: 1, maxLength: 3 }), { maxLength: 60 }),
        vector,
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

  it('prefers the signs of large numbers to more of small ones', async () => {
    const to = new Float32Array(BITS).fill(1).fill(9, 0, 1);
    const index = new CodeIndex();
    const withBits = (...bits: number[]) => {
      const values = to.map((value, at) => (bits.includes(at) ? -value : value));
      return new Uint8Array(encodeVector(values).buffer);
    };
    index.add(1, withBits(0), 1);
    index.add(2, withBits(1, 2, 3), 1);
    expect(await index.nearest(to, 1, undefined, pause)).toEqual([2]);
  });

  it('leaves out codes of an older form, which are shorter, wherever they stand', async () => {
    const to = new Float32Array(BITS).fill(1);
    const code = new Uint8Array(encodeVector(to).buffer);
    const index = new CodeIndex();
    for (const passage of [1, 2, 3]) {
      index.add(passage, passage === 2 ? code : code.subarray(0, code.length / 2), 1);
    }
    expect(await index.nearest(to, 3, undefined, pause)).toEqual([2]);
    expect([1, 2, 3].filter((passage) => index.has(passage))).toEqual([2]);
  });

  it('finds them in parts as well', async () => {
    const index = new CodeIndex();
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647);
    const passages = Array.from({ length: 10_000 }, () => [
      Int32Array.from({ length: 2 * WORDS }, random),
    ]);
    for (const [passage, codes] of passages.entries()) index.add(passage, bytesOf(codes), 1);
    const to = Float32Array.from({ length: BITS }, () => (random() % 19) - 9);
    let pauses = 0;
    const found = await index.nearest(to, 50, undefined, () => {
      pauses++;
      return pause();
    });
    expect(pauses).toBeGreaterThan(1);
    expect(found).toEqual(nearestOf(passages, to, 50, () => true));
  });
});
