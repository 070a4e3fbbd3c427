import { MAX_WORDS, WIDE_WINDOW, WINDOW } from './bounds.js';
import { countNeeded, informativeTerms } from './informative.js';
import type { Filter } from './metadata-filter.js';
import { NearDuplicateFilter } from './near-duplicate-filter.js';
import { questionTerms } from './question-terms.js';
import { fuse, Hit, rerank } from './rank.js';
import { SearchDeadline, SearchInterruptedError } from './search-deadline.js';
import type { Passage, SearchQuery, SearchResult } from './search-index.js';
import { correctSpelling } from './spelling.js';
import {
  countPostings,
  selectTerms,
  splitTerms,
  type Term,
  type TermSelection,
} from './term-selection.js';
import { stem } from './words.js';

type Sync<T> = T | Promise<T>;

export type FoundPassage = Omit<Passage, 'score'> & { readonly number: number };
export type NearestHit = Pick<Hit, 'number' | 'fingerprint'>;

/** A condition on the documents whose passages are looked for. */
export interface DocumentFilter {
  readonly filter: Filter;
  /** Whether fewer documents than passages are to be tested: then those that match come first. */
  readonly documentsFirst: boolean;
}

/** What passages are looked for. */
export interface SearchOptions {
  readonly terms: TermSelection;
  /** How many hits at most. */
  readonly candidateWindow: number;
  /** Whether hits that cannot be shown are left out already now. */
  readonly onlyVisible: boolean;
  readonly filter: DocumentFilter | undefined;
}

/** What the two engines read from one knowledge base's index. Any of it may be interrupted. */
export interface IndexReader {
  /**
   * Where the terms have more postings than this, those of the rarest terms are searched first, so
   * that there is something to answer with when the deadline comes amid all of them.
   */
  readonly heavyPostings: number;

  /** How many passages have each of the stems; those that none has may be missing. */
  frequencies(stems: readonly string[]): Sync<ReadonlyMap<string, number>>;

  /** How many passages there are; `limit` where there are more. */
  countPassages(limit: number): Sync<number>;

  /** Words that are kept under some of the keys, those under most of them first; not many. */
  similarWords(keys: readonly string[]): Sync<readonly string[]>;

  /** Whether the knowledge base has fewer documents than `count`. */
  hasFewerDocuments(count: number): Sync<boolean>;

  /** Whether any document matches the filter. */
  hasDocument(filter: Filter): Sync<boolean>;

  /** Best first by BM25. */
  find(options: SearchOptions): Sync<readonly Hit[]>;

  /** The passages nearest to a question, best first; of those that match the filter. */
  nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: Filter,
  ): Sync<readonly NearestHit[]>;

  /** Those of the passages that may be shown. Never interrupted: there are few. */
  load(numbers: readonly number[]): Sync<readonly FoundPassage[]>;
}

/**
 * How a question finds its passages, the same on both engines. It searches once more where some
 * passages were found that could not be shown: if their document was indexed anew in between, its
 * new ones can be found by now.
 *
 * @throws SearchInterruptedError when nobody waits for the result any more
 */
export async function searchPassages(
  reader: IndexReader,
  query: SearchQuery,
  deadline: SearchDeadline,
): Promise<SearchResult> {
  const first = await new Search(reader, query, deadline).run();
  const { passages, partial } =
    first.someGone && first.passages.length < query.limit && !first.partial
      ? await new Search(reader, query, deadline).run()
      : first;
  // A filter may exclude every passage with an informative word.
  return query.onlyInformative && passages.length === 0 && !partial
    ? searchPassages(reader, { ...query, onlyInformative: false }, deadline)
    : { passages, partial };
}

interface Found {
  readonly passages: Passage[];
  /** Whether some that were found could not be shown any more. */
  readonly someGone: boolean;
}

const NOTHING: Found = { passages: [], someGone: false };

class Search {
  private readonly duplicates: NearDuplicateFilter;
  /** Whether the deadline came before the search was done. */
  private partial = false;

  constructor(
    private readonly reader: IndexReader,
    private readonly query: SearchQuery,
    private readonly deadline: SearchDeadline,
  ) {
    this.duplicates = new NearDuplicateFilter(deadline);
  }

  async run(): Promise<Found & { readonly partial: boolean }> {
    const words = questionTerms(this.query.question, MAX_WORDS);
    const found = words.length > 0 ? await this.findByWords(words) : NOTHING;
    return { ...found, partial: this.partial };
  }

