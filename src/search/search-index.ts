import type { Filter } from './metadata-filter.js';

/** A passage that a question found, with what an answer says of it. */
export interface Passage {
  readonly chunkId: string;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly externalId: string | null;
  readonly sourceUrl: string | null;
  readonly metadata: Record<string, unknown>;
  readonly heading: string | null;
  readonly page: number | null;
  readonly text: string;
  /** Above 0, higher is better; comparable within one question only. */
  readonly score: number;
}

export interface SearchQuery {
  readonly kbId: string;
  /** Any text at all; it is never read as a query language. */
  readonly question: string;
  /** How many passages at most, from 1. */
  readonly limit: number;
  /** Only passages of documents that match it. */
  readonly filter?: Filter | undefined;
  /** Only passages with at least this score. */
  readonly minScore?: number | undefined;
  /**
   * Whether passages that share with the question only words which nearly all passages have are left
   * out where others are found, see informative.ts. Their scores are near 0.
   */
  readonly onlyInformative?: boolean;
  /** Where there are embeddings: what the question is about. Scores are of fused ranks then. */
  readonly meaning?: Meaning;
  /** Aborted when the client leaves: the search ends with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchResult {
  /** Best first. */
  readonly passages: Passage[];
  /** Whether the search was ended by its time limit: there may be better passages. */
  readonly partial: boolean;
}

export interface Meaning {
  readonly model: string;
  /** Undefined when it could not be had. */
  readonly vector: Float32Array | undefined;
}

export interface DocumentVersion {
  readonly documentId: string;
  readonly version: number;
}

/**
 * Finds the passages of one knowledge base. It reads the tables of documents and chunks, and writes
 * only what it derives from them: what a document deleted or chunks replaced have left in the index
 * is never found.
 */
export abstract class SearchIndex {
  /** Takes in the chunks that versions of documents have. Repeatable. */
  abstract add(kbId: string, versions: readonly DocumentVersion[]): Promise<void>;

  /** Forgets chunks, by number. Repeatable. */
  abstract remove(kbId: string, chunkNumbers: number[]): Promise<void>;

  /** Forgets a knowledge base. Repeatable. */
  abstract drop(kbId: string): Promise<void>;

  /**
   * Only chunks of the findable version of documents that are not deleted.
   *
   * @throws Problem `knowledge_base_busy` when too many questions of the knowledge base wait
   */
  abstract search(query: SearchQuery): Promise<SearchResult>;
}
