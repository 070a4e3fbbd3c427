import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { hashFilter } from '@latchkey/ranking/metadata-filter';
import { toComparableName } from '@latchkey/text/person-name';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { isOfRotationLine } from '../../api-keys/rotation-line.js';
import { Problem } from '../../platform/problems/problem.js';
import { Conversation } from './conversation.entity.js';
import { whereEndUser } from './of-end-user.js';

/**
 * Selects the conversations that a partner's request may continue and rate: those begun by a key of its
 * rotation line, and with a client token only those of its end user.
 */
export function selectCallersConversations(
  manager: EntityManager,
  { kbId, rotationRoot, endUserId }: ApiKeyPrincipal,
): SelectQueryBuilder<Conversation> {
  const conversations = manager
    .createQueryBuilder(Conversation, 'conversation')
    .where({ kbId })
    .andWhere(isOfRotationLine('conversation.apiKeyId'), { rotationRoot });
  return endUserId === undefined ? conversations : conversations.andWhere(whereEndUser(endUserId));
}

/**
 * Identifies the filters that restrict a credential; null for none. Answers given under other filters may
 * reveal documents that the credential cannot read.
 */
export function hashRestriction({
  kbId: main,
  grants,
}: Pick<ApiKeyPrincipal, 'kbId' | 'grants'>): string | null {
  const hashes = grants.flatMap(({ kbId, filter }) => {
    if (!filter) return [];
    return kbId === main ? hashFilter(filter) : `${kbId}:${hashFilter(filter)}`;
  });
  return hashes.join() || null;
}

/**
 * @param named the `end_user_id` of the request
 * @returns the end user of the request; null for none
 * @throws Problem `end_user_mismatch` when a client token is for another end user
 */
export function requireEndUser(
  { endUserId }: ApiKeyPrincipal,
  named: string | null | undefined,
): string | null {
  if (endUserId === undefined) return named ?? null;
  if (
    named !== undefined &&
    named !== null &&
    toComparableName(named) !== toComparableName(endUserId)
  ) {
    throw new Problem('end_user_mismatch');
  }
  return endUserId;
}
