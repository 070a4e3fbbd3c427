import type { SearchScope } from '@latchkey/ranking/search-index';
import { invalidField, Problem } from '../platform/problems/problem.js';
import type { ApiKeyPrincipal, Grant } from './api-key-principal.js';
import type { Opened } from './current-credentials.js';
import { type ApiKeyScope, requireScope } from './scope.js';

/**
 * Finds the knowledge bases of a request, in the order of the credential.
 *
 * @param named by the request; undefined for all in which the credential has the scope
 * @throws Problem `not_found` for one that the credential does not open, as for one that does not exist;
 *   `insufficient_scope`
 */
export function grantedKnowledgeBases(
  { grants }: Pick<ApiKeyPrincipal, 'grants'>,
  scope: ApiKeyScope,
  named: readonly string[] | undefined,
): Grant[] {
  if (named === undefined) return grants.filter(({ scopes }) => scopes.includes(scope));
  const wanted = new Set(named);
  const found = grants.filter(({ kbId }) => wanted.has(kbId));
  if (found.length < wanted.size) throw new Problem('not_found');
  for (const { scopes } of found) requireScope(scopes, [scope]);
  return found;
}

/**
 * Finds the knowledge base of a request that is about exactly one.
 *
 * @param named its `kb_id`; undefined if the credential has the scope in only one
 * @throws Problem as grantedKnowledgeBases; `validation_failed` when it must be named
 */
export function grantedKnowledgeBase(
  apiKey: Pick<ApiKeyPrincipal, 'grants'>,
  scope: ApiKeyScope,
  named: string | undefined,
): Grant {
  const [only, ...others] = grantedKnowledgeBases(
    apiKey,
    scope,
    named === undefined ? named : [named],
  );
  if (only && others.length === 0) return only;
  throw invalidField('kb_id', `kb_id must name one of the knowledge bases with the scope ${scope}`);
}

/** The documents that a credential may read, by the ids of its knowledge bases. */
export const readingScopes = ({ grants, principals }: Opened): Map<string, SearchScope> =>
  new Map(
    grants
      .filter(({ scopes }) => scopes.some((scope) => scope === 'query' || scope === 'chat'))
      .map(({ kbId, filter }) => [kbId, { principals, filter }]),
  );
