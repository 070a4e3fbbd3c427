import { describe, expect, it } from '@jest/globals';
import type { SearchPlace } from '../../knowledge-bases/knowledge-base.entity.js';
import {
  type EnginePlace,
  readPlace,
  writePlaces,
} from '../../documents/search/engine/engine-place.js';
import { mostPassages, placeFor, stateTowards } from './engine-moves.js';

/** The states of a knowledge base on its way to a place. */
function way(from: SearchPlace, to: EnginePlace): SearchPlace[] {
  const next = stateTowards(from, to);
  return next === from ? [from] : [from, ...way(next, to)];
}

describe('the place of a knowledge base', () => {
  it.each([
    [100, 100, 'shared', 'own'],
    [99, 100, 'shared', 'shared'],
    [25, 100, 'own', 'own'],
    [24, 100, 'own', 'shared'],
    [99, 100, 'to_own', 'own'],
    [99, 100, 'to_shared', 'shared'],
    [99, 100, 'preparing', 'shared'],
    [100, Infinity, 'own', 'shared'],
  ] as const)('of %i passages, of %i that are many, and while it is %s, is %s', (...row) => {
    const [passages, limit, now, place] = row;
    expect(placeFor(passages, limit, now)).toBe(place);
  });
});

describe('how many passages a knowledge base has at most', () => {
  it.each([
    ['of one', { oldest: 7, newest: 7 }, undefined, 1],
    ['of some among those of others', { oldest: 11, newest: 1010 }, undefined, 1000],
    ['once they were counted', { oldest: 11, newest: 1010 }, { passages: 3, newest: 1010 }, 3],
    ['with newer ones', { oldest: 11, newest: 1030 }, { passages: 3, newest: 1010 }, 23],
    ['without the last ones', { oldest: 11, newest: 900 }, { passages: 3, newest: 1010 }, 3],
  ])('%s', (_, range, counted, most) => {
    expect(mostPassages(range, counted)).toBe(most);
  });
});

describe('the way of a knowledge base to another place', () => {
  it('goes by way of both places, and ends in one', () => {
    expect(way('shared', 'own')).toEqual(['shared', 'preparing', 'to_own', 'own']);
    expect(way('own', 'shared')).toEqual(['own', 'to_shared', 'preparing', 'shared']);
  });

  it('turns back at once to where questions go', () => {
    expect(way('to_own', 'shared')).toEqual(['to_own', 'preparing', 'shared']);
    expect(way('to_shared', 'own')).toEqual(['to_shared', 'own']);
  });

  it.each(['shared', 'preparing', 'to_own', 'own', 'to_shared'] as const)(
    'writes, while it is %s, to where questions go now, and to where they go next',
    (state) => {
      const next = (['shared', 'own'] as const).map((to) => readPlace(stateTowards(state, to)));
      expect(writePlaces(state)).toEqual(expect.arrayContaining([readPlace(state), ...next]));
    },
  );
});
