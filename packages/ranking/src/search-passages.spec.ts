import { describe, expect, it } from '@jest/globals';
import { CodeIndex } from '@latchkey/embeddings/code-index';
import { storeWindows } from '@latchkey/embeddings/window-vectors';
import type { Fingerprint } from './fingerprint.js';
import type { IndexReader, PostingEngine } from './index-reader.js';
import type { MetadataFilter } from './metadata-filter.js';
import { divideIntoBlocks, readBlocks } from './posting-block.js';
import type { SearchQuery } from './search-index.js';
import { SearchDeadline, SearchInterruptedError } from './search-deadline.js';
import { searchPassages } from './search-passages.js';
import { createWindowIndex } from './windows-by-codes.js';

const FILTER: MetadataFilter = { type: 'eq', key: 'kind', value: 'few' };

const SCOPE = { principals: [] };

/** An index in which every word is in the same passages, and what it is asked. */
class FakeReader implements IndexReader {
  readonly scans: string[][] = [];
  readonly visibilityTests: number[][] = [];
  /** Whether it takes little to find all matching passages. */
  isKnown = true;
  hidesSome = false;
  matches = new Set<number>([1, 2, 3]);
  visibleNumbers = (numbers: readonly number[]) => numbers;
  scan: (times: number) => number[] = () => [1, 2, 3];

  constructor(
    private readonly frequency = 40_000,
    private readonly languages = ['en'],
  ) {}

  statistics = () => ({
    passages: 100_000,
    tokens: 1_000_000,
    languages: this.languages,
  });
  frequencies = (stems: readonly string[]) =>
    new Map(stems.map((stem, index) => [stem, index === 0 ? 900 : this.frequency] as const));
  postings(stems: readonly string[]) {
    this.scans.push([...stems]);
    const numbers = this.scan(this.scans.length);
    const blocks = divideIntoBlocks(
      numbers.map((number) => ({ number, frequency: 1, tokens: number })),
    );
    return stems.map(() => readBlocks(blocks));
  }
  fingerprints: (numbers?: readonly number[]) => Map<number, Fingerprint> = () => new Map();
  engine = (): PostingEngine | undefined => undefined;
  hasRules = () => this.hidesSome;
  isStale = () => false;
  visibility = () => ({ numbers: this.matches, statistics: this.statistics() });
  similarWords = () => [];
  hasWord = () => true;
  visible(numbers: readonly number[]) {
    this.visibilityTests.push([...numbers]);
    return new Set(this.visibleNumbers(numbers));
  }
  /** How often the numbers of all matching passages were read. */
  reads = 0;
  knownMatching() {
    return this.isKnown ? this.matching() : undefined;
  }
  matching() {
    this.reads++;
    return this.matches;
  }
  /** Passages with a window each, the nearest to a vector of 1 and 0 first. */
  near: number[] = [];
  vectorOf = (rank: number) => Float32Array.of(Math.cos(rank / 4000), Math.sin(rank / 4000));
  private readonly windowsOfAll = () =>
    this.near.map((number, rank) => {
      const vector = this.vectorOf(rank);
      return [number, storeWindows([{ start: 0, end: rank, vector }])] as const;
    });
  windowIndex() {
    const index = new CodeIndex();
    for (const [number, { codes }] of this.windowsOfAll()) index.add(number, codes, 1);
    return createWindowIndex(index);
  }
  forgetWindows = () => undefined;
  windows = (_: string, numbers: readonly number[]) =>
    new Map(this.windowsOfAll().filter(([number]) => numbers.includes(number)));
  lacksVectors = () => this.near.length < this.statistics().passages;
  load = (numbers: readonly number[]) =>
    numbers.map((number) => ({
      number,
      passageId: `chunk_${number}`,
      documentId: 'doc_1',
      documentTitle: 'Birds',
      externalId: null,
      sourceUrl: null,
      metadata: {},
      language: null,
      heading: null,
      page: null,
      locator: null,
      date: null,
      contentDate: '2026-01-31',
      updatedAt: '2026-01-31T00:00:00.000Z',
      validUntil: null,
      documentVersion: 1,
      cells: null,
      text: '',
    }));
}

