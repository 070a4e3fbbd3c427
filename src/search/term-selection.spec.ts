import { describe, expect, it } from '@jest/globals';
import { selectTerms, splitTerms, type Term } from './term-selection.js';

const select = (frequencies: Record<string, number>, question = Object.keys(frequencies)) =>
  selectTerms(question, new Map(Object.entries(frequencies)));
const stems = (terms: readonly Term[]) => terms.map(({ stem }) => stem);

describe(selectTerms.name, () => {
  it('takes the 32 rarest distinct terms, wherever the question has them', () => {
    const frequencies = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`word${n}`, 100 - n] as const),
    );
    const terms = select(frequencies);
    expect(terms).toHaveLength(32);
    expect(stems(terms).slice(0, 2)).toEqual(['word99', 'word98']);
  });

  it('counts a term that is said twice once, with its times', () => {
    expect(select({ ice: 3, bird: 1 }, ['ice', 'bird', 'ice'])).toEqual([
      { stem: 'bird', times: 1, frequency: 1 },
      { stem: 'ice', times: 2, frequency: 3 },
    ]);
  });

  it('leaves out what no passage has', () => {
    expect(stems(select({ ice: 3, snow: 0 }, ['ice', 'snow', 'rain']))).toEqual(['ice']);
  });

  it('leaves out the most frequent ones where each is in very many passages, but never all', () => {
    expect(stems(select({ a: 1_900_000, b: 1_800_000, c: 10 }))).toEqual(['c', 'b']);
    expect(stems(select({ a: 9_000_000 }))).toEqual(['a']);
  });
});

describe(splitTerms.name, () => {
  const split = (frequencies: Record<string, number>) => {
    const { selective, common } = splitTerms(select(frequencies));
    return [stems(selective), stems(common)];
  };

  it('makes candidates of all terms of a small index', () => {
    expect(split({ a: 900, b: 800, c: 700 })).toEqual([['c', 'b', 'a'], []]);
  });

  it('makes candidates of the rarest terms of a large one', () => {
    expect(split({ a: 40_000, b: 20_000, c: 1000, d: 700 })).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ]);
  });

  it('makes enough candidates where the rarest term is in few passages', () => {
    expect(split({ a: 40_000, b: 20_000, c: 2 })).toEqual([['c', 'b'], ['a']]);
  });
});
