import { describe, expect, it } from '@jest/globals';
import { alignPassages } from './align-passages.js';

/** Passages whose words are their letters. */
const passages = (...texts: string[]) =>
  texts.map((key) => ({ key, words: new Set([...key].map((letter) => letter.charCodeAt(0))) }));

const align = (before: string[], after: string[]) =>
  alignPassages(passages(...before), passages(...after)).map(([one, other]) => [
    one === undefined ? null : before[one],
    other === undefined ? null : after[other],
  ]);

describe(alignPassages, () => {
  it('aligns what is equal, and between it what has many words in common', () => {
    expect(align(['abc', 'def', 'ghi'], ['abc', 'dez', 'xyw', 'ghi'])).toEqual([
      ['abc', 'abc'],
      ['def', 'dez'],
      [null, 'xyw'],
      ['ghi', 'ghi'],
    ]);
  });

  it('finds what was removed before, between and behind', () => {
    expect(align(['abc', 'def', 'ghi'], ['def'])).toEqual([
      ['abc', null],
      ['def', 'def'],
      ['ghi', null],
    ]);
    expect(align([], ['abc'])).toEqual([[null, 'abc']]);
    expect(align(['abc'], [])).toEqual([['abc', null]]);
    expect(align([], [])).toEqual([]);
  });

  it('aligns repeated passages one by one', () => {
    expect(align(['aaa', 'bbb', 'aaa', 'aaa'], ['aaa', 'aaa'])).toEqual([
      ['aaa', 'aaa'],
      ['bbb', null],
      ['aaa', 'aaa'],
      ['aaa', null],
    ]);
  });

  it('names each passage once and in order, whatever was moved', () => {
    for (let seed = 1; seed <= 300; seed++) {
      let state = seed;
      const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
      const texts = () =>
        Array.from({ length: random(12) }, () => 'abcdefgh'.slice(random(5), 3 + random(6)));
      const [before, after] = [texts(), texts()];
      const pairs = alignPassages(passages(...before), passages(...after));
      const places = (side: 0 | 1) => pairs.flatMap((pair) => pair[side] ?? []);
      expect([seed, places(0)]).toEqual([seed, [...before.keys()]]);
      expect([seed, places(1)]).toEqual([seed, [...after.keys()]]);
    }
  });

  it.each([
    ['all the same', () => 'same'],
    ['all different', (place: number, side: string) => `${side}${place}`],
    ['reversed', (place: number, side: string) => `${side === 'a' ? place : 5000 - place}`],
  ])('compares thousands of passages at once, %s', (_, text) => {
    const many = (side: string) =>
      passages(...Array.from({ length: 5000 }, (_, place) => text(place, side)));
    const started = performance.now();
    expect(alignPassages(many('a'), many('b')).length).toBeGreaterThanOrEqual(5000);
    // What grew with the square would take half a minute.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
