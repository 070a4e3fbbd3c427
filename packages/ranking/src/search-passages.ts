import { type AnalysedQuestion, analyseQuestion, type QuestionWord } from './analyse-question.js';
import { MAX_COMPOUND_LANGUAGES, MAX_LANGUAGES, MAX_WORDS } from './bounds.js';
import { CandidateSearch } from './candidate-search.js';
import { findMatchedTerms, computeShare } from './coverage.js';
import { type CompoundPart, splitCompounds } from './compounds.js';
import { type CoveringHit, fuse } from './fusion.js';
import type { IndexReader, IndexStatistics, LoadedPassage } from './index-reader.js';
import { informativeTerms } from './informative-terms.js';
import { withAskedFirst } from './question-terms.js';
import { distinctLanguages } from '@latchkey/text/language/languages';
import { intersects } from './editions.js';
import { findAskedYears, toEdition } from './newest-first.js';
import { NearDuplicateFilter } from './near-duplicate-filter.js';
import { findIdentifiers, orderByIdentifiers } from './identifiers.js';
import { type Hit, orderByContext, rerank } from './rank.js';
import { ScopedIndexReader } from './scoped-index-reader.js';
import { SearchDeadline, SearchInterruptedError } from './search-deadline.js';
import type {
  FoundPassage,
  PassageWindow,
  QuestionTerm,
  SearchQuery,
  SearchResult,
} from './search-index.js';
import { correctSpelling, type Correction } from './spelling.js';
import { selectTerms } from './term-selection.js';
import { understand, type UnderstoodQuestion } from './understand-question.js';
import { VectorSearch } from './vector-search.js';

/** A question without words, or one whose words could not be looked up in time. */
const NOTHING_UNDERSTOOD: UnderstoodQuestion = { terms: [], sequences: [], content: [] };
/** How often a question is searched again because documents changed during its search. */
const MAX_REPEATS = 5;
/** The number of best hits in which identifiers of the question are looked for. */
const IDENTIFIER_WINDOW = 50;

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
  const { filter } = query.scope;
  const isScoped = filter !== undefined || (await reader.hasRules());
  const search = () => {
    const seen = isScoped ? new ScopedIndexReader(reader, filter, deadline) : reader;
    return new Search(seen, query, deadline, isScoped).run();
  };
  let found = await search();
  const hasTooFew = found.hadStaleHits && found.passages.length < query.limit;
  let isOutdated = hasTooFew || reader.isStale();
  for (let repeats = 0; isOutdated && !found.partial && repeats < MAX_REPEATS; repeats++) {
    // A document indexed again during the search has new passages, which a second search finds, unless the
    // document is indexed again during that one too.
    found = await search();
    isOutdated = found.passages.length === 0 && (found.hadStaleHits || reader.isStale());
  }
  const { hadStaleHits: _, ...result } = found;
  // If the filter excludes every passage with an informative term, search by all terms.
  return query.onlyInformative && result.passages.length === 0 && !result.partial
    ? searchPassages(reader, { ...query, onlyInformative: false }, deadline)
    : result;
}

interface Found {
  readonly passages: FoundPassage[];
  /** Whether a hit was left out because its document was deleted or replaced. */
  readonly hadStaleHits: boolean;
}

type Understanding = Pick<SearchResult, 'partial' | 'lacksVectors' | 'terms'> &
  Required<Pick<SearchResult, 'corrections'>>;

const NOTHING_FOUND: Found = { passages: [], hadStaleHits: false };

class Search {
  private readonly duplicates: NearDuplicateFilter;
  private readonly vectors: VectorSearch;
  private readonly loaded = new Map<number, LoadedPassage>();
  /** Whether a step was interrupted by the deadline. */
  private partial = false;
  private terms: readonly QuestionTerm[] = [];
  private readonly corrections = new Map<string, string>();

  constructor(
    private readonly reader: IndexReader,
    private readonly query: SearchQuery,
    private readonly deadline: SearchDeadline,
    isScoped: boolean,
  ) {
    this.duplicates = new NearDuplicateFilter(deadline);
    this.vectors = new VectorSearch(reader, query, deadline, isScoped);
  }

