import { Problem } from '../platform/problems/problem.js';

export const API_KEY_SCOPES = [
  'query',
  'chat',
  'feedback',
  'documents:read',
  'documents:write',
] as const;

export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** The scopes of keys that are created without `scopes`. */
export const DEFAULT_SCOPES: readonly ApiKeyScope[] = ['query', 'chat', 'feedback'];

/** The scopes that a client token can have, if its key has them. */
export const CLIENT_TOKEN_SCOPES: readonly ApiKeyScope[] = ['query', 'chat', 'feedback'];

/** A right that every API key with one of these scopes has, and no client token. */
export const ISSUE_CLIENT_TOKENS = 'client-tokens';

export const mayIssueTokens = (scopes: readonly ApiKeyScope[]): boolean =>
  CLIENT_TOKEN_SCOPES.some((scope) => scopes.includes(scope));

export type RequiredScope = ApiKeyScope | typeof ISSUE_CLIENT_TOKENS;

/** How a partner's route is called. The guard reads it from the route. */
export interface PartnerRoute {
  /** The scopes of which the credential needs one. */
  readonly scopes: readonly RequiredScope[];
  /** Whether web pages of any origin may call it; see platform/http/browsers.ts. */
  readonly anyOrigin?: true;
  /**
   * Whether the credential is taken from the header Authorization only, so that the body can be read later;
   * see platform/http/request-body.ts.
   */
  readonly readsBodyLast?: true;
}

/** @throws Problem `insufficient_scope` unless one of the required scopes was granted */
export function requireScope(granted: readonly string[], required: readonly RequiredScope[]): void {
  if (required.some((scope) => granted.includes(scope))) return;
  const missing = required.includes(ISSUE_CLIENT_TOKENS)
    ? `client-tokens, which only API keys with the scope ${CLIENT_TOKEN_SCOPES.join(' or ')} have`
    : required.join(' or ');
  throw new Problem('insufficient_scope', { detail: `The credential lacks the scope ${missing}.` });
}
