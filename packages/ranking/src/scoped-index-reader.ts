import { MATCHED_FIRST, POSTINGS_PER_READ } from './bounds.js';
import { foldLetters } from '@latchkey/text/fold-text';
import type { IndexReader, IndexStatistics, LoadedPassage, PostingEngine } from './index-reader.js';
import { combineFilters, type MetadataFilter } from './metadata-filter.js';
import type { Numbers } from './number-values.js';
import { type PostingList, readBlocks } from './posting-block.js';
import type { SearchDeadline } from './search-deadline.js';
import type { SimilarWord, SimilarWordLimits } from './spelling.js';
import { groupTerms } from './term-selection.js';
import { tokenize } from '@latchkey/text/tokenize';

/** Passages that are read for a word, and how many at a time. */
const MAX_READ = 64;
const READ = 16;
/** The number of passages that are looked up at a time. */
const CHECKED = 4096;
const NO_POSTINGS = readBlocks([]);

/**
 * The part of an index that a credential may see if it does not open all documents: every number and every word
 * comes from the visible passages alone. Otherwise scores and corrected words would reveal how many hidden
 * passages have a word.
 */
export class ScopedIndexReader implements IndexReader {
  private visibleNumbers: Numbers = new Set();
  /** The visible postings of the stems that were asked for. */
  private readonly lists = new Map<string, PostingList>();

  /** @param scope which of the visible documents the credential opens; undefined for all of them */
  constructor(
    private readonly reader: IndexReader,
    private readonly scope: MetadataFilter | undefined,
    private readonly deadline: SearchDeadline,
  ) {}

  /** Must be called first. */
  async statistics(): Promise<IndexStatistics> {
    const { numbers, statistics } = await this.reader.visibility(this.scope);
    this.visibleNumbers = numbers;
    return statistics;
  }

  hasRules(): boolean {
    return true;
  }

  isStale(): boolean {
    return this.reader.isStale();
  }

  visibility(filter: MetadataFilter | undefined) {
    return this.reader.visibility(this.restrictToScope(filter));
  }

  /** An engine that is restricted to the visible passages. */
  async engine(): Promise<PostingEngine | undefined> {
    const engine = await this.reader.engine();
    return (
      engine && {
        best: (terms, limit, allowed = this.visibleNumbers) => engine.best(terms, limit, allowed),
        frequencies: (stems, allowed) => engine.frequencies(stems, allowed),
      }
    );
  }

  async frequencies(stems: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const engine = await this.reader.engine();
    if (engine) return engine.frequencies(stems, this.visibleNumbers);
    await this.readLists(stems);
    return new Map(stems.map((stem) => [stem, this.lists.get(stem)?.numbers.length ?? 0]));
  }

  async postings(stems: readonly string[]): Promise<PostingList[]> {
    await this.readLists(stems);
    return stems.map((stem) => this.lists.get(stem) ?? NO_POSTINGS);
  }

  fingerprints(numbers: readonly number[]) {
    return this.reader.fingerprints(numbers);
  }

  /** Returns all words with enough shared keys: in a limited list, hidden words could displace visible ones. */
  similarWords(keys: readonly string[], { minShared }: SimilarWordLimits) {
    return this.reader.similarWords(keys, { minShared, limit: Number.MAX_SAFE_INTEGER });
  }

  /** Reads the passages, because a visible one may have the stem of another word, and only a hidden one this word. */
  async hasWord({ word, stem }: SimilarWord): Promise<boolean> {
    const engine = await this.engine();
    const [list = NO_POSTINGS] = engine
      ? await engine.best([{ stem, weight: 1, times: 1 }], MAX_READ, undefined)
      : await this.postings([stem]);
    const numbers = [...list.numbers.subarray(0, MAX_READ)];
    for (let start = 0; start < numbers.length; start += READ) {
      const passages = await this.load(numbers.slice(start, start + READ), undefined);
      if (passages.some((passage) => collectWords(passage).has(word))) return true;
    }
    return false;
  }

