import { describe, expect, it } from '@jest/globals';
import type { IndexReader, SearchOptions } from './index-reader.js';
import type { Filter } from './metadata-filter.js';
import type { Hit } from './rank.js';
import { SearchDeadline, SearchInterruptedError } from './search-deadline.js';
import { searchPassages } from './search-passages.js';

const FILTER: Filter = { type: 'eq', key: 'kind', value: 'few' };

const hit = (number: number): Hit => ({ number, score: 100 - number, fingerprint: undefined });

/** An index in which every word is in many passages, and what it is asked. */
class FakeReader implements IndexReader {
  readonly searches: SearchOptions[] = [];
  heavyPostings = Infinity;
  documents = 1000;
  hasMatch = true;

  constructor(
    private readonly finds: (options: SearchOptions) => Hit[],
    private readonly frequency = 4000,
  ) {}

  frequencies = (stems: readonly string[]) =>
    new Map(stems.map((stem) => [stem, this.frequency] as const));
  countPassages = () => 10_000;
  similarWords = () => [];
  hasFewerDocuments = (count: number) => this.documents < count;
  hasDocument = () => this.hasMatch;
  nearest = () => [];
  find(options: SearchOptions): Hit[] {
    this.searches.push(options);
    return this.finds(options);
  }
  load = (numbers: readonly number[]) =>
    numbers.map((number) => ({
      number,
      chunkId: `chunk_${number}`,
      documentId: 'doc_1',
      documentTitle: 'Birds',
      externalId: null,
      sourceUrl: null,
      metadata: {},
      language: null,
      heading: null,
      page: null,
      locator: null,
      text: '',
    }));
}

const search = async (
  reader: FakeReader,
  more: { filter?: Filter } = {},
  deadline = new SearchDeadline(60_000, () => false),
) => {
  const query = { kbId: 'kb_1', question: 'ice snow', limit: 3, ...more };
  const { passages, partial } = await searchPassages(reader, query, deadline);
  return { found: passages.map(({ chunkId }) => chunkId), partial };
};

describe(searchPassages.name, () => {
  it('looks at every passage with a word only where too few were found', async () => {
    const reader = new FakeReader(({ onlyVisible }) => (onlyVisible ? [1, 2, 3] : [1]).map(hit));
    expect(await search(reader)).toEqual({
      found: ['chunk_1', 'chunk_2', 'chunk_3'],
      partial: false,
    });
    expect(reader.searches.map(({ terms }) => terms.common.length)).toEqual([1, 0]);
  });

  it('answers with what it has found when the deadline comes later on', async () => {
    const reader = new FakeReader(({ onlyVisible }) => {
      if (onlyVisible) throw new SearchInterruptedError();
      return [hit(2), hit(1)];
    });
    expect(await search(reader)).toEqual({ found: ['chunk_1', 'chunk_2'], partial: true });
  });

  it('has something to answer with when the deadline comes amid a heavy question', async () => {
    const reader = new FakeReader(({ terms }) => {
      if (terms.common.length > 0) throw new SearchInterruptedError();
      return [hit(1)];
    });
    reader.heavyPostings = 5000;
    const { found, partial } = await search(reader);
    expect([found, partial]).toEqual([['chunk_1'], true]);
  });

  it('answers with nothing when the deadline comes first', async () => {
    const reader = new FakeReader(() => {
      throw new SearchInterruptedError();
    });
    expect(await search(reader)).toEqual({ found: [], partial: true });
  });

  it('is given up when nobody waits for its result', async () => {
    const reader = new FakeReader(() => []);
    const cancelled = new SearchDeadline(60_000, () => true);
    await expect(search(reader, {}, cancelled)).rejects.toBeInstanceOf(SearchInterruptedError);
    expect(reader.searches).toEqual([]);
  });

  it('searches nothing where no document matches the filter', async () => {
    const reader = new FakeReader(() => [1, 2, 3].map(hit));
    reader.hasMatch = false;
    expect(await search(reader, { filter: FILTER })).toEqual({ found: [], partial: false });
    expect(reader.searches).toEqual([]);
  });

  it.each([
    [1000, true],
    [1_000_000, false],
  ])('with a filter begins with the smaller set: %d documents', async (documents, first) => {
    const reader = new FakeReader(() => [1, 2, 3].map(hit));
    reader.documents = documents;
    await search(reader, { filter: FILTER });
    expect(reader.searches.map(({ filter }) => filter?.documentsFirst)).toEqual([first]);
  });
});
