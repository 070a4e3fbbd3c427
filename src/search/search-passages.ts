import { MAX_WORDS, WIDE_WINDOW, WINDOW } from './bounds.js';
import { inverseFrequency, matchedTerms, shareOf, unknownShare } from './coverage.js';
import type { DocumentFilter, IndexReader, LoadedPassage, NearestHit } from './index-reader.js';
import { informativeTerms, passagesToCount } from './informative-terms.js';
import { NearDuplicateFilter } from './near-duplicate-filter.js';
import { questionTerms } from './question-terms.js';
import { fuse, Hit, rerank } from './rank.js';
import { SearchDeadline, SearchInterruptedError } from './search-deadline.js';
import type { Passage, QuestionTerm, SearchQuery, SearchResult } from './search-index.js';
import { correctSpelling } from './spelling.js';
import { countPostings, selectTerms, splitTerms, type Term } from './term-selection.js';
import { stem } from './tokenize.js';

/**
 * Finds the best passages for a question, by the same steps on both engines.
 *
 * @throws SearchInterruptedError when the client has disconnected
 */
export async function searchPassages(
  reader: IndexReader,
  query: SearchQuery,
  deadline: SearchDeadline,
): Promise<SearchResult> {
  const search = () => new Search(reader, query, deadline).run();
  let found = await search();
  if (found.hadStaleHits && found.passages.length < query.limit && !found.partial) {
    // A document indexed again during the search has new passages, which a second search finds.
    found = await search();
  }
  const { passages, partial, terms } = found;
  // If the filter excludes every passage with an informative term, search by all terms.
  return query.onlyInformative && passages.length === 0 && !partial
    ? searchPassages(reader, { ...query, onlyInformative: false }, deadline)
    : { passages, partial, terms, unknown: unknownShare(terms) };
}

interface Found {
  readonly passages: Passage[];
  /** Whether a hit was left out because its document was deleted or replaced. */
  readonly hadStaleHits: boolean;
}

const NOTHING: Found = { passages: [], hadStaleHits: false };

class Search {
  private readonly duplicates: NearDuplicateFilter;
  /** Whether a step was interrupted by the deadline. */
  private partial = false;
  private terms: readonly QuestionTerm[] = [];

  constructor(
    private readonly reader: IndexReader,
    private readonly query: SearchQuery,
    private readonly deadline: SearchDeadline,
  ) {
    this.duplicates = new NearDuplicateFilter(deadline);
  }

  async run(): Promise<Found & Pick<SearchResult, 'partial' | 'terms'>> {
    const words = questionTerms(this.query.question, MAX_WORDS);
    const found = words.length > 0 ? await this.findByWords(words) : NOTHING;
    return { ...found, partial: this.partial, terms: this.terms };
  }

  private async findByWords(words: readonly string[]): Promise<Found> {
    const { reader, query } = this;
    const { limit, minScore = -Infinity } = query;
    const nearest = await this.findNearest();
    const corrected = await this.untilDeadline(() => this.correct(words));
    const stems = corrected?.stems ?? words.map(stem);
    const terms = await this.selectInformative(corrected?.terms ?? []);
    const filter = await this.untilDeadline(() => this.filterFor(terms));
    // No document matches the filter, or the deadline came before that was known.
    if (query.filter && !filter) return NOTHING;

    const { selective, common } = splitTerms(terms);
    const hits = await this.findBest(selective, common, filter);
    const ranked = this.rank(hits, stems, nearest);
    const best = await this.loadBest(ranked);

    // By postings, not by the number of `hits`, from which the reader omits invisible passages.
    const isExhaustive = common.length === 0 && countPostings(selective) <= WINDOW;
    if (best.passages.length === limit || isExhaustive || this.deadline.isOver) return best;
    const worst = hits.length > 0 ? (ranked.at(-1)?.score ?? Infinity) : Infinity;
    if (common.length === 0 && worst < minScore) return best;
    // Too few: hits were deleted, near duplicates, or excluded by the filter. Search a wider window.
    const more = await this.untilDeadline(() =>
      reader.find({
        candidateWindow: WIDE_WINDOW,
        onlyVisible: true,
        terms: { selective: terms, common: [] },
        filter,
      }),
    );
    return more ? this.loadBest(this.rank(more, stems, nearest)) : best;
  }

