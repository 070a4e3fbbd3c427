import type { Budget } from '../knowledge-bases/budgets/budget.js';
import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import type { KeyDelegation } from './key-credential.js';
import type { ApiKeyScope, RequiredScope } from './scope.js';

/** The rights of a request in one of its credential's knowledge bases. */
export interface Grant {
  readonly kbId: string;
  readonly scopes: readonly ApiKeyScope[];
  /** The filters of the key and the token combined; undefined for all documents. */
  readonly filter: MetadataFilter | undefined;
  /** The version of the curated answers when the key was verified; 0 if there never were any. */
  readonly curatedVersion: number;
}

/**
 * The caller of a partner's request and their rights: an API key, or a client token, which has the id of
 * its key. ApiKeyGuard attaches it to the request.
 */
export interface ApiKeyPrincipal {
  readonly id: string;
  /** The main knowledge base, which owns the key and whose settings and limits apply. */
  readonly kbId: string;
  /** What the credential opens, the main knowledge base first. */
  readonly grants: readonly Grant[];
  readonly environment: ApiKeyEnvironment;
  /** The first key of the rotation line. */
  readonly rotationRoot: string;
  /** Every scope that is granted in at least one of the knowledge bases. */
  readonly scopes: readonly RequiredScope[];
  /** The filters of key and token in the main knowledge base, combined; undefined for all documents. */
  readonly filter: MetadataFilter | undefined;
  /** The end user of a client token, in whose name every request is made; undefined for a key. */
  readonly endUserId: string | undefined;
  /** The principals that access rules are checked against: the token's, or else the key's. */
  readonly principals: Principals;
  /** The token's own filter, expiry and effort; undefined for a key. */
  readonly clientToken: Pick<KeyDelegation, 'filter' | 'expiresAt' | 'hasLowEffort'> | undefined;
  /** The agent that asks; undefined for other callers. */
  readonly connectionId: string | undefined;
  /**
   * The key's own limits; null if the knowledge base's limits apply. See rateLimitsIn() in rate-limiter.ts.
   */
  readonly rateLimitPerMinute: number | null;
  readonly rateLimitPerEndUser: number | null;
  /** The budget that the keys of the rotation line share; null for no budget. */
  readonly budget: Budget | null;
  /** The settings of the main knowledge base when the key was verified. */
  readonly settings: Settings;
  /** The request id for audit events. */
  readonly requestId: string;
}
