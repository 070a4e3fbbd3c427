import type { Filter } from './metadata-filter.js';
import type { Hit } from './rank.js';
import type { Passage } from './search-index.js';
import type { TermSelection } from './term-selection.js';

type MaybePromise<T> = T | Promise<T>;

/** A stored passage, without a score. */
export type LoadedPassage = Omit<Passage, 'score' | 'coverage' | 'matched'> & { readonly number: number };

/** A passage found by its vector. */
export type NearestHit = Pick<Hit, 'number' | 'fingerprint'>;

/** The columns of a LoadedPassage, from `chunks c` and `documents d`; the same SQL on both engines. */
export const PASSAGE_COLUMNS = `c.number, c.id AS "chunkId", d.id AS "documentId",
  d.title AS "documentTitle", d.external_id AS "externalId", d.source_url AS "sourceUrl",
  d.metadata, NULL AS language, c.heading, c.page, c.text`;

/** Whether a chunk `c` belongs to the searchable version of its document `d`. */
export const IS_VISIBLE = `d.version = c.version AND d.state = 'active'`;

/** A condition on the documents whose passages are searched. */
export interface DocumentFilter {
  readonly filter: Filter;
  /** Whether to find the matching documents first, because there are fewer of them than hits. */
  readonly documentsFirst: boolean;
}

export interface SearchOptions {
  readonly terms: TermSelection;
  /** The maximum number of hits. */
  readonly candidateWindow: number;
  /** Whether to leave out hits whose document was deleted or replaced since it was indexed. */
  readonly onlyVisible: boolean;
  readonly filter: DocumentFilter | undefined;
}

/**
 * The read side of one knowledge base's index. Every method except `load` throws
 * SearchInterruptedError when the deadline of its search has passed.
 */
export interface IndexReader {
  /**
   * If a search has more postings than this, the rarest terms are searched alone first: their result
   * is used if the deadline interrupts the search by all terms.
   */
  readonly heavyPostings: number;

  /** The number of passages with each stem (document frequency); stems without any may be missing. */
  frequencies(stems: readonly string[]): MaybePromise<ReadonlyMap<string, number>>;

  /** The number of passages, at most `limit`. */
  countPassages(limit: number): MaybePromise<number>;

  /** Indexed words that share any of the spelling keys, those that share most first. */
  similarWords(keys: readonly string[]): MaybePromise<readonly string[]>;

  /** Whether the knowledge base has fewer documents than `count`. */
  hasFewerDocuments(count: number): MaybePromise<boolean>;

  /** Whether any document matches the filter. */
  hasDocument(filter: Filter): MaybePromise<boolean>;

  /** Hits by BM25, best first. */
  find(options: SearchOptions): MaybePromise<readonly Hit[]>;

  /** Passages of matching documents by the distance of their vectors, nearest first. */
  nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: Filter,
  ): MaybePromise<readonly NearestHit[]>;

  /** Loads the passages that are visible. */
  load(numbers: readonly number[]): MaybePromise<readonly LoadedPassage[]>;
}
