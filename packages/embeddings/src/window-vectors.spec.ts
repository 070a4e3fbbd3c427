import { describe, expect, it } from '@jest/globals';
import { CodeIndex } from './code-index.js';
import { cosineSimilarity, normalize } from './vector.js';
import { encodeVector, compareWindows, storeWindows } from './window-vectors.js';

let seed = 1;
/** Pseudo-random numbers from -0.5 to 0.5 that are equal in every run. */
const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5;
const randomVector = () => normalize(Array.from({ length: 384 }, random));
const pause = () => Promise.resolve();

describe(storeWindows, () => {
  it('keeps the places, and the similarities within a hundredth', () => {
    const [question, one, other] = [randomVector(), randomVector(), randomVector()];
    const stored = storeWindows([
      { start: 0, end: 70_000, vector: one },
      { start: 70_000, end: 70_001, vector: other },
    ]);
    const compared = compareWindows(stored, [question, one]);
    expect(compared).toMatchObject([
      { start: 0, end: 70_000 },
      { start: 70_000, end: 70_001 },
    ]);
    expect(compared[1]?.similarities[0]).toBeCloseTo(cosineSimilarity(question, other), 2);
    expect(compared[0]?.similarities[1]).toBeCloseTo(1, 2);
  });

  it('compares nothing with a vector of another length', () => {
    const stored = storeWindows([{ start: 0, end: 1, vector: randomVector() }]);
    expect(compareWindows(stored, [Float32Array.of(1)])[0]?.similarities).toEqual([-1]);
  });
});

describe(encodeVector, () => {
  it('has the sign of each number, and whether it is of the third that is largest', () => {
    // As 3, -3, 1, -1, 1, -1.
    const code = encodeVector(Float32Array.of(5, -6, 1, -1, 0.5, -2));
    expect([...code]).toEqual([0b010101, 0, 0b101001, 0]);
  });
});

describe(CodeIndex, () => {
  const fill = (count: number) => {
    const index = new CodeIndex();
    const vectors = Array.from({ length: count }, randomVector);
    for (const [number, vector] of vectors.entries()) {
      const windows = [randomVector(), vector].map((one) => ({ start: 0, end: 1, vector: one }));
      index.add(number, storeWindows(windows).codes, windows.length);
    }
    return { index, vectors };
  };

  it('finds a passage by any of its windows', async () => {
    const { index, vectors } = fill(500);
    for (const number of [0, 250, 499]) {
      const vector = vectors[number] ?? Float32Array.of();
      expect(await index.nearest(vector, 1, undefined, pause)).toEqual([number]);
    }
    expect([index.has(499), index.has(500)]).toEqual([true, false]);
  });

  it('considers allowed passages only', async () => {
    const { index, vectors } = fill(50);
    const vector = vectors[7] ?? Float32Array.of();
    const found = await index.nearest(vector, 100, (number) => number > 40, pause);
    expect(found.sort((one, other) => one - other)).toEqual([41, 42, 43, 44, 45, 46, 47, 48, 49]);
  });

  it('finds nothing by a code of another model, and takes none into it', async () => {
    const { index } = fill(3);
    const vector = Float32Array.of(1, -1);
    index.add(9, storeWindows([{ start: 0, end: 1, vector }]).codes, 1);
    expect(index.has(9)).toBe(false);
    expect(await index.nearest(vector, 5, undefined, pause)).toEqual([]);
  });

  it('has nearly all of the ten nearest vectors among a tenth, though they have much in common', async () => {
    const DIMENSION = 384;
    const WINDOWS = 2000;
    const QUESTIONS = 10;
    const common = Array.from({ length: DIMENSION }, random);
    const own = () => Array.from({ length: DIMENSION }, () => random() + random() + random());
    const vectorOf = (numbers: number[]) =>
      normalize(numbers.map((one, at) => one + (common[at] ?? 0)));
    const numbers = Array.from({ length: WINDOWS }, own);
    const vectors = numbers.map(vectorOf);
    const index = new CodeIndex();
    for (const [number, vector] of vectors.entries())
      index.add(number, storeWindows([{ start: 0, end: 1, vector }]).codes, 1);
    let found = 0;
    for (const some of numbers.slice(0, QUESTIONS)) {
      const other = own();
      const question = vectorOf(some.map((one, at) => 0.6 * one + 0.4 * (other[at] ?? 0)));
      const similarities = vectors.map((vector) => cosineSimilarity(question, vector));
      const tenth = similarities.toSorted((one, other) => other - one)[9] ?? 1;
      const near = await index.nearest(question, WINDOWS / 10, undefined, pause);
      found += near.filter((number) => (similarities[number] ?? 0) >= tenth).length;
    }
    expect(found / (10 * QUESTIONS)).toBeGreaterThan(0.98);
  });
});
