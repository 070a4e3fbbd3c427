import { describe, expect, it } from '@jest/globals';
import {
  correctSpelling,
  computeEditDistance,
  listMisspellingKeys,
  listWordKeys,
} from './spelling.js';
import { stem } from '@latchkey/text/tokenize';

/** Corrects words by an index that has these words in so many passages. */
const correct = async (frequencies: Record<string, number>, ...words: string[]) => {
  const corrections = await correctSpelling(
    {
      similarWords: (keys) =>
        Object.keys(frequencies)
          .filter((word) => listWordKeys(word).some((key) => keys.includes(key)))
          .map((word) => ({ word, stem: stem(word) })),
      hasWord: () => true,
      frequencies: () =>
        new Map(Object.entries(frequencies).map(([word, count]) => [stem(word), count])),
    },
    words.map((word) => ({ word: word.toLowerCase(), mayBeName: /^[A-Z]/.test(word) })),
  );
  return words.map((word) => corrections.get(word.toLowerCase())?.stem);
};

describe(computeEditDistance.name, () => {
  it.each([
    ['', '', 0],
    ['bird', 'bird', 0],
    ['bird', 'brid', 1],
    ['bird', 'birds', 1],
    ['bird', 'ird', 1],
    ['bird', 'bord', 1],
    ['bird', 'birds2', 2],
    // Optimal string alignment: no letter is changed twice.
    ['ca', 'abc', 3],
    ['', 'bird', 4],
  ])('%j and %j: %i', (one, other, distance) => {
    expect(computeEditDistance(one, other)).toBe(distance);
    expect(computeEditDistance(other, one)).toBe(distance);
  });
});

describe(correctSpelling.name, () => {
  it('corrects one letter, and two of a long word', async () => {
    const index = { refund: 3, delivery: 3 };
    expect(await correct(index, 'refumd', 'delibrey', 'refuxx')).toEqual([
      stem('refund'),
      stem('delivery'),
      undefined,
    ]);
  });

  it('prefers the nearest word, then one with its first letter, then the most frequent', async () => {
    expect(await correct({ cotton: 1, notion: 100 }, 'cotion')).toEqual([stem('cotton')]);
    expect(await correct({ mast: 1, most: 9 }, 'mist')).toEqual([stem('most')]);
  });

  it('leaves short words and numbers as they are', async () => {
    expect(await correct({ bird: 1, 2024: 1 }, 'brd', '2025')).toEqual([undefined, undefined]);
  });

  it('makes no other name of a name, but finds a long one with one mistake', async () => {
    const index = { smits: 5, braun: 5, einstein: 5, trumps: 5 };
    expect(await correct(index, 'Smith', 'Brown', 'Trump')).toEqual(Array(3).fill(undefined));
    expect(await correct(index, 'Einstien', 'Ainstein', 'Einsteen', 'Einsteeen')).toEqual([
      stem('einstein'),
      undefined,
      stem('einstein'),
      undefined,
    ]);
  });

  it('finds a short word by a shared key, whatever letter is wrong', () => {
    const keys = listWordKeys('snow');
    for (const misspelt of ['nsow', 'snowy', 'xnow', 'snox']) {
      expect(listMisspellingKeys(misspelt).some((key) => keys.includes(key))).toBe(true);
    }
  });
});
