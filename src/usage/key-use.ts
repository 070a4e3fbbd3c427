import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';

/** The key of a request. An ApiKeyPrincipal has these fields. */
export interface UsedKey {
  readonly id: string;
  /** The main knowledge base, or the service account. */
  readonly kbId: string;
  readonly environment: ApiKeyEnvironment;
}

/** Successful requests of a key from one address. */
export interface KeyUse {
  readonly kind: 'use';
  readonly key: UsedKey;
  /** The agent that uses the key; undefined for other callers. */
  readonly connectionId?: string | undefined;
  readonly at: Date;
  readonly ip: string;
  /** The number of requests in the same quarter of an hour; `at` is the time of the last. */
  readonly count: number;
}

/** Requests with an existing key that were refused. */
export interface KeyRefusal {
  readonly kind: 'refusal';
  readonly key: UsedKey;
  readonly at: Date;
  readonly ip: string;
  /** Whether the key was deactivated or deleted. */
  readonly isKeyInactive: boolean;
  /** The number of requests in the same quarter of an hour. */
  readonly count: number;
}