  async run(): Promise<Found & Understanding> {
    const statistics = await this.untilDeadline(() => this.reader.statistics());
    // The deadline passed while the reader waited for a connection.
    const { corrections } = this;
    if (!statistics) return { ...NOTHING_FOUND, partial: true, terms: [], corrections };
    const { languages } = statistics;
    const { question: message, asked = message } = this.query;
    const question = analyseQuestion(
      withAskedFirst(message, asked),
      distinctLanguages(languages.length > 0 ? languages : [null]).slice(0, MAX_LANGUAGES),
      MAX_WORDS,
    );
    const found = question.words.length > 0 ? await this.find(question, statistics) : NOTHING_FOUND;
    const { model } = this.query.embedding ?? {};
    const lacksVectors =
      model !== undefined && (await this.untilDeadline(() => this.reader.lacksVectors(model)));
    return {
      ...found,
      partial: this.partial || this.deadline.wasCutShort,
      ...(lacksVectors === true && { lacksVectors }),
      terms: this.terms,
      corrections,
    };
  }

  private async find(question: AnalysedQuestion, statistics: IndexStatistics): Promise<Found> {
    const { reader, query, deadline } = this;
    const { limit, minScore = -Infinity } = query;
    const nearest = (await this.untilDeadline(() => this.vectors.nearest())) ?? [];
    const understood =
      (await this.untilDeadline(() => this.understand(question, statistics))) ?? NOTHING_UNDERSTOOD;
    this.terms = understood.content;
    const selected = selectTerms(understood.terms);
    const terms = query.onlyInformative
      ? informativeTerms(selected, statistics.passages)
      : selected;
    const search = new CandidateSearch(reader, terms, statistics, query.filter, deadline);
    const rank = async (hits: readonly Hit[]) => {
      const byPairs = await rerank(hits, understood.sequences, deadline);
      const ranked = await orderByContext(byPairs, understood.content, deadline);
      if (nearest.length === 0) {
        return this.orderByIdentifiers(
          ranked.map((hit) => ({ ...hit, score: toUnitScore(hit.score, understood.content) })),
        );
      }
      const missing = await this.untilDeadline(() => this.vectors.findMissing(ranked));
      const covering = await this.withCoverage(ranked);
      return this.orderByIdentifiers(
        fuse(covering, nearest, (number) => missing?.has(number) === true),
      );
    };

    const hits = (await this.untilDeadline(() => search.findBest())) ?? search.interrupted;
    const ranked = await rank(hits);
    const best = await this.loadBest(ranked);
    if (best.passages.length >= limit || search.isExhausted || deadline.isOver) return best;
    const worst = hits.length > 0 ? (ranked.at(-1)?.score ?? Infinity) : Infinity;
    if (search.hasScoredAll && worst < minScore) return best;
    // There are too few hits: some were deleted, near duplicates, or excluded by the filter.
    let wider = best;
    while (search.hasFurther) {
      const further = await this.untilDeadline(() => search.findFurther());
      if (!further) return wider;
      wider = await this.loadBest(await rank(further));
      if (wider.passages.length >= limit) return wider;
    }
    const more = await this.untilDeadline(() => search.findMore());
    return more ? this.loadBest(await rank(more)) : wider;
  }

  private withCoverage(hits: readonly Hit[]): Promise<CoveringHit[]> {
    return this.deadline.map(hits, (hit) => ({
      ...hit,
      coverage: computeShare(findMatchedTerms(this.terms, hit.fingerprint), this.terms),
    }));
  }

  /** Puts passages first that have the identifiers of the question. */
  private async orderByIdentifiers(hits: readonly Hit[]): Promise<readonly Hit[]> {
    const { question, asked = question } = this.query;
    const identifiers = findIdentifiers(asked);
    if (identifiers.length === 0) return hits;
    const best = hits.slice(0, IDENTIFIER_WINDOW);
    await this.loadMissing(best.map(({ number }) => number));
    return [
      ...orderByIdentifiers(best, identifiers, (number) => this.loaded.get(number)),
      ...hits.slice(IDENTIFIER_WINDOW),
    ];
  }

