import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { isOfRotationLine } from '../../api-keys/rotation-line.js';
import { Problem } from '../../platform/problems/problem.js';
import { Conversation } from './conversation.entity.js';

/**
 * The conversations that a partner's request may continue and rate: those that a key of its rotation
 * line began; with a client token, only those of its end user.
 */
export function callersConversations(
  manager: EntityManager,
  { kbId, rotationRoot, endUserId }: ApiKeyPrincipal,
): SelectQueryBuilder<Conversation> {
  const conversations = manager
    .createQueryBuilder(Conversation, 'conversation')
    .where({ kbId })
    .andWhere(isOfRotationLine('conversation.apiKeyId'), { rotationRoot });
  return endUserId === undefined ? conversations : conversations.andWhere({ endUserId });
}

/**
 * @param named the `end_user_id` of the request
 * @returns in whose name the request is made; null for nobody's
 * @throws Problem `end_user_mismatch` when a client token is for another end user
 */
export function endUserOf(
  { endUserId }: ApiKeyPrincipal,
  named: string | null | undefined,
): string | null {
  if (endUserId === undefined) return named ?? null;
  if (named !== undefined && named !== null && named !== endUserId) {
    throw new Problem('end_user_mismatch');
  }
  return endUserId;
}
