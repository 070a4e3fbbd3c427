import type { Budget } from '../knowledge-bases/budgets/budget.js';
import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import type { KeyDelegation } from './key-credential.js';
import type { ApiKeyScope, RequiredScope } from './scope.js';

/** What a request may do in one of the knowledge bases that its credential opens. */
export interface GrantedKnowledgeBase {
  readonly kbId: string;
  readonly scopes: readonly ApiKeyScope[];
  /** The documents that it opens there, key and token taken together; undefined for all. */
  readonly filter: MetadataFilter | undefined;
  /** Of its curated answers, as it was when the key was verified; 0 if there were never any. */
  readonly curatedVersion: number;
}

/**
 * Who makes a partner's request, and what the request may do: an API key, or a client token, which has
 * the id of its key. ApiKeyGuard attaches it to the request.
 */
export interface ApiKeyPrincipal {
  readonly id: string;
  /** The main one: its settings and limits apply. */
  readonly kbId: string;
  /** All that it opens, the main one first. */
  readonly knowledgeBases: readonly GrantedKnowledgeBase[];
  readonly environment: ApiKeyEnvironment;
  /** The first key of the line of successors. */
  readonly rotationRoot: string;
  /** What it may be used for in one of them at least. */
  readonly scopes: readonly RequiredScope[];
  /** The documents that it opens in the main one, key and token taken together; undefined for all. */
  readonly filter: MetadataFilter | undefined;
  /** Of a client token, which does everything in this end user's name; undefined for a key. */
  readonly endUserId: string | undefined;
  /** In whose name it reads documents that have rules: those of the token, or else of the key. */
  readonly principals: Principals;
  /** The token's own filter and end; undefined for a key. */
  readonly clientToken: Pick<KeyDelegation, 'filter' | 'expiresAt'> | undefined;
  /** Its own; null for those of the knowledge bases. See rateLimitsIn() of rate-limiter.ts. */
  readonly rateLimitPerMinute: number | null;
  readonly rateLimitPerEndUser: number | null;
  /** What its line of successors may use together; null for any amount. */
  readonly budget: Budget | null;
  /** Of the knowledge base, as they were when the key was verified. */
  readonly settings: Settings;
  /** For the audit. */
  readonly requestId: string;
}