  private async findBest(
    selective: readonly Term[],
    common: readonly Term[],
    filter: DocumentFilter | undefined,
  ): Promise<readonly Hit[]> {
    if (selective.length === 0) return [];
    const find = (scoring: readonly Term[]) =>
      this.untilDeadline(() =>
        this.reader.find({
          candidateWindow: WINDOW,
          onlyVisible: false,
          terms: { selective, common: scoring },
          filter,
        }),
      );
    const isHeavy = countPostings([...selective, ...common]) > this.reader.heavyPostings;
    const first = common.length > 0 && isHeavy ? await find([]) : undefined;
    return (await find(common)) ?? first ?? [];
  }

  private async findNearest(): Promise<readonly NearestHit[]> {
    const { embedding, filter } = this.query;
    const vector = embedding?.vector;
    if (!embedding || !vector) return [];
    const find = () => this.reader.nearest(embedding.model, vector, WINDOW, filter);
    return (await this.untilDeadline(find)) ?? [];
  }

  /** Stems the words, and replaces those that the index lacks by indexed words of similar spelling. */
  private async correct(
    words: readonly string[],
  ): Promise<{ stems: readonly string[]; terms: Term[] }> {
    const { reader } = this;
    const frequencies = new Map(await reader.frequencies([...new Set(words.map(stem))]));
    const unknown = words.filter((word) => !frequencies.get(stem(word)));
    const corrections =
      unknown.length > 0
        ? await this.untilDeadline(() => correctSpelling(reader, unknown))
        : undefined;
    for (const { stem, frequency } of corrections?.values() ?? []) frequencies.set(stem, frequency);
    const stems = words.map((word) => corrections?.get(word)?.stem ?? stem(word));
    const passages = await reader.countPassages(Number.MAX_SAFE_INTEGER);
    this.terms = [...new Map(words.map((word, index) => [word, stems[index] ?? word]))].map(
      ([word, stem]) => {
        const frequency = frequencies.get(stem) ?? 0;
        const weight = inverseFrequency(frequency, passages);
        return { word, stems: [stem], weight, isKnown: frequency > 0 };
      },
    );
    return { stems, terms: selectTerms(stems, frequencies) };
  }

  private async selectInformative(terms: readonly Term[]): Promise<readonly Term[]> {
    if (!this.query.onlyInformative || terms.length < 2) return terms;
    const limit = passagesToCount(terms);
    const passages = await this.untilDeadline(() => this.reader.countPassages(limit));
    return passages === undefined ? terms : informativeTerms(terms, passages);
  }

  /** @returns undefined when the query has no filter, and when no document matches it */
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
    nearest: readonly NearestHit[],
  ): readonly Hit[] {
    const reranked = rerank(hits, stems);
    return this.query.embedding ? fuse(reranked, nearest) : reranked;
  }

  /** Loads the best distinct passages. A passage deleted meanwhile is replaced by the next best. */
  private async loadBest(ranked: readonly Hit[]): Promise<Found> {
    const { limit, minScore = -Infinity } = this.query;
    const hits = ranked.filter(({ score }) => score >= minScore);
    const loaded = new Map<number, LoadedPassage>();
    const stale = new Set<number>();
    for (;;) {
      this.deadline.checkCancelled();
      const visible = hits.filter(({ number }) => !stale.has(number));
      const chosen = await this.duplicates.choose(visible, limit);
      const missing = chosen.map(({ number }) => number).filter((number) => !loaded.has(number));
      if (missing.length === 0) {
        const passages = chosen.flatMap((hit) => {
          const passage = loaded.get(hit.number);
          return passage ? [this.toPassage(passage, hit)] : [];
        });
        return { passages, hadStaleHits: stale.size > 0 };
      }
      for (const passage of await this.reader.load(missing)) loaded.set(passage.number, passage);
      for (const number of missing) if (!loaded.has(number)) stale.add(number);
    }
  }

  private toPassage({ number, ...passage }: LoadedPassage, { score, fingerprint }: Hit): Passage {
    const matched = matchedTerms(this.terms, fingerprint);
    return { ...passage, score, matched, coverage: shareOf(matched, this.terms) };
  }

  /** @returns undefined when the deadline interrupts the step; the result is then marked partial */
  private async untilDeadline<T>(step: () => T | Promise<T>): Promise<T | undefined> {
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
