import type { Locator } from '@latchkey/extraction/locator';
import type { PassageTable } from '@latchkey/extraction/passage-table';
import type { Filter } from './metadata-filter.js';

/** A passage found for a question. */
export interface FoundPassage {
  readonly kbId: string;
  readonly passageId: string;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly externalId: string | null;
  readonly sourceUrl: string | null;
  readonly metadata: Record<string, unknown>;
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
  /** The same of its sentences, if the query asks for them and they have vectors. */
  readonly sentences?: readonly PassageWindow[];
}

/** A part of a passage that has a vector of its own. */
export interface PassageWindow {
  /** Its place in the passage's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** How near its meaning is to that of `QuestionEmbedding.asked`: cosine similarity, -1 to 1. */
  readonly toAsked: number;
  /** The same of `QuestionEmbedding.whole`. */
  readonly toWhole: number;
}

/** A distinct content word of a question, as the search understood it. */
export interface QuestionTerm {
  /** As the question has it, folded. */
  readonly word: string;
  /** Its stems in the languages of the knowledge base, or those of the word that it was corrected to. */
  readonly stems: readonly string[];
  /** Inverse document frequency in the knowledge base: the highest for a word that it does not have. */
  readonly weight: number;
  /** Whether a passage of the knowledge base has it. */
  readonly isKnown: boolean;
  /** Begins with a capital letter within a sentence, as names do, and in German all nouns. */
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
   * In whose name it is asked, and by which filter the credential is restricted: which documents are
   * seen. Not only the passages are of these, but also the statistics that scores depend on, and the
   * words that misspelt ones are corrected to: see ScopedIndexReader.
   */
  readonly scope: SearchScope;
  /** Only passages of documents that match it. */
  readonly filter?: Filter | undefined;
  /** Only passages with at least this score. */
  readonly minScore?: number | undefined;
  /**
   * Whether to omit passages that share only uninformative terms with the question (see
   * informative-terms.ts), unless there are no others.
   */
  readonly onlyInformative?: boolean;
  /** Whether `FoundPassage.sentences` are needed. */
  readonly withSentences?: boolean;
  /** Given if embeddings are configured. */
  readonly embedding?: QuestionEmbedding | undefined;
  /** Aborted when the client disconnects; the search then throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchScope {
  /** Of the rules of documents: `user:<id>` and `group:<name>`. */
  readonly principals: readonly string[];
  readonly filter?: Filter | undefined;
}

export interface SearchResult {
  /** Best first. */
  readonly passages: FoundPassage[];
  /**
   * Given if the passages were reranked: the best ones by the search alone. Whether a question is
   * answered is decided by these, so that a reranker cannot change it.
   */
  readonly original?: readonly FoundPassage[];
  /** Whether the time limit ended the search, so that there may be better passages. */
  readonly partial: boolean;
  /** The question's content words; empty if it has only stop words. */
  readonly terms: readonly QuestionTerm[];
  /** The misspelt words of the question, folded, with the words of the index that they were taken for. */
  readonly corrections?: ReadonlyMap<string, string>;
}

/** The question as vectors of length 1; absent when the model failed or took too long. */
export interface QuestionEmbedding {
  readonly model: string;
  /** Of `SearchQuery.asked`, or of the whole question where there is none. */
  readonly asked?: Float32Array | undefined;
  /** Of the whole question. */
  readonly whole?: Float32Array | undefined;
}

export interface DocumentVersion {
  readonly documentId: string;
  readonly version: number;
  /** Of its text, if the document's row does not have it yet (BCP 47); null if it is unknown. */
  readonly language?: string | null;
}

/**
 * Finds passages of a knowledge base. The index is derived from the tables of documents and
 * passages, and every search checks its hits against them: a passage that was deleted or replaced
 * is never found, even while the index still has it.
 */
export abstract class SearchIndex {
  /** False while what writes it cannot be started. */
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
