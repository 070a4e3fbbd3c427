import { describe, expect, it } from '@jest/globals';
import { readFingerprint, writeFingerprint } from './fingerprint.js';
import { fuse, type Hit, orderByNearness, rerank } from './rank.js';

const hit = (number: number, score: number, text = ''): Hit => ({
  number,
  score,
  fingerprint: readFingerprint(writeFingerprint(text, [[], [], text.split(' ')])),
});
const numbers = (hits: readonly Hit[]) => hits.map(({ number }) => number);

describe(rerank.name, () => {
  it('puts first a passage in which words of the question are adjacent', () => {
    const hits = [hit(1, 1, 'snow of the bird'), hit(2, 1, 'the snow bird')];
    expect(numbers(rerank(hits, [['snow', 'bird']]))).toEqual([2, 1]);
  });

  it('counts words in the order of the question only', () => {
    const [first] = rerank([hit(1, 1, 'bird snow')], [['snow', 'bird']]);
    expect(first?.score).toBe(1);
  });

  it('gives more for a pair that fewer of the hits have', () => {
    const common = [3, 4, 5, 6].map((number) => hit(number, 0, 'ice cold'));
    const ranked = rerank(
      [hit(1, 1, 'ice cold'), hit(2, 1, 'snow bird'), ...common],
      [['ice', 'cold', 'snow', 'bird']],
    );
    expect(numbers(ranked).slice(0, 2)).toEqual([2, 1]);
  });

  it('keeps scores where there is no fingerprint, equal ones in the order of numbers', () => {
    const bare = [3, 1, 2].map((number) => ({ number, score: 5, fingerprint: undefined }));
    expect(rerank(bare, [['snow', 'bird']])).toEqual([bare[1], bare[2], bare[0]]);
  });
});

describe(orderByNearness.name, () => {
  const terms = ['snow', 'melts'].map((word) => ({
    ...{ word, stems: [word], weight: 1, isKnown: true, mayBeName: false },
  }));
  const apart = hit(1, 3, `snow ${'filler '.repeat(30)}melts`);
  const near = hit(2, 2.9, `snow that melts ${'filler '.repeat(29).trim()}`);

  it('puts first a passage in which words of the question are near each other', () => {
    expect(numbers(orderByNearness([apart, near], terms))).toEqual([2, 1]);
  });

  it('gives a passage the score of its new place', () => {
    const scores = orderByNearness([apart, near], terms).map(({ score }) => score);
    expect(scores).toEqual([3, 2.9]);
  });

  it('leaves the order of passages that differ only in their scores', () => {
    const other = { ...near, number: 3, score: 3.5 };
    const hits = [other, near, { ...near, number: 4, fingerprint: undefined, score: 1 }];
    expect(orderByNearness(hits, terms)).toEqual(hits);
  });
});

describe(fuse.name, () => {
  it('puts first what both lists rank high, whatever their scores', () => {
    const byWords = [hit(1, 900), hit(2, 3), hit(3, 2)];
    const byVectors = [hit(4, 0), hit(2, 0)];
    expect(numbers(fuse(byWords, byVectors))).toEqual([2, 1, 4, 3]);
  });
});
