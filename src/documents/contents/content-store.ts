import type { Readable } from 'node:stream';

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

/** The headers of a download. */
export interface ContentDescription {
  readonly mimeType: string;
  /** The header Content-Disposition. */
  readonly disposition: string;
}

/** Stores contents outside the database, each under a key that is never used again. */
export interface ContentStore {
  /** The value of `StoredContent.store` for contents in this store. */
  readonly location: string;
  /** Contents of at most this many bytes stay in the database. */
  readonly inlineBytes: number;
  /** @throws ContentStoreError */
  write(key: string, source: ContentSource): Promise<void>;
  /** @throws ContentMissingError, ContentStoreError */
  read(key: string): Promise<Readable>;
  /** Does nothing when there is no such content. */
  remove(key: string): Promise<void>;
  /** A URL that is valid for a minute, if clients can download from the store directly. */
  link?(key: string, description: ContentDescription): Promise<string>;
}

/** The store failed; a later attempt may succeed. */
export class ContentStoreError extends Error {
  override name = 'ContentStoreError';
}

/** The store works, but does not have the content. */
export class ContentMissingError extends Error {
  override name = 'ContentMissingError';
}
