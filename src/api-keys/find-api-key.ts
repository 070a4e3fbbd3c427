import { type EntityManager, In, Not, type SelectQueryBuilder } from 'typeorm';
import { lockRows } from '../platform/database/dialect.js';
import { isTypeId } from '../platform/http/type-id.js';
import { Problem } from '../platform/problems/problem.js';
import { ApiKeyKnowledgeBase } from './api-key-knowledge-base.entity.js';
import { ApiKey } from './api-key.entity.js';

/**
 * Finds a key with its activity.
 *
 * @throws Problem `not_found`, also for a deleted key
 */
export async function findApiKey(manager: EntityManager, id: string): Promise<ApiKey> {
  const key = await manager.findOne(ApiKey, { where: { id }, relations: { activity: true } });
  if (!key) throw new Problem('not_found');
  return key;
}

/**
 * Reads a key and locks it until the transaction ends.
 *
 * @throws Problem `not_found`, also for a deleted key
 */
export async function lockApiKey(manager: EntityManager, id: string): Promise<ApiKey> {
  const key = await lockRows(manager.createQueryBuilder(ApiKey, 'key').where({ id })).getOne();
  if (!key) throw new Problem('not_found');
  return key;
}

/** The id of the knowledge base or the service account that owns a key. */
export const getOwnerId = ({ kbId, serviceAccountId }: Pick<ApiKey, 'kbId' | 'serviceAccountId'>) =>
  kbId ?? serviceAccountId ?? '';

/** The owner's columns for a new key. */
export const toOwnerColumns = (ownerId: string) =>
  isTypeId('sa', ownerId)
    ? { kbId: null, serviceAccountId: ownerId }
    : { kbId: ownerId, serviceAccountId: null };

/** Keys with a secret. Trusted issuers have rows without one. */
export const WITH_SECRET = { secretHash: Not('') };

/**
 * Restricts a query to the keys of an owner. Keys of several knowledge bases are included, unless their
 * main one was deleted: such a key opens nothing any more.
 */
export const whereOwnedBy = (
  keys: SelectQueryBuilder<ApiKey>,
  ownerId: string,
): SelectQueryBuilder<ApiKey> =>
  isTypeId('sa', ownerId)
    ? keys.where({ serviceAccountId: ownerId })
    : keys.where(
        `${keys.alias}.id IN (SELECT own.id FROM api_keys own
            WHERE own.kb_id = :ownerId AND own.secret_hash <> ''
          UNION ALL
          SELECT shared.api_key_id FROM api_key_knowledge_bases shared
          JOIN api_keys opening ON opening.id = shared.api_key_id
          JOIN knowledge_bases main ON main.id = opening.kb_id AND main.state = 'active'
          WHERE shared.kb_id = :ownerId)`,
        { ownerId },
      );

/** The knowledge bases of keys besides the main one, in their order. Most keys have none. */
export async function findOtherKnowledgeBases(
  manager: EntityManager,
  keyIds: readonly string[],
): Promise<Map<string, ApiKeyKnowledgeBase[]>> {
  if (keyIds.length === 0) return new Map();
  const rows = await manager
    .createQueryBuilder(ApiKeyKnowledgeBase, 'other')
    .innerJoin('other.knowledgeBase', 'kb', `kb.state = 'active'`)
    .where({ apiKeyId: In(keyIds) })
    .orderBy('other.position')
    .getMany();
  return Map.groupBy(rows, ({ apiKeyId }) => apiKeyId);
}

/** The ids of all knowledge bases of a key, the main one first, or the id of its service account. */
export async function findOwnerIds(
  manager: EntityManager,
  key: { readonly id: string; readonly ownerId: string },
): Promise<string[]> {
  const others = (await findOtherKnowledgeBases(manager, [key.id])).get(key.id) ?? [];
  return [key.ownerId, ...others.map(({ kbId }) => kbId)];
}
