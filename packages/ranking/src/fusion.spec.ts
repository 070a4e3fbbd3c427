import { describe, expect, it } from '@jest/globals';
import { fuse } from './fusion.js';

const hits = (...numbers: number[]) =>
  numbers.map((number) => ({ number, fingerprint: undefined }));
const numbers = (...lists: Parameters<typeof fuse>) => fuse(...lists).map(({ number }) => number);

describe(fuse.name, () => {
  it('puts first what both lists rank high', () => {
    expect(numbers(hits(1, 2, 3), hits(4, 2))).toEqual([2, 1, 4, 3]);
  });

  describe('while passages are embedded', () => {
    const byWords = hits(...Array.from({ length: 20 }, (_, index) => index + 1));

    it('keeps the order of words as long as there are no vectors', () => {
      const all = new Set(byWords.map(({ number }) => number));
      expect(numbers(byWords, [], all)).toEqual(byWords.map(({ number }) => number));
    });

    it('does not put a hit without a vector behind one that has one', () => {
      const withoutVector = new Set(byWords.map(({ number }) => number).filter((n) => n !== 5));
      expect(numbers(byWords, hits(5), withoutVector).indexOf(1)).toBe(0);
    });

    it('counts the nearest of few passages less than the nearest of all', () => {
      const first = byWords.slice(0, 18).map(({ number }) => number);
      const [best] = fuse(byWords, hits(99, 98), new Set(first));
      expect(best?.number).toBe(1);
      const partly = fuse(byWords, hits(99), new Set(first)).find(({ number }) => number === 99);
      const whole = fuse(byWords, hits(99)).find(({ number }) => number === 99);
      expect(partly?.score).toBeLessThan(Number(whole?.score));
    });

    it('is the plain fusion once every hit has a vector', () => {
      expect(fuse(byWords, hits(3, 99), new Set())[0]).toMatchObject({ number: 3 });
      expect(fuse(byWords, hits(3, 99))[0]?.score).toBeCloseTo(1 / 63 + 1 / 61, 9);
    });
  });
});
