import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { declareProviders } from '../platform/discovery/declared-providers.js';
import type { Caller } from './api-key-status.js';
import type { ApiKeyScope } from './scope.js';

/** The key that a credential stands for, and how it narrows what the key opens. */
export interface KeyDelegation {
  readonly keyId: string;
  /** In whose name every request is made; undefined for the key's own. */
  readonly endUserId: string | undefined;
  /** The end user and their groups; undefined for the principals of the key. */
  readonly principals: Principals | undefined;
  readonly scopes: readonly ApiKeyScope[];
  /**
   * The knowledge bases that are open, of those of the key, with the groups that count in each alone;
   * undefined for all.
   */
  readonly memberships?: ReadonlyMap<string, Principals>;
  /** In addition to the filter of the key. */
  readonly filter: MetadataFilter | undefined;
  /** In addition to those of the knowledge base. */
  readonly allowedOrigins: readonly string[] | null;
  readonly expiresAt: Date;
  /** The thumbprint of the key that each request with the credential has to prove. */
  readonly dpopJkt?: string | undefined;
  /** Whether the page is the service’s own, so that the knowledge base does not have to list its origin. */
  readonly isOwnPage?: boolean;
  /** Whether answers are made with low effort, whatever a request asks for. */
  readonly hasLowEffort?: boolean;
  /** The agent that has the credential; undefined for other holders. */
  readonly connectionId?: string;
}

/**
 * A kind of credential that stands for an API key. It ends with the key and never opens more than the key
 * does at the time of the request: ApiKeyAdmission reads the key each time.
 */
export interface KeyCredential {
  /** Whether a text is meant to be such a credential, even if it is malformed. */
  recognizes(credential: string): boolean;
  /** @throws Problem a 401 */
  verify(credential: string, caller: Caller): KeyDelegation | Promise<KeyDelegation>;
}

/** Declares a provider as a kind of credential. */
export const IsKeyCredential = declareProviders<KeyCredential>();
