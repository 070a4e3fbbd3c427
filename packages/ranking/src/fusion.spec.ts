import { describe, expect, it } from '@jest/globals';
import { fuse } from './fusion.js';

const hits = (...numbers: number[]) =>
  numbers.map((number) => ({ number, fingerprint: undefined, coverage: 1 }));
const numbers = (...lists: Parameters<typeof fuse>) => fuse(...lists).map(({ number }) => number);

describe(fuse.name, () => {
  it('puts first what both lists rank high', () => {
    expect(numbers(hits(1, 2, 3), hits(4, 2))).toEqual([2, 1, 3, 4]);
  });

  it('scores from 0 to 1', () => {
    expect(fuse(hits(1), hits(1))[0]?.score).toBeCloseTo(1, 9);
  });

  it('trusts words less where a hit has few of the question', () => {
    const [hit] = hits(1);
    const byWords = hit ? [{ ...hit, coverage: 0.1 }] : [];
    expect(numbers(hits(1), hits(2))).toEqual([1, 2]);
    expect(numbers(byWords, hits(2))).toEqual([2, 1]);
  });

  describe('while passages are embedded', () => {
    const byWords = hits(...Array.from({ length: 20 }, (_, index) => index + 1));

    it('keeps the order of words as long as there are no vectors', () => {
      const all = () => true;
      expect(numbers(byWords, [], all)).toEqual(byWords.map(({ number }) => number));
    });

    it('does not put a hit without a vector behind one that has one', () => {
      expect(numbers(byWords, hits(5), (number) => number !== 5)[0]).toBe(1);
    });

    it('counts the nearest of few passages less than the nearest of all', () => {
      const isMissing = (number: number) => number <= 18;
      const [best] = fuse(byWords, hits(99, 98), isMissing);
      expect(best?.number).toBe(1);
      const partly = fuse(byWords, hits(99), isMissing).find(({ number }) => number === 99);
      const whole = fuse(byWords, hits(99)).find(({ number }) => number === 99);
      expect(partly?.score).toBeLessThan(Number(whole?.score));
    });

    it('is the plain fusion once every hit has a vector', () => {
      expect(fuse(byWords, hits(3, 99), () => false)[0]).toMatchObject({ number: 3 });
      expect(fuse(byWords, hits(3, 99))[0]?.score).toBeCloseTo((1.6 / 13 + 1 / 11) / (2.6 / 11), 9);
    });
  });
});
