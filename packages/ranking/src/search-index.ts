import type { Locator, PassageTable } from '@latchkey/extraction/extracted';
import type { MetadataFilter } from './metadata-filter.js';

/** What says the date of a document; the first of these that says any counts. */
export type DateOrigin = 'given' | 'source' | 'file' | 'title' | 'heading';

export interface DocumentDate {
  /** `2025`, `2025-03` or `2025-03-01`. */
  readonly value: string;
  readonly from: DateOrigin;
}

/** A passage found for a question. */
export interface FoundPassage {
  readonly kbId: string;
  readonly passageId: string;
  readonly documentId: string;
  /** Which of its document's contents it is from; see `Document.searchableNumber`. */
  readonly documentVersion: number;
  readonly documentTitle: string;
  readonly externalId: string | null;
  readonly sourceUrl: string | null;
  readonly metadata: Record<string, unknown>;
  /** Of when its document is; null if nothing says it. */
  readonly date: DocumentDate | null;
  /** The day its document got its content (ISO 8601, UTC). */
  readonly contentDate: string;
  /** When its document was changed (ISO 8601, UTC). */
  readonly updatedAt: string;
  /** Until when answers may use its document (ISO 8601, UTC); null for no limit. */
  readonly validUntil: string | null;
  readonly heading: string | null;
  readonly page: number | null;
  readonly locator: Locator | null;
  /** The rows of a table that it has. */
  readonly cells: PassageTable | null;
  readonly text: string;
  /** The language of its document (BCP 47), by which its words were stemmed; null if unknown. */
  readonly language: string | null;
  /** 0 to 1, higher is better; comparable within one question only. */
  readonly score: number;
  /**
   * The share of the question's weight (of `SearchResult.terms`) that the passage's title, heading
   * and text have, 0 to 1. Comparable between questions. 1 for a question without content words.
   */
  readonly coverage: number;
  /** The terms of the question that the passage has. */
  readonly matched: readonly QuestionTerm[];
  /** Its windows, in the order of its text; absent where the passage has no vectors. */
  readonly windows?: readonly PassageWindow[];
  /** Those of its sentences that were compared with the question. */
  readonly sentences?: readonly PassageWindow[];
}

/** A part of a passage that has a vector of its own. */
export interface PassageWindow {
  /** Its place in the passage's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Cosine similarity to `QuestionEmbedding.asked`, -1 to 1. */
  readonly toAsked: number;
  /** Cosine similarity to `QuestionEmbedding.whole`. */
  readonly toWhole: number;
}

/** A distinct content word of a question, as the search understood it. */
export interface QuestionTerm {
  /** The word as it stands in the question, folded. */
  readonly word: string;
  /** Its stems in the languages of the knowledge base, or those of the word that it was corrected to. */
  readonly stems: readonly string[];
  /** Inverse document frequency in the knowledge base: the highest for a word that it does not have. */
  readonly weight: number;
  /** Whether a passage of the knowledge base has it. */
  readonly isKnown: boolean;
  /** Whether it begins with a capital letter within a sentence, as names do, and in German all nouns. */
  readonly mayBeName: boolean;
}

export interface SearchQuery {
  readonly kbId: string;
  /** Any text; query syntax in it has no effect. */
  readonly question: string;
  /** What is asked in `question`, where that also has a greeting, a story or earlier messages. */
  readonly asked?: string | undefined;
  /** The maximum number of passages, at least 1. */
  readonly limit: number;
  /** Return up to this many passages if more than `limit` are found without a longer search. */
  readonly candidates?: number | undefined;
  /**
   * The caller and the filter of the credential, which determine the visible documents. Not only the passages
   * come from these, but also the statistics that scores depend on, and the words that misspelt ones are
   * corrected to: see ScopedIndexReader.
   */
  readonly scope: SearchScope;
  /** Only passages of documents that match it. */
  readonly filter?: MetadataFilter | undefined;
  /** Only passages with at least this score. */
  readonly minScore?: number | undefined;
  /**
   * Whether to omit passages that share only uninformative terms with the question (see
   * informative-terms.ts), unless there are no others.
   */
  readonly onlyInformative?: boolean;
  /** Given if embeddings are configured. */
  readonly embedding?: QuestionEmbedding | undefined;
  /** Aborted when the client disconnects; the search then throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchScope {
  /** Principals as in the access rules of documents: `user:<id>` and `group:<name>`. */
  readonly principals: readonly string[];
  readonly filter?: MetadataFilter | undefined;
  /** Whether documents outside of their validity are found too; false by default. */
  readonly includesInvalid?: boolean | undefined;
}

export interface SearchResult {
  /** Best first. */
  readonly passages: FoundPassage[];
  /**
   * The best passages by the search alone, given if the passages were reranked. They decide whether a question
   * is answered, so that a reranker cannot change it.
   */
  readonly original?: readonly FoundPassage[];
  /** Whether the time limit ended the search, so that there may be better passages. */
  readonly partial: boolean;
  /** True if passages that the caller may see had no vectors yet; absent without embeddings. */
  readonly lacksVectors?: boolean;
  /** The vectors by which passages were found. */
  readonly embedding?: QuestionEmbedding | undefined;
  /** The question's content words; empty if it has only stop words. */
  readonly terms: readonly QuestionTerm[];
  /** The misspelt words of the question, folded, with the words of the index that they were taken for. */
  readonly corrections?: ReadonlyMap<string, string>;
}

/** The question as vectors of length 1; absent when the model failed or took too long. */
export interface QuestionEmbedding {
  readonly model: string;
  /** The vector of `SearchQuery.asked`, or of the whole question if that is not given. */
  readonly asked?: Float32Array | undefined;
  /** The vector of the whole question. */
  readonly whole?: Float32Array | undefined;
}

export interface DocumentVersion {
  readonly documentId: string;
  readonly version: number;
  /** The language of its text (BCP 47), if the document's row does not have it yet; null if it is unknown. */
  readonly language?: string | null;
}

/**
 * Finds passages of a knowledge base. The index is derived from the tables of documents and
 * passages, and every search checks its hits against them: a passage that was deleted or replaced
 * is never found, even while the index still has it.
 */
export abstract class SearchIndex {
  /** False while the writing process cannot be started. */
  abstract get canWrite(): boolean;

  /** Indexes the passages of versions of documents. Idempotent. */
  abstract add(kbId: string, versions: readonly DocumentVersion[]): Promise<void>;

  /** Removes passages, by number. Idempotent. */
  abstract remove(kbId: string, passageNumbers: number[]): Promise<void>;

  /** Removes the index of a knowledge base. Idempotent. */
  abstract drop(kbId: string): Promise<void>;

  /** @throws Problem `knowledge_base_busy` when too many questions of the user or the knowledge base wait */
  abstract search(query: SearchQuery): Promise<SearchResult>;
}
