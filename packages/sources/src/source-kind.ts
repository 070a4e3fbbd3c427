import type { Readable } from 'node:stream';
import type { AccessMap } from './access-map.js';

/** A document in the listing of a source. */
export interface SourceEntry {
  /** Identifies the document at the source permanently; at most 1,000 characters. */
  key: string;
  /** Changes with the content, such as an ETag; at most 255 characters. */
  version: string;
  /**
   * Set if equal versions mean equal contents, as with a hash. A document that is gone while a new one has
   * the same version has been moved, and is not loaded again.
   */
  versionIsOfContent?: true;
  /** The URL at which people open the document; empty if there is none. */
  url: string;
  title?: string;
  mimeType?: string;
  size?: number;
  modifiedAt?: Date;
  /** Who may read it, if the source knows; `unreadable` if that cannot be found out. */
  access?: { allow: string[]; deny: string[] } | 'unreadable';
  /**
   * The reason, in words for users, why an existing document could not be checked for changes. Its
   * `version` is then empty, and it is neither loaded nor deleted.
   */
  unavailable?: string;
}

/**
 * Like `fetch`, but only to allowed addresses, which are checked on connecting and at each redirect. It
 * follows at most five redirects, unless `redirect` is `manual`, and fails if the answer or the body
 * stalls. The caller must limit the size of the body, for instance by `readBounded`.
 */
export type SourceFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The environment that a run provides to a kind. */
export interface SourceContext {
  /** Aborted when the run is cancelled or the service stops. */
  signal: AbortSignal;
  fetch: SourceFetch;
  /**
   * Looks up a host for a kind with a protocol of its own. The connection must go to the address that is
   * returned, because the name may have another one at the next look.
   *
   * @throws SourceError `not_allowed` if it is not public, or `unreachable`
   */
  resolve: (host: string) => Promise<string>;
  limits: {
    /** The number of documents; a longer listing throws a SourceError `too_many_documents`. */
    maxEntries: number;
    /** The size of one document. */
    maxBytes: number;
  };
  /**
   * A folder of this source, used as a cache. It is kept between runs if possible, but may be empty at
   * any run.
   */
  workFolder: string;
  /** A folder of this run, which is removed when the run ends. */
  runFolder: string;
  /** Reports what is left out and why, such as links of a repository; at most a few times per run. */
  warn(message: string): void;
  /** Reports the number of documents found so far, for a kind whose listing yields none until its end. */
  found?(count: number): void;
  /** The `user-agent` header of every request. */
  userAgent: string;
}

/** A document's content. */
export interface SourceContent {
  body: Readable;
  mimeType?: string;
  fileName?: string;
  title?: string;
  /** The encoding of its text, as declared by its server. */
  charset?: string;
}

/** The sidecars of a source: see sidecars/sidecars.ts. */
export interface SidecarReport {
  readonly sidecars: readonly {
    readonly folder: string;
    /** The names of files that it has rules for, whether a file is named so, and whether the rule opens all. */
    readonly names: readonly {
      readonly name: string;
      readonly isFound: boolean;
      readonly isOpen: boolean;
    }[];
  }[];
  /** What is wrong with sidecars, for users. */
  readonly problems: readonly { readonly key: string; readonly message: string }[];
}

/** A source while a run reads it. */
export interface OpenSource {
  /** The number of documents that may be loaded at once; one by default. */
  readonly parallelLoads?: number;
  /** The map of who may read the documents, for kinds whose keys are paths. */
  readonly access?: AccessMap | undefined;
  /** Whether it has ended early and cannot be used any more. */
  readonly isOver?: boolean;
  /** Reads the sidecars; called once, before `list`. Kinds without folders have none. */
  readSidecars?(): Promise<SidecarReport | undefined>;
  /**
   * Lists every document, in any order; a repeated key replaces the earlier entry.
   *
   * @throws SourceError if the listing is incomplete
   */
  list(): AsyncIterable<SourceEntry>;
  /** @throws SourceError; the run continues with the other documents */
  load(entry: SourceEntry): Promise<SourceContent>;
  /**
   * Whether a document missing from the listing is gone. Only kinds whose listings may lose entries, such as
   * between two pages, implement this; it is called before anything is deleted.
   */
  isGone?(key: string): Promise<boolean>;
  close?(): Promise<void>;
}

/**
 * A kind of sources, such as websites.
 *
 * @typeParam C the configuration, which users can read back
 * @typeParam S the credentials, which are encrypted and never returned
 */
export interface SourceKind<C = unknown, S = unknown> {
  readonly type: string;
  /** @throws InvalidSource */
  parse(config: unknown, credentials: unknown): { config: C; credentials: S };
  /** Connects and reads a little. @throws SourceError with a message for the author of the configuration */
  test(config: C, credentials: S, context: SourceContext): Promise<void>;
  /** @throws SourceError */
  open(config: C, credentials: S, context: SourceContext): Promise<OpenSource>;
}

/** The type of an error at the source. */
export type SourceErrorCode =
  | 'unreachable'
  | 'not_allowed'
  | 'not_found'
  | 'unauthorized'
  | 'throttled'
  | 'incomplete_listing'
  | 'too_many_documents'
  | 'too_large'
  | 'changed_while_reading'
  | 'unreadable';

/** A source, or one of its documents, cannot be read. The message is for users and contains no secrets. */
export class SourceError extends Error {
  override name = 'SourceError';

  constructor(
    readonly code: SourceErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface FieldProblem {
  /** The path of the field, such as `config.path`. */
  readonly field: string;
  /** Never repeats the rejected value. */
  readonly message: string;
}

/** A configuration that is refused. */
export class InvalidSource extends Error {
  override name = 'InvalidSource';

  constructor(readonly problems: readonly FieldProblem[]) {
    super(problems.map(({ message }) => message).join('; '));
  }
}
