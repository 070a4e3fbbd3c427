import type { StoredWindows } from '@latchkey/embeddings/window-vectors';
import type { IndexSize } from './bm25.js';
import type { Fingerprint } from './fingerprint.js';
import type { Filter } from './metadata-filter.js';
import type { Numbers } from './number-values.js';
import type { PostingList } from './posting-block.js';
import type { FoundPassage } from './search-index.js';
import type { SimilarWord, SimilarWordLimits } from './spelling.js';
import type { Term } from './term-selection.js';

type MaybePromise<T> = T | Promise<T>;

/** A stored passage, without what a question says of it. */
export type LoadedPassage = Omit<FoundPassage, 'kbId' | 'score' | 'coverage' | 'matched'> & {
  readonly number: number;
};

/**
 * The columns of a LoadedPassage, from `passages p` and `documents d`; the same SQL on both
 * engines.
 */
export const PASSAGE_COLUMNS = `p.number, p.id AS "passageId", d.id AS "documentId",
  d.title AS "documentTitle", d.external_id AS "externalId", d.source_url AS "sourceUrl",
  d.metadata, d.language, p.heading, p.page, p.locator, p.cells, p.text`;

/** Whether a passage `p` belongs to the searchable version of its document `d`. */
export const IS_VISIBLE = `d.version = p.version AND d.state = 'active'`;

export interface IndexStatistics extends IndexSize {
  /** Of its documents (BCP 47, null for unknown), the most frequent first. */
  readonly languages: readonly (string | null)[];
}

/** What somebody sees of an index. */
export interface Visibility {
  /** Some may be of versions of documents that are not there yet, or no more. */
  readonly numbers: Numbers;
  readonly statistics: IndexStatistics;
}

/** What a passage is scored by: a stem, its weight, and how often the question has it. */
export type ScoredTerm = Pick<Term, 'stem' | 'weight' | 'times'>;

/**
 * A search engine that keeps the postings to itself. It only proposes passages: they are scored from the
 * postings that it gives, with the statistics of the reader.
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

  /** Those of the passages that are still to be embedded. */
  missing(numbers: readonly number[]): MaybePromise<ReadonlySet<number>>;
}

/**
 * The read side of one knowledge base's index, for somebody: a passage is visible if its document is
 * there and may be read by them. Every method except `load` throws
 * SearchInterruptedError when the deadline of its search has passed.
 */
export interface IndexReader {
  statistics(): MaybePromise<IndexStatistics>;

  /** Whether there are rules by which somebody may not read a document. */
  hasRules(): MaybePromise<boolean>;

  /** The visible passages of documents that match the filter, and the statistics of these alone. */
  visibility(filter: Filter | undefined): MaybePromise<Visibility>;

  /** The number of passages with each stem (document frequency); stems without any may be missing. */
  frequencies(stems: readonly string[]): MaybePromise<ReadonlyMap<string, number>>;

  /** What has the postings; undefined where `postings` gives them. */
  engine(): MaybePromise<PostingEngine | undefined>;

  /** The postings of each stem, in the order of `stems`. Only asked where there is no engine. */
  postings(stems: readonly string[]): MaybePromise<readonly PostingList[]>;

  /** The fingerprints of passages; those that were removed meanwhile are missing. */
  fingerprints(numbers: readonly number[]): MaybePromise<ReadonlyMap<number, Fingerprint>>;

  /** Indexed words that share any of the spelling keys, those that share most first. */
  similarWords(
    keys: readonly string[],
    limits: SimilarWordLimits,
  ): MaybePromise<readonly SimilarWord[]>;

  /** Whether a passage has the word itself, which `similarWords` gave with its stem. */
  hasWord(word: SimilarWord): MaybePromise<boolean>;

  /** Which of the passages are visible, and of documents that match the filter. */
  visible(
    numbers: readonly number[],
    filter: Filter | undefined,
  ): MaybePromise<ReadonlySet<number>>;

  /**
   * All passages of the documents that match the filter, for all that is known of them: what is found is
   * asked again when it is loaded.
   */
  matching(filter: Filter | undefined): MaybePromise<Numbers>;

  /** The same, unless it takes long to find out: then some of it is found out each time. */
  knownMatching(filter: Filter): MaybePromise<Numbers | undefined>;

  /** What finds the windows by a model's vectors. */
  windowIndex(model: string): MaybePromise<WindowIndex>;

  /** Called when most passages of `windowIndex` turned out to be gone. */
  forgetWindows(model: string): void;

  /** The windows of passages; those without vectors of the model are missing. */
  windows(
    model: string,
    numbers: readonly number[],
  ): MaybePromise<ReadonlyMap<number, Omit<StoredWindows, 'codes'>>>;

  /** The same of their sentences. */
  sentences(
    model: string,
    numbers: readonly number[],
  ): MaybePromise<ReadonlyMap<number, Omit<StoredWindows, 'codes'>>>;

  /** Loads those of the passages that are visible and of documents that match the filter. */
  load(
    numbers: readonly number[],
    filter: Filter | undefined,
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
