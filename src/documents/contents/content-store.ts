import type { Readable } from 'node:stream';

/** A range of bytes; both ends are included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A content to be stored, and how to read it. */
export interface ContentSource {
  readonly sizeBytes: number;
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string;
  /** The uploaded file; undefined for a text in memory. */
  readonly path?: string | undefined;
  /** Reads the whole content into memory. */
  readonly read: () => Promise<Buffer>;
}

/** Stores contents outside the database, each under a key that is never used again. */
export interface ContentStore {
  /** The value of `StoredContent.store` for contents in this store. */
  readonly location: string;
  /** Contents of at most this many bytes stay in the database. */
  readonly inlineBytes: number;
  /** @throws ContentStoreError */
  write(key: string, source: ContentSource): Promise<void>;
  /**
   * @param range the part to read; everything unless given
   * @throws ContentMissingError, ContentStoreError
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Does nothing when there is no such content. */
  remove(key: string): Promise<void>;
}

/** The store failed; a later attempt may succeed. */
export class ContentStoreError extends Error {
  override name = 'ContentStoreError';
}

/** The store works, but does not have the content. */
export class ContentMissingError extends Error {
  override name = 'ContentMissingError';
}