  visible(numbers: readonly number[], filter: MetadataFilter | undefined) {
    return this.reader.visible(numbers, this.restrictToScope(filter));
  }

  matching(filter: MetadataFilter | undefined) {
    return filter ? this.reader.matching(this.restrictToScope(filter)) : this.visibleNumbers;
  }

  /** Decides by the number of visible passages: the number of hidden ones must not affect the search. */
  knownMatching(filter: MetadataFilter) {
    const isSmall = this.visibleNumbers.size < MATCHED_FIRST;
    return isSmall
      ? this.matching(filter)
      : this.reader.knownMatching(this.restrictToScope(filter) ?? filter);
  }

  /** The index also has hidden passages, so VectorSearch passes it the visible ones. */
  windowIndex(model: string) {
    return this.reader.windowIndex(model);
  }

  forgetWindows(model: string): void {
    this.reader.forgetWindows(model);
  }

  windows(model: string, numbers: readonly number[]) {
    return this.reader.windows(model, numbers);
  }

  /** Looks at the visible passages alone, since hidden ones without vectors must not show. */
  async lacksVectors(model: string): Promise<boolean> {
    if (!(await this.reader.lacksVectors(model))) return false;
    const windows = await this.reader.windowIndex(model);
    const numbers = [...this.visibleNumbers];
    for (let start = 0; start < numbers.length; start += CHECKED) {
      const missing = await windows.missing(numbers.slice(start, start + CHECKED));
      if (missing.size > 0) return true;
      this.deadline.check();
      await this.deadline.yield();
    }
    return false;
  }

  load(numbers: readonly number[], filter: MetadataFilter | undefined) {
    return this.reader.load(numbers, this.restrictToScope(filter));
  }

  private restrictToScope(filter: MetadataFilter | undefined): MetadataFilter | undefined {
    return combineFilters(this.scope, filter);
  }

  private async readLists(stems: readonly string[]): Promise<void> {
    const missing = [...new Set(stems)].filter((stem) => !this.lists.has(stem));
    if (missing.length === 0) return;
    const frequencies = await this.reader.frequencies(missing);
    const found = missing
      .map((stem) => ({ stem, frequency: frequencies.get(stem) ?? 0 }))
      .filter(({ frequency }) => frequency > 0);
    // They are read in parts, because other requests wait while a part is received.
    for (const group of groupTerms(found, POSTINGS_PER_READ)) {
      const lists = await this.reader.postings(group.map(({ stem }) => stem));
      for (const [index, { stem }] of group.entries()) {
        // Filtered at once, because the visible passages may change before the list is used again.
        this.lists.set(stem, keepVisible(lists[index] ?? NO_POSTINGS, this.visibleNumbers));
      }
      await this.deadline.yield();
    }
  }
}

// An iterator would create an entry for each of a hundred thousand postings.
function countVisible({ numbers }: PostingList, visible: Numbers): number {
  let count = 0;
  for (let index = 0; index < numbers.length; index++) {
    if (visible.has(numbers[index] ?? 0)) count++;
  }
  return count;
}

function keepVisible(list: PostingList, visible: Numbers): PostingList {
  const count = countVisible(list, visible);
  const kept = {
    numbers: new Float64Array(count),
    frequencies: new Uint16Array(count),
    tokens: new Uint16Array(count),
  };
  for (let index = 0, at = 0; at < count && index < list.numbers.length; index++) {
    const number = list.numbers[index] ?? 0;
    if (!visible.has(number)) continue;
    kept.numbers[at] = number;
    kept.frequencies[at] = list.frequencies[index] ?? 0;
    kept.tokens[at] = list.tokens[index] ?? 0;
    at++;
  }
  return kept;
}

const collectWords = ({ documentTitle, heading, text, language }: LoadedPassage): Set<string> =>
  new Set(
    [documentTitle, heading ?? '', text].flatMap((field) =>
      tokenize(field, language).map(foldLetters),
    ),
  );
