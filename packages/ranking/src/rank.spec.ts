import { describe, expect, it } from '@jest/globals';
import { readFingerprint, writeFingerprint } from './fingerprint.js';
import { type Hit, orderByContext, rerank } from './rank.js';
import { SearchDeadline } from './search-deadline.js';

const hit = (number: number, score: number, text = ''): Hit => ({
  number,
  score,
  fingerprint: readFingerprint(writeFingerprint(text, [[], [], text.split(' ')])),
});
const deadline = new SearchDeadline(Infinity, () => false);
const numbers = (hits: readonly Hit[]) => hits.map(({ number }) => number);

describe(rerank.name, () => {
  it('puts first a passage in which words of the question are adjacent', async () => {
    const hits = [hit(1, 1, 'snow of the bird'), hit(2, 1, 'the snow bird')];
    expect(numbers(await rerank(hits, [['snow', 'bird']], deadline))).toEqual([2, 1]);
  });

  it('counts words in the order of the question only', async () => {
    const [first] = await rerank([hit(1, 1, 'bird snow')], [['snow', 'bird']], deadline);
    expect(first?.score).toBe(1);
  });

  it('gives more for a pair that fewer of the hits have', async () => {
    const common = [3, 4, 5, 6].map((number) => hit(number, 0, 'ice cold'));
    const ranked = await rerank(
      [hit(1, 1, 'ice cold'), hit(2, 1, 'snow bird'), ...common],
      [['ice', 'cold', 'snow', 'bird']],
      deadline,
    );
    expect(numbers(ranked).slice(0, 2)).toEqual([2, 1]);
  });

  it('keeps scores where there is no fingerprint, equal ones in the order of numbers', async () => {
    const bare = [3, 1, 2].map((number) => ({ number, score: 5, fingerprint: undefined }));
    const ranked = await rerank(bare, [['snow', 'bird']], deadline);
    expect(ranked).toEqual([bare[1], bare[2], bare[0]]);
  });
});

describe(orderByContext.name, () => {
  const terms = ['snow', 'melts'].map((word) => ({
    stems: [word],
    weight: 1,
    times: 1,
  }));
  const apart = hit(1, 3, `snow ${'filler '.repeat(30)}melts`);
  const near = hit(2, 2.9, `snow that melts ${'filler '.repeat(29).trim()}`);

  it('puts first a passage in which words of the question are near each other', async () => {
    expect(numbers(await orderByContext([apart, near], terms, deadline))).toEqual([2, 1]);
  });

  it('counts a word once, however often a passage repeats it', async () => {
    const repeated = hit(1, 3, 'snow snow snow');
    const both = hit(2, 2.9, 'snow melts');
    expect(numbers(await orderByContext([repeated, both], terms, deadline))).toEqual([2, 1]);
  });

  it('gives a passage the score of its new place', async () => {
    const ordered = await orderByContext([apart, near], terms, deadline);
    expect(ordered.map(({ score }) => score)).toEqual([3, 2.9]);
  });

  it('leaves the order of passages that differ only in their scores', async () => {
    const other = { ...near, number: 3, score: 3.5 };
    const hits = [other, near, { ...near, number: 4, fingerprint: undefined, score: 1 }];
    expect(await orderByContext(hits, terms, deadline)).toEqual(hits);
  });

  it('counts a word as often as the passage has it, but not more often than the question', async () => {
    const once = hit(1, 2, 'snow melts');
    const twice = hit(2, 2, 'snow that is snow');
    expect(numbers(await orderByContext([twice, once], terms, deadline))).toEqual([1, 2]);
    const repeated = { stems: ['snow'], weight: 1, times: 2 };
    expect(numbers(await orderByContext([once, twice], [repeated], deadline))).toEqual([2, 1]);
  });

  describe('of many hits', () => {
    const birds = Array.from({ length: 10 }, (_, n) => hit(n + 1, 20 - n / 10, 'ice bird colony'));
    const others = Array.from({ length: 30 }, (_, n) =>
      hit(n + 20, 15 - n / 10, `ice machine ${'abcdefghijklmnopqrstuvwxyzäöüß'.charAt(n)}`),
    );

    it('puts first what is about the same as the best hits', async () => {
      const hits = [...birds, ...others, hit(99, 12, 'bird colony')];
      const ordered = await orderByContext(hits, [], deadline);
      expect(numbers(ordered).indexOf(99)).toBe(birds.length);
    });

    it('leaves the best hit the best', async () => {
      const hits = [hit(99, 20.1, 'ice'), ...birds, ...others];
      expect(numbers(await orderByContext(hits, [], deadline))[0]).toBe(99);
    });

    it('leaves few hits as they are', async () => {
      const hits = [...birds.slice(0, 5), hit(50, 19, 'ice'), hit(51, 18.9, 'bird colony')];
      expect(await orderByContext(hits, [], deadline)).toEqual(hits);
    });
  });
});
