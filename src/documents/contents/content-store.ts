import type { Readable } from 'node:stream';

/** How to read the bytes of an upload. */
export interface ContentSource {
  readonly sizeBytes: number;
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string;
  /** Of a file that was uploaded; undefined for a text in memory. */
  readonly path?: string | undefined;
  /** Reads the whole content into memory. */
  readonly read: () => Promise<Buffer>;
}

/** What a browser is told of a content that it downloads. */
export interface ContentDescription {
  readonly mimeType: string;
  /** The header Content-Disposition. */
  readonly disposition: string;
}

/** A place outside the database in which contents are kept, each below a key that is used once. */
export interface ContentStore {
  /** What StoredContent.store calls it. */
  readonly location: string;
  /** Contents of at most so many bytes stay in the database. */
  readonly inlineBytes: number;
  /** @throws ContentStoreError */
  write(key: string, source: ContentSource): Promise<void>;
  /** @throws ContentMissingError, ContentStoreError */
  read(key: string): Promise<Readable>;
  /** Does nothing when there is no such content. */
  remove(key: string): Promise<void>;
  /** A URL that is good for a minute, for stores from which clients can download themselves. */
  link?(key: string, description: ContentDescription): Promise<string>;
}

/** The store failed for now. */
export class ContentStoreError extends Error {
  override name = 'ContentStoreError';
}

/** The store works and has no such content. */
export class ContentMissingError extends Error {
  override name = 'ContentMissingError';
}
