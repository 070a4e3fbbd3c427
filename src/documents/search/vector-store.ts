/** A range of chunk numbers; `after` is not in it. */
export interface ChunkRange {
  readonly after: number;
  readonly end: number;
}

export interface ChunkWithoutVector {
  readonly number: number;
  readonly text: string;
}

export interface ChunkVector {
  readonly number: number;
  readonly vector: Float32Array;
}

/** Where the vectors of chunks are kept. */
export abstract class VectorStore {
  /** Called before each round of indexing. */
  abstract prepare(): Promise<void>;

  /** Brings stored vectors of the range into the form in which new ones are stored. */
  abstract convert(range: ChunkRange): Promise<void>;

  /** The first chunks of the range that have no vector of the model. */
  abstract missing(model: string, range: ChunkRange, limit: number): Promise<ChunkWithoutVector[]>;

  /** Stores nothing for a chunk that was removed meanwhile. */
  abstract store(model: string, vectors: readonly ChunkVector[]): Promise<void>;
}

/** SQL: the text that is embedded for a chunk `c` of a document `d`. */
export const EMBEDDED_TEXT = `d.title || ' ' || COALESCE(c.heading, '') || ' ' || c.text`;