const search = async (
  reader: FakeReader,
  more: Partial<SearchQuery> = {},
  deadline = new SearchDeadline(60_000, () => false),
) => {
  const query = { kbId: 'kb_1', question: 'ice snow', limit: 3, scope: SCOPE, ...more };
  const { passages, partial } = await searchPassages(reader, query, deadline);
  return { found: passages.map(({ passageId }) => passageId), partial };
};
const ALL = ['chunk_1', 'chunk_2', 'chunk_3'];

describe(searchPassages.name, () => {
  it('reads no postings of the frequent words', async () => {
    const reader = new FakeReader();
    expect(await search(reader)).toEqual({ found: ALL, partial: false });
    expect(reader.scans).toEqual([['ic']]);
  });

  it('reads those of all words, in parts, where too few were found', async () => {
    const reader = new FakeReader();
    reader.scan = (times) => (times === 1 ? [1] : [1, 2, 3]);
    expect(await search(reader)).toEqual({ found: ALL, partial: false });
    expect(reader.scans).toEqual([['ic'], ['snow']]);
  });

  it('looks at more candidates before it reads more postings, where most are duplicates', async () => {
    const reader = new FakeReader();
    reader.scan = () => Array.from({ length: 1500 }, (_, index) => index + 1);
    const words = new Uint16Array();
    reader.fingerprints = (numbers: readonly number[] = []) =>
      new Map(numbers.map((number) => [number, { text: Math.max(1000, number), words }]));
    const found = ['chunk_1', 'chunk_1001', 'chunk_1002'];
    expect(await search(reader)).toEqual({ found, partial: false });
    expect(reader.scans).toEqual([['ic']]);
  });

  it('looks at further candidates of matching documents only', async () => {
    const reader = new FakeReader();
    reader.isKnown = false;
    reader.scan = () => Array.from({ length: 1500 }, (_, index) => index + 1);
    reader.visibleNumbers = (numbers) => numbers.filter((number) => number <= 300);
    const words = new Uint16Array();
    reader.fingerprints = (numbers: readonly number[] = []) =>
      new Map(numbers.map((number) => [number, { text: Math.max(300, number), words }]));
    reader.matches = new Set(reader.visibleNumbers(reader.scan(1)));
    expect(await search(reader, { filter: FILTER })).toEqual({
      found: ['chunk_1'],
      partial: false,
    });
  });

  it('scores the passages that an engine gives by all words, of whose postings it reads none', async () => {
    const reader = new FakeReader();
    const asked: unknown[] = [];
    reader.engine = () => ({
      best: (terms, limit, allowed) => {
        asked.push([terms.map(({ stem }) => stem), limit, allowed]);
        return Promise.resolve(
          terms.map(({ stem }) => {
            const numbers = stem === 'snow' ? [1, 3] : [2, 3];
            const [block] = divideIntoBlocks(
              numbers.map((n) => ({ number: n, frequency: 1, tokens: 9 })),
            );
            return readBlocks(block ? [block] : []);
          }),
        );
      },
      frequencies: () => Promise.resolve(new Map()),
    });
    expect((await search(reader)).found).toEqual(['chunk_3', 'chunk_2', 'chunk_1']);
    expect([reader.scans, asked]).toEqual([[], [[['ic', 'snow'], 300, undefined]]]);
  });

  it('answers with what it has found when the deadline comes later on', async () => {
    const reader = new FakeReader();
    reader.scan = (times) => {
      if (times > 1) throw new SearchInterruptedError();
      return [2, 1].sort();
    };
    expect(await search(reader)).toEqual({ found: ALL.slice(0, 2), partial: true });
  });

  it('has something to answer with when the deadline comes before the fingerprints', async () => {
    const reader = new FakeReader();
    reader.scan = () => [1];
    reader.fingerprints = () => {
      throw new SearchInterruptedError();
    };
    const { found, partial } = await search(reader);
    expect([found, partial]).toEqual([['chunk_1'], true]);
  });

  it('answers with nothing when the deadline comes first', async () => {
    const reader = new FakeReader();
    reader.scan = () => {
      throw new SearchInterruptedError();
    };
    expect(await search(reader)).toEqual({ found: [], partial: true });
  });

  it('is given up when nobody waits for its result', async () => {
    const reader = new FakeReader();
    const cancelled = new SearchDeadline(60_000, () => true);
    await expect(search(reader, {}, cancelled)).rejects.toBeInstanceOf(SearchInterruptedError);
    expect(reader.scans).toEqual([]);
  });

  it('searches nothing where no document matches the filter', async () => {
    const reader = new FakeReader();
    reader.matches = new Set();
    expect(await search(reader, { filter: FILTER })).toEqual({ found: [], partial: false });
    expect(reader.scans).toEqual([]);
  });

  it('finds passages of matching documents only, whichever set is smaller', async () => {
    for (const isKnown of [true, false]) {
      const reader = new FakeReader();
      reader.isKnown = isKnown;
      reader.matches = new Set([2]);
      reader.visibleNumbers = (numbers) => numbers.filter((number) => number === 2);
      expect(await search(reader, { filter: FILTER })).toEqual({
        found: ['chunk_2'],
        partial: false,
      });
      expect(reader.visibilityTests.length > 0).toBe(!isKnown);
    }
  });

  it('searches again, once, if passages were replaced meanwhile', async () => {
    const searches = async (limit: number, isStale: (times: number) => boolean) => {
      const reader = new FakeReader(600);
      reader.scan = (times) => (times === 1 ? [1, 2] : [2, 3]);
      reader.isStale = () => isStale(reader.scans.length);
      const { found } = await search(reader, { limit });
      return { found, searches: reader.scans.length };
    };
    const [first, again] = [
      ['chunk_1', 'chunk_2'],
      ['chunk_2', 'chunk_3'],
    ];
    expect(await searches(5, () => false)).toEqual({ found: first, searches: 1 });
    expect(await searches(5, (times) => times === 1)).toEqual({ found: again, searches: 2 });
    expect(await searches(5, () => true)).toEqual({ found: again, searches: 2 });
    expect(await searches(2, () => true)).toEqual({ found: again, searches: 2 });
  });

  it('goes on searching while passages are replaced and nothing is found, at most five times', async () => {
    const searches = async (scan: (times: number) => number[]) => {
      const reader = new FakeReader(600);
      reader.scan = scan;
      reader.isStale = () => true;
      const { found } = await search(reader);
      return { found, searches: reader.scans.length };
    };
    const late = (times: number) => (times < 4 ? [] : [2]);
    expect(await searches(late)).toEqual({ found: ['chunk_2'], searches: 4 });
    expect(await searches(() => [])).toEqual({ found: [], searches: 6 });
  });

  it('finds the nearest of matching documents, whether few or many match', async () => {
    const found = async (isKnown: boolean, matches: (number: number) => boolean) => {
      const reader = new FakeReader();
      reader.isKnown = isKnown;
      reader.scan = () => [];
      reader.near = Array.from({ length: 5000 }, (_, index) => index + 1);
      reader.matches = new Set(reader.near.filter(matches));
      reader.visibleNumbers = (numbers) => numbers.filter(matches);
      const embedding = { model: 'm', asked: Float32Array.of(1, 0) };
      const result = await search(reader, { filter: FILTER, embedding });
      return { ...result, isAsked: reader.visibilityTests.length > 0, read: reader.reads };
    };
    for (const [matches, best] of [
      [(number: number) => number % 3 === 0, 3],
      [(number: number) => number % 100 === 0, 100],
    ] as const) {
      const few = await found(true, matches);
      expect(few.found).toEqual([1, 2, 3].map((times) => `chunk_${times * best}`));
      expect(few).toMatchObject({ isAsked: false, read: 2 });
      const many = await found(false, matches);
      expect(many.found).toEqual(few.found);
      expect(many).toMatchObject({ isAsked: true, read: best === 3 ? 0 : 1 });
    }
  });

  it('finds the nearest of few matching documents though the signs of many others are nearer', async () => {
    const reader = new FakeReader();
    reader.isKnown = false;
    reader.scan = () => [];
    reader.near = Array.from({ length: 5000 }, (_, index) => index + 1);
    const isMatching = (number: number) => number % 20 === 0;
    reader.matches = new Set(reader.near.filter(isMatching));
    reader.visibleNumbers = (numbers) => numbers.filter(isMatching);
    const asked = new Float32Array(128).fill(0.02).fill(1, 0, 1);
    reader.vectorOf = (rank) =>
      asked.map((value, at) =>
        at === 0 ? (rank === 4499 ? 1 : 0.5) : at <= rank / 40 ? -value : value,
      );
    const { found } = await search(reader, { filter: FILTER, embedding: { model: 'm', asked } });
    expect(found[0]).toBe('chunk_4500');
  });

  it('looks up the stems of each language of the knowledge base', async () => {
    const reader = new FakeReader(10, ['de', 'en']);
    await searchPassages(
      reader,
      { kbId: 'kb_1', question: 'Universitäten universities', limit: 3, scope: SCOPE },
      new SearchDeadline(60_000, () => false),
    );
    expect(reader.scans[0]?.toSorted()).toEqual(
      expect.arrayContaining(['univers', 'universitat', 'universiti']),
    );
  });

  it('does not put passages that are not embedded yet behind those that are', async () => {
    const reader = new FakeReader();
    reader.near = [3, 2];
    const embedding = { model: 'm', asked: Float32Array.of(1, 0) };
    expect((await search(reader, { embedding })).found[0]).toBe('chunk_1');
    reader.near = [3, 2, ...Array.from({ length: 60 }, (_, index) => index + 4), 1];
    expect((await search(reader, { embedding })).found).toEqual(['chunk_2', 'chunk_3', 'chunk_1']);
  });

  it('says how near each window of a passage is to what is asked, and to the whole', async () => {
    const reader = new FakeReader();
    reader.near = [1];
    const embedding = {
      model: 'm',
      asked: Float32Array.of(1, 0),
      whole: Float32Array.of(0.6, 0.8),
    };
    const { passages } = await searchPassages(
      reader,
      { kbId: 'kb_1', question: 'ice snow', limit: 3, scope: SCOPE, embedding },
      new SearchDeadline(60_000, () => false),
    );
    const [window] = passages[0]?.windows ?? [];
    expect(window).toMatchObject({ start: 0, end: 0 });
    expect(window?.toAsked).toBeCloseTo(1, 2);
    expect(window?.toWhole).toBeCloseTo(0.6, 2);
    expect(passages[1]?.windows).toBeUndefined();
  });

  it('gives what it has found if the time is over before it knows which passages have no vector', async () => {
    const reader = new FakeReader();
    reader.near = [1];
    const windows = reader.windowIndex();
    reader.windowIndex = () => ({
      ...windows,
      missing: () => Promise.reject(new SearchInterruptedError()),
    });
    const embedding = { model: 'm', whole: Float32Array.of(1, 0) };
    expect(await search(reader, { embedding })).toEqual({ found: ALL, partial: true });
  });

  describe('whether passages lack vectors', () => {
    const embedding = { model: 'm', whole: Float32Array.of(1, 0) };
    const lacksVectors = async (reader: FakeReader, more: Partial<SearchQuery> = { embedding }) => {
      const query = { kbId: 'kb_1', question: 'ice snow', limit: 3, scope: SCOPE, ...more };
      const deadline = new SearchDeadline(60_000, () => false);
      return (await searchPassages(reader, query, deadline)).lacksVectors;
    };

    it('is reported, unless there are no embeddings', async () => {
      const reader = new FakeReader();
      reader.near = [1];
      expect(await lacksVectors(reader)).toBe(true);
      expect(await lacksVectors(reader, {})).toBeUndefined();
      reader.lacksVectors = () => false;
      expect(await lacksVectors(reader)).toBeUndefined();
    });

    it('is reported of visible passages alone', async () => {
      const reader = new FakeReader();
      reader.hidesSome = true;
      reader.near = [1, 2];
      expect(await lacksVectors(reader)).toBe(true);
      reader.near = [1, 2, 3];
      expect(await lacksVectors(reader)).toBeUndefined();
    });
  });
});
