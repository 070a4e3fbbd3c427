import { describe, expect, it } from '@jest/globals';
import {
  groupTerms,
  selectScannable,
  selectTerms,
  splitTerms,
  type Term,
} from './term-selection.js';

const terms = (frequencies: Record<string, number>): Term[] =>
  Object.entries(frequencies).map(([stem, frequency]) => ({
    stem,
    frequency,
    times: 1,
    weight: 1,
  }));
const select = (frequencies: Record<string, number>) => selectTerms(terms(frequencies));
const stems = (some: readonly Term[]) => some.map(({ stem }) => stem);

describe(selectTerms.name, () => {
  it('takes the 128 rarest terms, wherever the question has them', () => {
    const frequencies = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`word${n}`, 200 - n] as const),
    );
    const selected = select(frequencies);
    expect(selected).toHaveLength(128);
    expect(stems(selected).slice(0, 2)).toEqual(['word199', 'word198']);
  });

  it('leaves out what no passage has', () => {
    expect(stems(select({ ice: 3, snow: 0 }))).toEqual(['ice']);
  });
});

describe(selectScannable.name, () => {
  it('leaves out the most frequent ones where each is in very many passages, but never all', () => {
    expect(stems(selectScannable(select({ a: 1_900_000, b: 800_000, c: 10 })))).toEqual(['c', 'b']);
    expect(stems(selectScannable(select({ a: 9_000_000 })))).toEqual(['a']);
  });
});

describe(splitTerms.name, () => {
  const split = (frequencies: Record<string, number>) => {
    const { scanned, common } = splitTerms(select(frequencies));
    return [stems(scanned), stems(common)];
  };

  it('scans all terms of a small index', () => {
    expect(split({ a: 900, b: 800, c: 700 })).toEqual([['c', 'b', 'a'], []]);
  });

  it('scans the rarest terms of a large one', () => {
    expect(split({ a: 40_000, b: 20_000, c: 1000, d: 700 })).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ]);
  });

  it('scans enough where the rarest term is in few passages', () => {
    expect(split({ a: 40_000, b: 20_000, c: 2 })).toEqual([['c', 'b'], ['a']]);
  });
});

describe(groupTerms.name, () => {
  it('keeps the order, and gives a term with more postings a group of its own', () => {
    const groups = groupTerms(terms({ a: 60, b: 40, c: 1, d: 300, e: 99, f: 1 }), 100);
    expect(groups.map(stems)).toEqual([['a', 'b'], ['c'], ['d'], ['e', 'f']]);
    expect(groupTerms(terms({ a: 60, b: 70 }), Infinity).map(stems)).toEqual([['a', 'b']]);
    expect(groupTerms([], 100)).toEqual([]);
  });
});
