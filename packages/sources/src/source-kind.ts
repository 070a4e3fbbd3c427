import type { Readable } from 'node:stream';
import type { AccessMap } from './access-map.js';

/** A document as the listing of a source has it. */
export interface SourceEntry {
  /** Names the document at the source, at most 1,000 characters; it never changes its meaning. */
  key: string;
  /** Another one when the content has changed, such as an ETag; at most 255 characters. */
  version: string;
  /**
   * Given where equal versions mean equal contents, such as those of a hash. What is gone at one place and
   * is new at another with the same version has been moved, and is not loaded again.
   */
  versionIsOfContent?: true;
  /** Where people open the document; an empty text if there is no such address. */
  url: string;
  title?: string;
  mimeType?: string;
  size?: number;
  modifiedAt?: Date;
  /** Who may read it, if the source knows; `unreadable` if that cannot be found out. */
  access?: { allow: string[]; deny: string[] } | 'unreadable';
  /**
   * Why it could not be looked at, in words for users: it is there, and whether it has changed is unknown.
   * Its `version` is empty then, and it is neither loaded nor deleted.
   */
  unavailable?: string;
}

/**
 * Like `fetch`, but to allowed addresses only, which are checked at the connection and at each redirect.
 * It follows at most five redirects, unless `redirect` is `manual`; a connection without an answer, or
 * a body that stalls, fails. Whoever reads a body counts its bytes: `boundedBody` does.
 */
export type SourceFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What a run gives to a kind. */
export interface SourceContext {
  /** Aborted when the run is cancelled or the service stops. */
  signal: AbortSignal;
  fetch: SourceFetch;
  limits: {
    /** Documents; a longer listing throws a SourceError `too_many_documents`. */
    maxEntries: number;
    /** Of one document. */
    maxBytes: number;
  };
  /**
   * A folder of this source alone. It is kept between runs where that is possible, as a cache: it may be
   * empty at each of them.
   */
  workFolder: string;
  /** A folder of this run alone, which is removed at its end. */
  runFolder: string;
  /** Says what is left out and why, such as links of a repository; at most a few for each run. */
  warn(message: string): void;
  /** Says how many documents were found so far, for a kind whose listing yields none until its end. */
  found?(count: number): void;
  /** The header of every request. */
  userAgent: string;
}

/** A document's content. */
export interface SourceContent {
  body: Readable;
  mimeType?: string;
  fileName?: string;
  title?: string;
  /** The encoding of its text, as its server names it. */
  charset?: string;
}

/** A source that a run reads. */
export interface OpenSource {
  /** How many documents may be loaded at once; one unless given. */
  readonly parallelLoads?: number;
  /** The map that says who may read its documents, of kinds whose keys are paths. */
  readonly access?: AccessMap | undefined;
  /** Whether it has ended early, so that nothing can be asked of it any more. */
  readonly isOver?: boolean;
  /**
   * Every document, in any order; a key that comes again replaces the one before.
   *
   * @throws SourceError when the listing is not whole
   */
  list(): AsyncIterable<SourceEntry>;
  /** @throws SourceError; the run goes on with the other documents */
  load(entry: SourceEntry): Promise<SourceContent>;
  /**
   * Whether a document that was not listed is gone. Only kinds whose listing may lose entries, such as
   * between two pages, have it; it is asked before anything is deleted.
   */
  isGone?(key: string): Promise<boolean>;
  close?(): Promise<void>;
}

/**
 * A kind of sources, such as websites.
 *
 * @typeParam C its configuration, which users see again
 * @typeParam S its credentials, which are encrypted and never answered
 */
export interface SourceKind<C = unknown, S = unknown> {
  readonly type: string;
  /** @throws InvalidSource */
  parse(config: unknown, credentials: unknown): { config: C; credentials: S };
  /** Connects and reads a little. @throws SourceError, in words for whoever typed the configuration */
  test(config: C, credentials: S, context: SourceContext): Promise<void>;
  /** @throws SourceError */
  open(config: C, credentials: S, context: SourceContext): Promise<OpenSource>;
}

/** What went wrong at the source. */
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

/** A source, or one of its documents, cannot be read. Its message is for users and has no secret. */
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
  /** Such as `config.path`. */
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
