import type { FairShare } from '../../knowledge-bases/fair-share-lookup.js';

/** The configured embeddings, to be injected; null for none. */
export const EMBEDDINGS = Symbol('embeddings');

/** The purpose of embedding texts. A failure for one purpose does not pause the other. */
export type PassagePurpose = 'documents' | 'gaps';

/** Computes vectors of texts; similar meanings give similar directions. */
export interface Embeddings {
  /**
   * Stored with each vector, so that vectors of another model are replaced; undefined until the model
   * is available.
   */
  readonly model: string | undefined;
  /** A display name, such as `local:multilingual-e5-small`. */
  readonly description: string;
  /** The progress of the model's installation, as text; undefined if none is running. */
  readonly installing?: string | undefined;

  /**
   * @param fairShare the knowledge base and the user whose turn is used
   * @returns undefined on failure, or when it takes too long
   */
  embedQuestion(question: string, fairShare: FairShare): Promise<Float32Array | undefined>;

  /**
   * Computes vectors of sentences that a question waits for. Absent for an endpoint, which may charge for
   * them.
   *
   * @param fairShare the knowledge base and the user whose turn is used
   * @param signal aborted when nobody waits any more
   * @returns a vector for each text; fewer if it takes too long, or on failure
   */
  embedSentences?(
    texts: readonly string[],
    fairShare: FairShare,
    signal?: AbortSignal,
  ): Promise<(Float32Array | undefined)[]>;

  /**
   * @param signal if aborted, the result may be undefined
   * @param purpose by default `documents`
   * @returns a vector for each text, undefined for each rejected text; undefined on failure
   */
  embedPassages(
    texts: string[],
    signal: AbortSignal,
    purpose?: PassagePurpose,
  ): Promise<(Float32Array | undefined)[] | undefined>;

  /** Stops the threads or jobs it has started. */
  close?(): Promise<void>;
}