  private async findByWords(words: readonly string[]): Promise<Found> {
    const { reader, query } = this;
    const stems = words.map(stem);
    const near = await this.nearest();
    const corrected = await this.beforeDeadline(() => this.correct(words, stems));
    const terms = await this.informative(corrected?.terms ?? []);
    const filter = await this.beforeDeadline(() => this.filterFor(terms));
    // Nothing matches the filter, or there was no time to find out.
    if (query.filter && !filter) return NOTHING;
    const selection = splitTerms(terms);
    const hits = await this.findBest(selection, filter);
    const ranked = this.rank(hits, corrected?.stems ?? stems, near);
    const best = await this.show(ranked);
    // By the postings, since hits that cannot be shown may have been left out.
    const isExhaustive =
      countPostings(selection.selective) <= WINDOW && selection.common.length === 0;
    if (best.passages.length === query.limit || isExhaustive || this.deadline.isOver) return best;
    const { minScore = -Infinity } = query;
    const worst = hits.length > 0 ? (ranked.at(-1)?.score ?? Infinity) : Infinity;
    if (selection.common.length === 0 && worst < minScore) return best;
    // Too many of the hits were of deleted documents, or alike, or did not match the filter.
    const more = await this.beforeDeadline(() =>
      reader.find({
        candidateWindow: WIDE_WINDOW,
        onlyVisible: true,
        terms: { selective: terms, common: [] },
        filter,
      }),
    );
    return more ? this.show(this.rank(more, corrected?.stems ?? stems, near)) : best;
  }

  private async findBest(
    terms: TermSelection,
    filter: DocumentFilter | undefined,
  ): Promise<readonly Hit[]> {
    const { selective, common } = terms;
    if (selective.length === 0) return [];
    const options = { candidateWindow: WINDOW, onlyVisible: false, filter };
    const isHeavy = countPostings([...selective, ...common]) > this.reader.heavyPostings;
    const first =
      common.length > 0 && isHeavy
        ? await this.beforeDeadline(() =>
            this.reader.find({ ...options, terms: { selective, common: [] } }),
          )
        : undefined;
    const best = await this.beforeDeadline(() => this.reader.find({ ...options, terms }));
    return best ?? first ?? [];
  }

  private async nearest(): Promise<readonly NearestHit[]> {
    const { meaning, filter } = this.query;
    const vector = meaning?.vector;
    if (!meaning || !vector) return [];
    const search = () => this.reader.nearest(meaning.model, vector, WINDOW, filter);
    return (await this.beforeDeadline(search)) ?? [];
  }

  /** The terms that the index knows, in place of those that it does not what they likely mean. */
  private async correct(
    words: readonly string[],
    stems: readonly string[],
  ): Promise<{ stems: readonly string[]; terms: Term[] }> {
    const { reader } = this;
    const frequencies = new Map(await reader.frequencies([...new Set(stems)]));
    const unknown = words.filter((word) => !frequencies.get(stem(word)));
    const corrections =
      unknown.length > 0 && (await this.beforeDeadline(() => correctSpelling(reader, unknown)));
    if (!corrections) return { stems, terms: selectTerms(stems, frequencies) };
    for (const { stem, frequency } of corrections.values()) frequencies.set(stem, frequency);
    const corrected = words.map((word) => corrections.get(word)?.stem ?? stem(word));
    return { stems: corrected, terms: selectTerms(corrected, frequencies) };
  }

  private async informative(terms: readonly Term[]): Promise<readonly Term[]> {
    if (!this.query.onlyInformative || terms.length < 2) return terms;
    const passages = await this.beforeDeadline(() => this.reader.countPassages(countNeeded(terms)));
    return passages === undefined ? terms : informativeTerms(terms, passages);
  }

  /** @returns undefined without a filter, and where no document matches it */
  private async filterFor(terms: readonly Term[]): Promise<DocumentFilter | undefined> {
    const { filter } = this.query;
    if (!filter) return undefined;
    const documentsFirst = await this.reader.hasFewerDocuments(countPostings(terms));
    if (documentsFirst && !(await this.reader.hasDocument(filter))) return undefined;
    return { filter, documentsFirst };
  }

  private rank(
    hits: readonly Hit[],
    stems: readonly string[],
    near: readonly NearestHit[],
  ): readonly Hit[] {
    const byWords = rerank(hits, stems);
    return this.query.meaning ? fuse(byWords, near) : byWords;
  }

  /** The best passages that can be shown, each text once. */
  private async show(ranked: readonly Hit[]): Promise<Found> {
    const { limit, minScore = -Infinity } = this.query;
    const hits = ranked.filter(({ score }) => score >= minScore);
    const loaded = new Map<number, FoundPassage>();
    const gone = new Set<number>();
    for (;;) {
      this.deadline.checkCancelled();
      const chosen = await this.duplicates.choose(
        hits.filter(({ number }) => !gone.has(number)),
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
      for (const passage of await this.reader.load(missing)) loaded.set(passage.number, passage);
      for (const number of missing) if (!loaded.has(number)) gone.add(number);
    }
  }

  /** @returns undefined when the deadline came first */
  private async beforeDeadline<T>(step: () => Sync<T>): Promise<T | undefined> {
    try {
      this.deadline.check();
      return await step();
    } catch (error) {
      if (!(error instanceof SearchInterruptedError)) throw error;
      this.deadline.checkCancelled();
      this.partial = true;
      return undefined;
    }
  }
}

function toPassage({ number, ...passage }: FoundPassage, score: number): Passage {
  return { ...passage, score };
}