  /** Looks up the words, and those of similar spelling for words that the index does not have. */
  private async understand(
    question: AnalysedQuestion,
    { passages, languages }: IndexStatistics,
  ): Promise<UnderstoodQuestion> {
    const { reader } = this;
    const { words, content } = question;
    // A sure stop word counts only where there is nothing else; it is frequent, so it costs most.
    const used = content.length > 0 ? words.filter((word) => !isNeverUsed(word)) : words;
    const stems = used.flatMap((word) => [...word.stems, ...word.joined]);
    const frequencies = new Map(await reader.frequencies([...new Set(stems)]));
    const unknown = used.filter(({ stems: own, joined }) =>
      [...own, ...joined].every((stem) => !frequencies.get(stem)),
    );
    const corrections =
      unknown.length > 0
        ? await this.untilDeadline(() => correctSpelling(reader, unknown))
        : undefined;
    for (const [misspelt, { word, stem, frequency }] of corrections ?? []) {
      frequencies.set(stem, frequency);
      this.corrections.set(misspelt, word);
    }
    const compounds = await this.untilDeadline(() =>
      splitCompounds(
        reader,
        unknown.map(({ word }) => word).filter((word) => !corrections?.has(word)),
        distinctLanguages(languages).slice(0, MAX_COMPOUND_LANGUAGES),
      ),
    );
    return understand(
      question,
      frequencies,
      passages,
      corrections ?? new Map<string, Correction>(),
      compounds ?? new Map<string, CompoundPart[]>(),
    );
  }

  /** Loads the best distinct passages. A passage deleted meanwhile is replaced by the next best. */
  private async loadBest(ranked: readonly Hit[]): Promise<Found> {
    const { limit, candidates = 0, minScore = -Infinity } = this.query;
    const hits = ranked.filter(({ score }) => score >= minScore);
    const stale = new Set<number>();
    for (;;) {
      this.deadline.checkCancelled();
      const visible = hits.filter(({ number }) => !stale.has(number));
      const chosen = await this.duplicates.choose(visible, Math.max(limit, candidates));
      const similar = chosen.flatMap((hit) => this.duplicates.listSimilar(hit));
      const numbers = chosen.map(({ number }) => number);
      await this.loadMissing([...numbers, ...similar.map(({ number }) => number)]);
      const gone = numbers.filter((number) => !this.loaded.has(number));
      if (gone.length === 0) {
        const editions = chosen.map((hit) => this.chooseEdition(hit));
        const shown = editions.map(({ number }) => number);
        const windows = await this.untilDeadline(() => this.vectors.loadWindows(shown));
        const passages = editions.flatMap((hit) => {
          const passage = this.loaded.get(hit.number);
          return passage ? [this.toPassage(passage, hit, windows?.get(hit.number))] : [];
        });
        return { passages, hadStaleHits: stale.size > 0 };
      }
      for (const number of gone) stale.add(number);
    }
  }

  /** Of passages that are nearly equal: the one of a year that is asked for, or else the newest. */
  private chooseEdition(hit: Hit): Hit {
    const all = [hit, ...this.duplicates.listSimilar(hit)].flatMap((one) => {
      const passage = this.loaded.get(one.number);
      return passage ? [{ hit: one, edition: toEdition(passage) }] : [];
    });
    const years = findAskedYears(this.query);
    const isAsked = ({ edition }: (typeof all)[number]) => Number(intersects(edition.years, years));
    const [best] = all.toSorted(
      (one, other) => isAsked(other) - isAsked(one) || other.edition.compare(one.edition),
    );
    return best ? { ...best.hit, score: hit.score } : hit;
  }

  private async loadMissing(numbers: readonly number[]): Promise<void> {
    const missing = numbers.filter((number) => !this.loaded.has(number));
    if (missing.length === 0) return;
    for (const passage of await this.reader.load(missing, this.query.filter))
      this.loaded.set(passage.number, passage);
  }

  private toPassage(
    { number, ...passage }: LoadedPassage,
    { score, fingerprint }: Hit,
    windows: readonly PassageWindow[] | undefined,
  ): FoundPassage {
    const matched = findMatchedTerms(this.terms, fingerprint);
    return {
      ...passage,
      kbId: this.query.kbId,
      score,
      matched,
      coverage: computeShare(matched, this.terms),
      ...(windows && { windows }),
    };
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

const isNeverUsed = ({ isStopWord, isSureStopWord }: QuestionWord): boolean =>
  isStopWord && isSureStopWord;

/**
 * Maps a BM25 score to 0 to 1. A passage that has every word of the question about once gets 0.5.
 */
function toUnitScore(score: number, terms: readonly QuestionTerm[]): number {
  const weight = terms.reduce((sum, term) => sum + term.weight, 0);
  return score > 0 ? score / (score + Math.max(weight, Number.EPSILON)) : 0;
}
