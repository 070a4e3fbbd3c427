import { describe, expect, it } from '@jest/globals';
import { readFingerprint, writeFingerprint } from './fingerprint.js';
import { NearDuplicateFilter } from './near-duplicate-filter.js';
import { SearchDeadline } from './search-deadline.js';

const words = (count: number, ...others: string[]) => [
  ...Array.from({ length: count - others.length }, (_, index) => `word${index}`),
  ...others,
];

const choose = async (texts: string[][], { limit = 10, timeoutMs = 60_000 } = {}) => {
  const hits = texts.map((text, number) => ({
    number,
    score: -number,
    fingerprint: readFingerprint(writeFingerprint(text.join(' '), [['title'], [], text])),
  }));
  const filter = new NearDuplicateFilter(new SearchDeadline(timeoutMs, () => false));
  return (await filter.choose(hits, limit)).map(({ number }) => number);
};

describe(NearDuplicateFilter.name, () => {
  it('keeps the first of equal texts, however short', async () => {
    expect(await choose([['ice'], ['snow'], ['ice']])).toEqual([0, 1]);
  });

  it('leaves out a long text that differs in a word, and keeps a short one', async () => {
    expect(await choose([words(100), words(100, 'other')])).toEqual([0]);
    expect(await choose([words(19), words(19, 'other')])).toEqual([0, 1]);
  });

  it('keeps a long text that shares less than nine tenths of its runs of three words', async () => {
    const others = Array.from({ length: 10 }, (_, index) => `other${index}`);
    expect(await choose([words(100), words(100, ...others)])).toEqual([0, 1]);
  });

  it('stops at the limit, which near duplicates do not count towards', async () => {
    expect(await choose([['ice'], ['ice'], ['snow'], ['rain']], { limit: 2 })).toEqual([0, 2]);
  });

  it('compares only whole texts once the deadline is over', async () => {
    const texts = [words(100), words(100, 'other'), words(100)];
    expect(await choose(texts, { timeoutMs: 0 })).toEqual([0, 1]);
  });

  it('lists the best of those that it left out', async () => {
    const hits = Array.from({ length: 20 }, (_, number) => {
      const text = words(100, `other${number}`);
      const fingerprint = readFingerprint(writeFingerprint(text.join(' '), [['title'], [], text]));
      return { number, score: -number, fingerprint };
    });
    const filter = new NearDuplicateFilter(new SearchDeadline(60_000, () => false));
    const [first] = await filter.choose(hits, 10);
    if (!first) throw new Error('nothing is chosen');
    expect(filter.listSimilar(first)).toEqual(hits.slice(1, 13));
  });

  it('keeps what has no fingerprint', async () => {
    const filter = new NearDuplicateFilter(new SearchDeadline(60_000, () => false));
    const hits = [1, 2].map((number) => ({ number, score: 1, fingerprint: undefined }));
    expect(await filter.choose(hits, 2)).toEqual(hits);
  });
});
