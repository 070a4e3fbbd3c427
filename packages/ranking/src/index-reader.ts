import type { StoredWindows } from '@latchkey/embeddings/window-vectors';
import type { IndexSize } from './bm25.js';
import type { Fingerprint } from './fingerprint.js';
import type { MetadataFilter } from './metadata-filter.js';
import type { Numbers } from './number-values.js';
import type { PostingList } from './posting-block.js';
import type { FoundPassage } from './search-index.js';
import type { SimilarWord, SimilarWordLimits } from './spelling.js';
import type { Term } from './term-selection.js';

type MaybePromise<T> = T | Promise<T>;

/** A stored passage, without the fields that depend on the question. */
export type LoadedPassage = Omit<FoundPassage, 'kbId' | 'score' | 'coverage' | 'matched'> & {
  readonly number: number;
};

/**
 * The columns of a LoadedPassage, from `passages p` and `documents d`; the same SQL on both
 * engines.
 */
export const PASSAGE_COLUMNS = `p.number, p.id AS "passageId", d.id AS "documentId",
  d.title AS "documentTitle", d.external_id AS "externalId", d.source_url AS "sourceUrl",
  d.metadata, d.language, d.date, d.date_from AS "dateFrom",
  COALESCE(d.content_since, d.created_at) AS "contentDate",
  d.updated_at AS "updatedAt", d.valid_until AS "validUntil",
  d.searchable_number AS "documentVersion", p.heading, p.page, p.locator, p.cells, p.text`;

/** Whether a passage `p` belongs to the searchable version of its document `d`. */
export const IS_VISIBLE = `d.version = p.version AND d.state = 'active'`;

export interface IndexStatistics extends IndexSize {
  /** The languages of its documents (BCP 47, null for unknown), the most frequent first. */
  readonly languages: readonly (string | null)[];
}

/** The passages of an index that a caller may see. */
export interface Visibility {
  /** Some may belong to document versions that are not visible yet, or no longer. */
  readonly numbers: Numbers;
  readonly statistics: IndexStatistics;
}

/** A term by which passages are scored: a stem, its weight, and how often the question has it. */
export type ScoredTerm = Pick<Term, 'stem' | 'weight' | 'times'>;

/**
 * A search engine with an index of its own. It only proposes passages: they are scored from the postings that
 * it returns, with the statistics of the reader.
 */
export interface PostingEngine {
  /** The postings of each term, but only those of about the `limit` best passages by all of them. */
  best(
    terms: readonly ScoredTerm[],
    limit: number,
    allowed: Numbers | undefined,
  ): Promise<readonly PostingList[]>;

  /** In how many of the allowed passages each stem is. */
  frequencies(stems: readonly string[], allowed: Numbers): Promise<ReadonlyMap<string, number>>;
}

/** Finds passages of a knowledge base by the vectors of their windows; some may have been deleted. */
export interface WindowIndex {
  /**
   * The passages with about the `limit` windows that are nearest to a vector, the nearest first.
   *
   * @param pause awaited between parts of the work
   */
  nearest(
    vector: Float32Array,
    limit: number,
    allowed: Numbers | undefined,
    pause: () => Promise<void>,
  ): Promise<readonly number[]>;

  /** The passages among these that are not embedded yet. */
  missing(numbers: readonly number[]): MaybePromise<ReadonlySet<number>>;
}

/**
 * Reads one knowledge base's index for a caller. A passage is visible if its document exists and the caller may
 * read it. Every method except `load` throws SearchInterruptedError when the deadline of its search has passed.
 */
export interface IndexReader {
  statistics(): MaybePromise<IndexStatistics>;

  /** Whether access rules, or the validity of documents, hide some from the caller. */
  hasRules(): MaybePromise<boolean>;

  /** The visible passages of documents that match the filter, and the statistics of these alone. */
  visibility(filter: MetadataFilter | undefined): MaybePromise<Visibility>;
  /** Whether passages that were visible when the search began were removed, replaced or given another rule. */
  isStale(): boolean;

  /** The number of passages with each stem (document frequency); stems without any may be missing. */
  frequencies(stems: readonly string[]): MaybePromise<ReadonlyMap<string, number>>;

  /** The engine that has the postings; undefined if `postings` returns them. */
  engine(): MaybePromise<PostingEngine | undefined>;

  /** The postings of each stem, in the order of `stems`. Only called if there is no engine. */
  postings(stems: readonly string[]): MaybePromise<readonly PostingList[]>;

  /** The fingerprints of passages; those that were removed meanwhile are missing. */
  fingerprints(numbers: readonly number[]): MaybePromise<ReadonlyMap<number, Fingerprint>>;

  /** Indexed words that share any of the spelling keys, sorted by the number of shared keys, descending. */
  similarWords(
    keys: readonly string[],
    limits: SimilarWordLimits,
  ): MaybePromise<readonly SimilarWord[]>;

  /** Whether a passage has a word of `similarWords` itself, and not only its stem. */
  hasWord(word: SimilarWord): MaybePromise<boolean>;

  /** Which of the passages are visible, and of documents that match the filter. */
  visible(
    numbers: readonly number[],
    filter: MetadataFilter | undefined,
  ): MaybePromise<ReadonlySet<number>>;

  /**
   * All passages of the documents that match the filter. The result may be out of date; `load` checks each
   * passage again.
   */
  matching(filter: MetadataFilter | undefined): MaybePromise<Numbers>;

  /** As `matching`, but undefined while it takes too long; each call then continues the work. */
  knownMatching(filter: MetadataFilter): MaybePromise<Numbers | undefined>;

  /** The index of windows by a model's vectors. */
  windowIndex(model: string): MaybePromise<WindowIndex>;

  /** Called when most passages of `windowIndex` turned out to be gone. */
  forgetWindows(model: string): void;

  /** The windows of passages; those without vectors of the model are missing. */
  windows(
    model: string,
    numbers: readonly number[],
  ): MaybePromise<ReadonlyMap<number, Omit<StoredWindows, 'codes'>>>;

  /** Whether visible passages have no vectors of the model. */
  lacksVectors(model: string): MaybePromise<boolean>;

  /** Loads the passages that are visible and whose documents match the filter. */
  load(
    numbers: readonly number[],
    filter: MetadataFilter | undefined,
  ): MaybePromise<readonly LoadedPassage[]>;
}

/** The passages of one language that an index has. */
export interface LanguageRow extends IndexSize {
  /** Empty for unknown. */
  readonly language: string;
}

export function toStatistics(rows: readonly LanguageRow[]): IndexStatistics {
  const sum = (column: keyof IndexSize) => rows.reduce((total, row) => total + row[column], 0);
  return {
    passages: sum('passages'),
    tokens: sum('tokens'),
    languages: rows
      .toSorted(
        (one, other) => other.passages - one.passages || (one.language < other.language ? -1 : 1),
      )
      .map(({ language }) => language || null),
  };
}
