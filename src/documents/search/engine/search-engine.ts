import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AnalysedPassage } from '@latchkey/ranking/analyse-passage';
import type { PostingEngine } from '@latchkey/ranking/index-reader';
import type { Numbers } from '@latchkey/ranking/number-values';
import type { SearchDeadline } from '@latchkey/ranking/search-deadline';
import type { EnginePlace } from './engine-place.js';

/** The data of one knowledge base in a search engine. */
export interface KnowledgeBaseEngine extends PostingEngine {
  /** Returns the passages of about the `limit` windows nearest to a vector, nearest first. */
  nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    allowed: Numbers | undefined,
  ): Promise<readonly number[]>;
}

export type EngineIn = (place: EnginePlace) => KnowledgeBaseEngine;

/** The vectors of a passage as stored; see window-vectors. */
export interface PassageBytes {
  readonly number: number;
  readonly windows: number;
  readonly vectors: Uint8Array;
}

/**
 * Holds the postings and vectors of passages instead of the database. It proposes passages, and the
 * database decides which of them exist and may be read. Methods throw a SearchUnavailableError.
 */
export interface SearchEngine {
  /** Writes passages, replacing existing ones; they are visible once `refresh` has run. */
  put(
    kbId: string,
    passages: readonly AnalysedPassage[],
    places: readonly EnginePlace[],
    refresh?: boolean,
  ): Promise<void>;
  refresh(kbId: string, places: readonly EnginePlace[]): Promise<void>;
  /** Removes passages and their vectors; ignores missing ones. */
  remove(kbId: string, numbers: readonly number[], places: readonly EnginePlace[]): Promise<void>;
  /** Removes all of a knowledge base from a place. */
  leave(kbId: string, place: EnginePlace): Promise<void>;
  /** @throws SearchUnavailableError if new vectors could not be stored */
  requireVectors(kbId: string, places: readonly EnginePlace[]): Promise<void>;
  /** Creates the own index of a knowledge base for words, if it is missing. */
  prepareOwnWords(kbId: string): Promise<void>;
  /** Creates a reader of a knowledge base for one search, until its deadline. */
  createReader(kbId: string, deadline: SearchDeadline, signal?: AbortSignal): EngineIn;
  readonly vectors: {
    /** @returns false if the engine cannot hold vectors */
    put(
      kbId: string,
      model: string,
      passages: readonly PassageBytes[],
      places: readonly EnginePlace[],
    ): Promise<boolean>;
    /** @param kept a model whose vectors stay */
    remove(
      kbId: string,
      numbers: readonly number[],
      places: readonly EnginePlace[],
      kept?: string,
    ): Promise<void>;
  };
}

/** What each thread needs to create the search engine. */
export interface SearchEngineSource {
  /** The module of the plugin. */
  readonly module: string;
  /** The value of SEARCH_URL. */
  readonly urls: readonly string[];
  /** Shared memory of the threads. */
  readonly pause: SharedArrayBuffer;
}

interface SearchEngineModule {
  readonly createSearchEngine: (urls: readonly string[], pause: SharedArrayBuffer) => SearchEngine;
}

/** Loads it into a thread, whose modules must not wait: see worker-thread.ts. */
export function loadSearchEngine(source: SearchEngineSource | undefined): SearchEngine | undefined {
  if (!source) return undefined;
  const require = createRequire(import.meta.url);
  const { createSearchEngine } = require(fileURLToPath(source.module)) as SearchEngineModule;
  return createSearchEngine(source.urls, source.pause);
}
