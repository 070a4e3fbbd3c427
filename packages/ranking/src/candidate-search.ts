import { byScore, type Candidate, scanPostings, createScorer } from './bm25.js';
import {
  COMPLETED_WINDOW,
  POSTINGS_PER_READ,
  SCANNED_POSTINGS,
  WIDE_WINDOW,
  WINDOW,
} from './bounds.js';
import type { Fingerprint } from './fingerprint.js';
import type { IndexReader, IndexStatistics, PostingEngine } from './index-reader.js';
import type { MetadataFilter } from './metadata-filter.js';
import type { Numbers } from './number-values.js';
import type { PostingList } from './posting-block.js';
import type { Hit } from './rank.js';
import type { SearchDeadline } from './search-deadline.js';
import {
  countPostings,
  groupTerms,
  selectScannable,
  splitTerms,
  type Term,
} from './term-selection.js';

/** The factor by which the number of completed candidates grows each time. */
const GROWTH = 3;

/**
 * Finds hits by words. The rarest terms make candidates; the best of these get the scores of the
 * other terms too, from their fingerprints, so that the cost hardly grows with the knowledge base.
 */
export class CandidateSearch {
  /** Whether all hits were found. */
  isExhausted = false;
  /** Whether the hits were the best of all passages with any of the terms. */
  hasScoredAll = false;
  /** Candidates without the scores of the common terms, for a search that is interrupted then. */
  interrupted: readonly Hit[] = [];
  private allowed: Numbers | undefined;
  /** The best passages by the scanned terms, and how many of them have complete scores. */
  private candidates: readonly Candidate[] = [];
  private completed = 0;
  /** Whether no more candidates are looked for. */
  private isWide = false;
  private readonly fingerprints = new Map<number, Fingerprint>();
  /** Postings by stem. */
  private readonly lists = new Map<string, PostingList>();
  private engine: PostingEngine | undefined;

  /** @param terms the rarest first */
  constructor(
    private readonly reader: IndexReader,
    private readonly terms: readonly Term[],
    private readonly statistics: IndexStatistics,
    private readonly filter: MetadataFilter | undefined,
    private readonly deadline: SearchDeadline,
  ) {}

  /** The best hits by all terms. Without a filter some may be of deleted documents. */
  async findBest(): Promise<Hit[]> {
    this.engine = await this.reader.engine();
    const { scanned, common } = this.splitTerms();
    this.hasScoredAll = common.length === 0;
    // By postings, not by the number of hits, from which invisible passages are left out.
    this.isExhausted = this.hasScoredAll && countPostings(scanned) <= WINDOW;
    if (scanned.length === 0) return [];
    if (this.filter) this.allowed = await this.reader.knownMatching(this.filter);
    if (this.allowed?.size === 0) {
      this.isExhausted = true;
      return [];
    }
    this.completed = common.length > 0 ? COMPLETED_WINDOW : WINDOW;
    this.isWide = this.filter !== undefined && !this.allowed;
    this.candidates = this.isWide
      ? await this.scanAndTest(scanned)
      : await this.scan(scanned, this.completed);
    this.interrupted = this.candidates
      .slice(0, WINDOW)
      .map(({ number, score }) => ({ number, score, fingerprint: undefined }));
    return this.complete(this.candidates.slice(0, this.completed), common);
  }

  /** Whether there may be candidates that were not completed. */
  get hasFurther(): boolean {
    const { candidates, completed, isWide } = this;
    return candidates.length > completed || (!isWide && candidates.length === completed);
  }

  /** Completes more candidates, without reading further postings. */
  async findFurther(): Promise<Hit[]> {
    const { scanned, common } = this.splitTerms();
    if (!this.isWide) this.candidates = await this.scan(scanned, WIDE_WINDOW);
    this.isWide = true;
    this.completed = Math.min(GROWTH * this.completed, WIDE_WINDOW);
    return this.complete(this.candidates.slice(0, this.completed), common, WIDE_WINDOW);
  }

  /** The best visible hits among all passages that have any of the terms. */
  async findMore(): Promise<Hit[]> {
    if (this.filter && !this.allowed) this.allowed = await this.reader.matching(this.filter);
    const terms = selectScannable(this.terms);
    const candidates = await this.scan(terms, WIDE_WINDOW);
    const visible = this.allowed ? candidates : await this.keepVisible(candidates);
    return this.complete(visible, [], WIDE_WINDOW);
  }

  /** An engine scores by all terms at little cost, and returns only the postings of the best passages. */
  private splitTerms() {
    return this.engine ? { scanned: this.terms, common: [] } : splitTerms(this.terms);
  }

  /** Scans, then keeps the candidates that match the filter; scans again if too few of them do. */
  private async scanAndTest(terms: readonly Term[]): Promise<Candidate[]> {
    const candidates = await this.scan(terms, WIDE_WINDOW);
    const visible = await this.keepVisible(candidates);
    if (candidates.length < WIDE_WINDOW || visible.length >= WINDOW) return visible;
    this.allowed = await this.reader.matching(this.filter);
    return this.scan(terms, WIDE_WINDOW);
  }

  private async scan(terms: readonly Term[], limit: number): Promise<Candidate[]> {
    const { allowed, deadline, statistics } = this;
    const lists = this.engine
      ? await this.engine.best(terms, Math.max(limit, COMPLETED_WINDOW), allowed)
      : await this.readPostings(terms);
    const isAllowed = allowed && ((number: number) => allowed.has(number));
    return scanPostings(terms, lists, statistics, { limit, isAllowed, deadline });
  }

  /** Reads the postings of many terms in parts, because other requests wait while a part is received. */
  private async readPostings(terms: readonly Term[]): Promise<PostingList[]> {
    const missing = terms.filter(({ stem }) => !this.lists.has(stem));
    const limit = countPostings(terms) > SCANNED_POSTINGS ? POSTINGS_PER_READ : Infinity;
    for (const [index, some] of groupTerms(missing, limit).entries()) {
      if (index > 0) await this.deadline.yield();
      const lists = await this.reader.postings(some.map(({ stem }) => stem));
      for (const [place, list] of lists.entries()) this.lists.set(some[place]?.stem ?? '', list);
    }
    return terms.flatMap(({ stem }) => this.lists.get(stem) ?? []);
  }

  private async keepVisible(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const numbers = candidates.map(({ number }) => number);
    const visible = await this.reader.visible(numbers, this.filter);
    return candidates.filter(({ number }) => visible.has(number));
  }

  /** Adds the scores of the common terms, and the fingerprints. */
  private async complete(
    candidates: readonly Candidate[],
    common: readonly Term[],
    limit = WINDOW,
  ): Promise<Hit[]> {
    const numbers = candidates.map(({ number }) => number);
    const missing = numbers.filter((number) => !this.fingerprints.has(number));
    for (const [number, one] of await this.reader.fingerprints(missing))
      this.fingerprints.set(number, one);
    const scoreCommon = createScorer(common, this.statistics);
    const completed = await this.deadline.map(candidates, ({ number, score, tokens }) => {
      const fingerprint = this.fingerprints.get(number);
      const rest = fingerprint ? scoreCommon(fingerprint, tokens) : 0;
      return { number, score: score + rest, fingerprint };
    });
    return completed.sort(byScore).slice(0, limit);
  }
}
