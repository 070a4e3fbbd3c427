import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { declareProviders } from '../platform/discovery/declared-providers.js';
import type { ApiKeyScope } from './scope.js';

/** The key that a credential stands for, and how it narrows what the key opens. */
export interface KeyDelegation {
  readonly keyId: string;
  readonly endUserId: string;
  /** The end user and their groups. */
  readonly principals: Principals;
  readonly scopes: readonly ApiKeyScope[];
  /** In addition to the filter of the key. */
  readonly filter: MetadataFilter | undefined;
  /** In addition to those of the knowledge base. */
  readonly allowedOrigins: readonly string[] | null;
  readonly expiresAt: Date;
}

/**
 * A kind of credential that stands for an API key. It ends with the key and never opens more than the key
 * does at the time of the request: ApiKeyAdmission reads the key each time.
 */
export interface KeyCredential {
  /** Whether a text is meant to be such a credential, even if it is malformed. */
  recognizes(credential: string): boolean;
  /** @throws Problem a 401 */
  verify(credential: string): KeyDelegation | Promise<KeyDelegation>;
}

/** Declares a provider as a kind of credential. */
export const IsKeyCredential = declareProviders<KeyCredential>();
