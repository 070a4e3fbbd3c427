import { WINDOW } from './bounds.js';
import type { Filter } from './metadata-filter.js';
import { questionTerms } from './question-terms.js';
import { Distinction, fuse, Hit, rerank } from './rank.js';
import type { Passage, SearchQuery } from './search-index.js';
import { isCorrectable, keysOfMisspelling, mistakesAllowed, mistakesBetween } from './spelling.js';
import { stem } from './words.js';

/** More unknown words than this are not misspelt. */
const MAX_CORRECTIONS = 8;

type Sync<T> = T | Promise<T>;

export type FoundPassage = Omit<Passage, 'score'> & { readonly number: number };

export interface Hits {
  /** Best first by BM25, as many as the reach says at most. */
  readonly hits: readonly Hit[];
  /** Whether there may be more within a wider reach. */
  readonly more: boolean;
  /** The terms that no passage has, unless they were not asked for. */
  readonly unknown: readonly string[];
}

/** What passages are looked for. */
export interface Wanted {
  readonly terms: readonly string[];
  readonly reach: Reach;
  /** Where there is one, only passages of documents that meet it. */
  readonly filter: Filter | undefined;
  /** Whether a term that no passage has leaves nothing to look for but what is meant by it. */
  readonly onlyKnown: boolean;
}

/** How far a search goes: `wide` looks through all that has the words, for WIDE_WINDOW to show. */
export type Reach = 'near' | 'wide';

/** What the two engines read from one knowledge base's index. */
export interface IndexReader {
  find(wanted: Wanted): Sync<Hits>;

  /** The passages nearest to a question, best first; of those that meet the filter. */
  nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: Filter,
  ): Sync<readonly Pick<Hit, 'number' | 'codes'>[]>;

  /** Words that are kept under some of the keys, those under most of them first; not many. */
  similarWords(keys: readonly string[]): Sync<readonly string[]>;

  /** How many passages have each of the terms. */
  frequencies(terms: readonly string[]): Sync<ReadonlyMap<string, number>>;

  /** Those of the passages that may be shown. */
  load(numbers: readonly number[]): Sync<readonly FoundPassage[]>;
}

/**
 * How a question finds its passages, the same on both engines. Once more where some were found that
 * could not be shown: if their document was indexed anew in between, its new ones can be found by
 * now. It may also have been deleted, or not be published yet, as long as the index says otherwise.
 */
export async function searchPassages(reader: IndexReader, query: SearchQuery): Promise<Passage[]> {
  const { passages, someGone } = await searchOnce(reader, query);
  if (!someGone || passages.length === query.limit) return passages;
  return (await searchOnce(reader, query)).passages;
}

interface Found {
  readonly passages: Passage[];
  /** Whether some that were found could not be shown any more. */
  readonly someGone: boolean;
}

async function searchOnce(
  reader: IndexReader,
  { question, limit, filter, minScore = -Infinity, meaning }: SearchQuery,
): Promise<Found> {
  const words = questionTerms(question);
  let terms = words.map(stem);
  if (terms.length === 0) return { passages: [], someGone: false };
  const near = meaning?.vector
    ? await reader.nearest(meaning.model, meaning.vector, WINDOW, filter)
    : [];
  const distinction = new Distinction();
  let found = await reader.find({ terms, reach: 'near', filter, onlyKnown: true });
  if (found.unknown.length > 0) {
    const { unknown } = found;
    terms = await correct(reader, words, unknown);
    if (terms.some((term) => !unknown.includes(term))) {
      found = await reader.find({ terms, reach: 'near', filter, onlyKnown: false });
    }
  }
  for (;;) {
    const byWords = rerank(found.hits, terms);
    const ranked = meaning ? fuse(byWords, near) : byWords;
    const best = await loadDistinct(
      reader,
      ranked.filter(({ score }) => score >= minScore),
      limit,
      distinction,
    );
    // None may have been found only because none of the first ones meets the filter.
    const worst = byWords.length > 0 ? (ranked.at(-1)?.score ?? Infinity) : Infinity;
    // Else too many of the hits were of deleted documents, or alike.
    if (best.passages.length === limit || !found.more || worst < minScore) return best;
    found = await reader.find({ terms, reach: 'wide', filter, onlyKnown: false });
  }
}

/** The stems of the words, those that no passage has replaced by what they were likely to be. */
async function correct(
  reader: IndexReader,
  words: readonly string[],
  unknown: readonly string[],
): Promise<string[]> {
  const misspelt = [...new Set(words)]
    .filter((word) => unknown.includes(stem(word)) && isCorrectable(word))
    .slice(0, MAX_CORRECTIONS);
  const corrections = new Map<string, string>();
  for (const word of misspelt) {
    const similar = (await reader.similarWords(keysOfMisspelling(word)))
      .map((other) => ({ term: stem(other), mistakes: mistakesBetween(word, other) }))
      .filter(({ mistakes }) => mistakes <= mistakesAllowed(word));
    if (similar.length === 0) continue;
    const frequencies = await reader.frequencies(similar.map(({ term }) => term));
    const frequency = ({ term }: { term: string }) => frequencies.get(term) ?? 0;
    const [best] = similar
      .filter((one) => frequency(one) > 0)
      .sort((one, other) => one.mistakes - other.mistakes || frequency(other) - frequency(one));
    if (best) corrections.set(word, best.term);
  }
  return words.map((word) => corrections.get(word) ?? stem(word));
}

/** The best passages that can be shown, each text once. */
async function loadDistinct(
  reader: IndexReader,
  ranked: readonly Hit[],
  limit: number,
  distinction: Distinction,
): Promise<Found> {
  const loaded = new Map<number, FoundPassage>();
  const gone = new Set<number>();
  for (;;) {
    const chosen = distinction.choose(
      ranked.filter(({ number }) => !gone.has(number)),
      limit,
    );
    const missing = chosen.map(({ number }) => number).filter((number) => !loaded.has(number));
    if (missing.length === 0) {
      const passages = chosen.flatMap(({ number, score }) => {
        const passage = loaded.get(number);
        return passage ? [toPassage(passage, score)] : [];
      });
      return { passages, someGone: gone.size > 0 };
    }
    for (const passage of await reader.load(missing)) loaded.set(passage.number, passage);
    for (const number of missing) if (!loaded.has(number)) gone.add(number);
  }
}

function toPassage({ number, ...passage }: FoundPassage, score: number): Passage {
  return { ...passage, score };
}
