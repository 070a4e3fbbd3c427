import { MATCHED_FIRST, POSTINGS_PER_READ } from './bounds.js';
import { foldLetters } from '@latchkey/text/fold-text';
import type { IndexReader, IndexStatistics, LoadedPassage, PostingEngine } from './index-reader.js';
import { allOf, type Filter } from './metadata-filter.js';
import type { Numbers } from './number-values.js';
import { type PostingList, readBlocks } from './posting-block.js';
import type { SearchDeadline } from './search-deadline.js';
import type { SimilarWord, SimilarWordLimits } from './spelling.js';
import { groupTerms } from './term-selection.js';
import { tokenize } from '@latchkey/text/tokenize';

/** Passages that are read for a word, and how many at a time. */
const MAX_READ = 64;
const READ = 16;
const NO_POSTINGS = readBlocks([]);

/**
 * What a credential that does not open all documents may know of an index: every number and every word that it gives is of
 * the visible passages alone. Otherwise scores and corrected words would tell in how many hidden
 * passages a word is.
 */
export class ScopedIndexReader implements IndexReader {
  private visibleNumbers: Numbers = new Set();
  /** The visible postings of the stems that were asked for. */
  private readonly lists = new Map<string, PostingList>();

  /** @param scope which of the visible documents the credential opens; undefined for all of them */
  constructor(
    private readonly reader: IndexReader,
    private readonly scope: Filter | undefined,
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

  visibility(filter: Filter | undefined) {
    return this.reader.visibility(this.within(filter));
  }

  /** Of the visible passages alone. */
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

  /** All within the least number of shared keys: of a limited list hidden words could take the places. */
  similarWords(keys: readonly string[], { minShared }: SimilarWordLimits) {
    return this.reader.similarWords(keys, { minShared, limit: Number.MAX_SAFE_INTEGER });
  }

  /** A visible passage may have the stem by another word, and only a hidden one this word. */
  async hasWord({ word, stem }: SimilarWord): Promise<boolean> {
    const engine = await this.engine();
    const [list = NO_POSTINGS] = engine
      ? await engine.best([{ stem, weight: 1, times: 1 }], MAX_READ, undefined)
      : await this.postings([stem]);
    const numbers = [...list.numbers.subarray(0, MAX_READ)];
    for (let start = 0; start < numbers.length; start += READ) {
      const passages = await this.load(numbers.slice(start, start + READ), undefined);
      if (passages.some((passage) => wordsOf(passage).has(word))) return true;
    }
    return false;
  }

  visible(numbers: readonly number[], filter: Filter | undefined) {
    return this.reader.visible(numbers, this.within(filter));
  }

  matching(filter: Filter | undefined) {
    return filter ? this.reader.matching(this.within(filter)) : this.visibleNumbers;
  }

  /** By visible passages: how many hidden ones there are must not decide how to search. */
  knownMatching(filter: Filter) {
    const isSmall = this.visibleNumbers.size < MATCHED_FIRST;
    return isSmall
      ? this.matching(filter)
      : this.reader.knownMatching(this.within(filter) ?? filter);
  }

  /** Also of hidden passages, so that VectorSearch looks for matching ones only. */
  windowIndex(model: string) {
    return this.reader.windowIndex(model);
  }

  forgetWindows(model: string): void {
    this.reader.forgetWindows(model);
  }

  windows(model: string, numbers: readonly number[]) {
    return this.reader.windows(model, numbers);
  }

  sentences(model: string, numbers: readonly number[]) {
    return this.reader.sentences(model, numbers);
  }

  load(numbers: readonly number[], filter: Filter | undefined) {
    return this.reader.load(numbers, this.within(filter));
  }

  private within(filter: Filter | undefined): Filter | undefined {
    return allOf(this.scope, filter);
  }

  private async readLists(stems: readonly string[]): Promise<void> {
    const missing = [...new Set(stems)].filter((stem) => !this.lists.has(stem));
    if (missing.length === 0) return;
    const frequencies = await this.reader.frequencies(missing);
    const found = missing
      .map((stem) => ({ stem, frequency: frequencies.get(stem) ?? 0 }))
      .filter(({ frequency }) => frequency > 0);
    // In parts, since other requests wait until a part has been received.
    for (const group of groupTerms(found, POSTINGS_PER_READ)) {
      const lists = await this.reader.postings(group.map(({ stem }) => stem));
      for (const [index, { stem }] of group.entries()) {
        // At once: others who search may hide passages before it is asked for again.
        this.lists.set(stem, onlyThose(lists[index] ?? NO_POSTINGS, this.visibleNumbers));
      }
      await this.deadline.yield();
    }
  }
}

// Entries of typed arrays would be made for each of a hundred thousand postings.
function countThose({ numbers }: PostingList, visible: Numbers): number {
  let count = 0;
  for (let index = 0; index < numbers.length; index++) {
    if (visible.has(numbers[index] ?? 0)) count++;
  }
  return count;
}

function onlyThose(list: PostingList, visible: Numbers): PostingList {
  const count = countThose(list, visible);
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

const wordsOf = ({ documentTitle, heading, text, language }: LoadedPassage): Set<string> =>
  new Set(
    [documentTitle, heading ?? '', text].flatMap((field) =>
      tokenize(field, language).map(foldLetters),
    ),
  );
