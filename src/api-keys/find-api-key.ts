import { type EntityManager, In, Not, type SelectQueryBuilder } from 'typeorm';
import { lockRows } from '../platform/database/dialect.js';
import { isTypeId } from '../platform/http/type-id.js';
import { Problem } from '../platform/problems/problem.js';
import { ApiKeyGrant } from './api-key-grant.entity.js';
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

/** The owner's columns for a new key. */
export const toOwnerColumns = (ownerId: string): Pick<ApiKey, 'ownerType' | 'ownerId'> => ({
  ownerType: isTypeId('sa', ownerId) ? 'service_account' : 'knowledge_base',
  ownerId,
});

/** Keys with a secret. Trusted issuers have rows without one. */
export const WITH_SECRET = { secretHash: Not('') };

/**
 * Restricts a query to the keys of a service account, or to those that open a knowledge base, unless the
 * knowledge base that owns them was deleted: such a key opens nothing any more.
 */
export const whereOpening = (
  keys: SelectQueryBuilder<ApiKey>,
  kbId: string,
): SelectQueryBuilder<ApiKey> =>
  isTypeId('sa', kbId)
    ? keys.where({ ownerId: kbId })
    : keys.where(
        `${keys.alias}.id IN (SELECT opening.id FROM api_key_grants opened
          JOIN api_keys opening ON opening.id = opened.key_id AND opening.secret_hash <> ''
          JOIN knowledge_bases main ON main.id = opening.owner_id AND main.state = 'active'
          WHERE opened.kb_id = :kbId)`,
        { kbId },
      );

/** The grants of keys in knowledge bases that exist, in their order, by the ids of the keys. */
export async function findGrants(
  manager: EntityManager,
  keyIds: readonly string[],
): Promise<Map<string, ApiKeyGrant[]>> {
  if (keyIds.length === 0) return new Map();
  const rows = await manager
    .createQueryBuilder(ApiKeyGrant, 'opened')
    .innerJoin('opened.knowledgeBase', 'kb', `kb.state = 'active'`)
    .where({ keyId: In(keyIds) })
    .orderBy('opened.position')
    .getMany();
  return Map.groupBy(rows, ({ keyId }) => keyId);
}

/** Finds the knowledge bases that a key opens, its owner first; for a service account's key, its account. */
export async function findOpenedKbIds(
  manager: EntityManager,
  { id, ownerId }: Pick<ApiKey, 'id' | 'ownerId'>,
): Promise<string[]> {
  const grants = (await findGrants(manager, [id])).get(id);
  return grants?.map(({ kbId }) => kbId) ?? [ownerId];
}
