import { describe, expect, it } from '@jest/globals';
import { CodeIndex } from '@latchkey/embeddings/code-index';
import { storeWindows } from '@latchkey/embeddings/window-vectors';
import type { IndexReader } from './index-reader.js';
import { divideIntoBlocks, readBlocks } from './posting-block.js';
import { ScopedIndexReader } from './scoped-index-reader.js';
import { SearchDeadline } from './search-deadline.js';
import { createWindowIndex } from './windows-by-codes.js';

const SCOPE = { type: 'eq', key: 'audience', value: 'customers' } as const;
const VISIBLE = new Set([1, 3]);
const TEXTS: Readonly<Record<number, string>> = {
  1: 'The charger is connected.',
  2: 'A connection.',
  3: 'It was connecting.',
};
const EMPTY = { passages: 0, tokens: 0, languages: [] };

/** Three passages, each with the stem `connect`. */
const reader: IndexReader = {
  statistics: () => ({ ...EMPTY, passages: 3 }),
  hasRules: () => false,
  isStale: () => false,
  engine: () => undefined,
  visibility: () => ({ numbers: VISIBLE, statistics: { ...EMPTY, passages: 2 } }),
  frequencies: (stems) => new Map(stems.map((stem) => [stem, 3])),
  postings: (stems) =>
    stems.map(() =>
      readBlocks(
        divideIntoBlocks([1, 2, 3].map((number) => ({ number, frequency: number, tokens: 9 }))),
      ),
    ),
  fingerprints: () => new Map(),
  similarWords: (_, { limit }) =>
    ['connected', 'connection'].map((word) => ({ word, stem: 'connect' })).slice(0, limit),
  hasWord: () => true,
  visible: (numbers) => new Set(numbers),
  knownMatching: () => undefined,
  matching: () => VISIBLE,
  windowIndex: () => createWindowIndex(new CodeIndex()),
  forgetWindows: () => undefined,
  windows: () => new Map(),
  lacksVectors: () => true,
  load: (numbers) =>
    numbers.map((number) => ({
      ...{ number, passageId: `chunk_${number}`, documentId: 'doc_1', documentTitle: 'Manual' },
      ...{ externalId: null, sourceUrl: null, metadata: {}, language: 'en', heading: null },
      ...{
        page: null,
        locator: null,
        cells: null,
        date: null,
        contentDate: '2026-01-31',
        updatedAt: '2026-01-31T00:00:00.000Z',
        validUntil: null,
        documentVersion: 1,
        text: TEXTS[number] ?? '',
      },
    })),
};

describe(ScopedIndexReader.name, () => {
  const open = async () => {
    const scoped = new ScopedIndexReader(reader, SCOPE, new SearchDeadline(60_000, () => false));
    expect(await scoped.statistics()).toMatchObject({ passages: 2 });
    return scoped;
  };

  it('asks an engine of visible passages alone', async () => {
    const asked: unknown[] = [];
    const engine = {
      best: (_terms: unknown, limit: number, allowed: Iterable<number> | undefined) => {
        asked.push([limit, ...(allowed ?? [])]);
        return Promise.resolve([
          readBlocks(divideIntoBlocks([{ number: 3, frequency: 1, tokens: 9 }])),
        ]);
      },
      frequencies: (_stems: unknown, allowed: Iterable<number>) => {
        asked.push([...allowed]);
        return Promise.resolve(new Map([['connect', 2]]));
      },
    };
    const deadline = new SearchDeadline(60_000, () => false);
    const scoped = new ScopedIndexReader({ ...reader, engine: () => engine }, SCOPE, deadline);
    await scoped.statistics();
    expect(await scoped.frequencies(['connect'])).toEqual(new Map([['connect', 2]]));
    const terms = [{ stem: 'connect', weight: 1, times: 1 }];
    await (await scoped.engine())?.best(terms, 5, undefined);
    await (await scoped.engine())?.best(terms, 5, new Set([1]));
    expect(await scoped.hasWord({ word: 'connecting', stem: 'connect' })).toBe(true);
    expect(await scoped.hasWord({ word: 'connection', stem: 'connect' })).toBe(false);
    expect(asked).toEqual([
      [1, 3],
      [5, 1, 3],
      [5, 1],
      [64, 1, 3],
      [64, 1, 3],
    ]);
  });

  it('lacks no vectors while hidden passages alone have none', async () => {
    const withVectors = async (...numbers: number[]) => {
      const codes = new CodeIndex();
      const vector = Float32Array.of(1, 0);
      const stored = storeWindows([{ start: 0, end: 1, vector }]);
      for (const number of numbers) codes.add(number, stored.codes, 1);
      const windowIndex = () => createWindowIndex(codes);
      const deadline = new SearchDeadline(60_000, () => false);
      const scoped = new ScopedIndexReader({ ...reader, windowIndex }, SCOPE, deadline);
      await scoped.statistics();
      return scoped.lacksVectors('m');
    };
    expect(await withVectors(1, 3)).toBe(false);
    expect(await withVectors(1, 2)).toBe(true);
  });

  it('counts and gives the postings of visible passages alone', async () => {
    const scoped = await open();
    expect(await scoped.frequencies(['connect'])).toEqual(new Map([['connect', 2]]));
    const [list] = await scoped.postings(['connect']);
    expect([...(list?.numbers ?? [])]).toEqual([1, 3]);
    expect([...(list?.frequencies ?? [])]).toEqual([1, 3]);
  });

  it('gives what it counted when passages are hidden meanwhile', async () => {
    const visible = new Set(VISIBLE);
    const visibility = () => ({ numbers: visible, statistics: { ...EMPTY, passages: 2 } });
    const deadline = new SearchDeadline(60_000, () => false);
    const scoped = new ScopedIndexReader({ ...reader, visibility }, SCOPE, deadline);
    await scoped.statistics();
    expect(await scoped.frequencies(['connect'])).toEqual(new Map([['connect', 2]]));
    visible.delete(1);
    const [list] = await scoped.postings(['connect']);
    expect([...(list?.numbers ?? [])]).toEqual([1, 3]);
  });

  it('has no word that only hidden passages have, if the visible ones have its stem', async () => {
    const scoped = await open();
    const has = (word: string) => scoped.hasWord({ word, stem: 'connect' });
    expect(await has('connected')).toBe(true);
    expect(await has('connecting')).toBe(true);
    expect(await has('connection')).toBe(false);
  });

  it('takes no end of a list of similar words, in which hidden ones stand', async () => {
    const scoped = await open();
    const limits = { minShared: 1, limit: 1 };
    expect(await scoped.similarWords(['con'], limits)).toHaveLength(2);
  });
});
