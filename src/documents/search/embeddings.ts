import type { Tenant } from '../../knowledge-bases/tenant-lookup.js';

/** The configured embeddings, to be injected; null for none. */
export const EMBEDDINGS = Symbol('embeddings');

/** What texts are embedded for. A failure for one does not pause the other. */
export type PassagePurpose = 'documents' | 'gaps';

/** Makes vectors of texts: those of texts of similar meaning have a similar direction. */
export interface Embeddings {
  /** Stored with each vector, those of another model are made again; undefined until it is there. */
  readonly model: string | undefined;
  /** For people, such as `local:multilingual-e5-small`. */
  readonly description: string;
  /** For people: how far the installation of its model is; undefined if there is none. */
  readonly installing?: string | undefined;

  /** Whether sentences are embedded too: three times the texts, which an endpoint may charge for. */
  readonly hasSentences: boolean;

  /**
   * @param tenant whose turn it takes
   * @returns undefined on failure, or when it takes too long
   */
  embedQuestion(question: string, tenant: Tenant): Promise<Float32Array | undefined>;

  /**
   * @param signal when it is aborted, the result may be undefined
   * @param purpose by default `documents`
   * @returns a vector for each text, or undefined for one that is rejected; undefined on failure
   */
  embedPassages(
    texts: string[],
    signal: AbortSignal,
    purpose?: PassagePurpose,
  ): Promise<(Float32Array | undefined)[] | undefined>;

  /** Ends what it has started. */
  close?(): Promise<void>;
}
