import { describe, expect, it } from '@jest/globals';
import { roundRobin } from './round-robin.js';

const inRounds = (...items: string[]) => roundRobin(items, (item) => item.charAt(0));

describe(roundRobin, () => {
  it('takes one item of each user after the other, in their order', () => {
    expect(inRounds('m1', 'm2', 'm3', 'n1', 'o1', 'n2')).toEqual([
      ...['m1', 'n1', 'o1'],
      ...['m2', 'n2'],
      ...['m3'],
    ]);
  });

  it('takes time that grows with the items, not with users times rounds', () => {
    const many = Array.from({ length: 150_000 }, (_, index) => index);
    const ordered = roundRobin([...many.map(() => -1), ...many], String);
    expect(ordered.slice(0, 3)).toEqual([-1, 0, 1]);
    expect(ordered).toHaveLength(300_000);
  });

  it('has nothing to order without items', () => {
    expect(inRounds()).toEqual([]);
  });
});
