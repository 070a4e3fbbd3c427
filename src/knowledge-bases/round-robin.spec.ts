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

  it('has nothing to order without items', () => {
    expect(inRounds()).toEqual([]);
  });
});
