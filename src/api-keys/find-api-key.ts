import type { EntityManager } from 'typeorm';
import { lockRows } from '../platform/database/dialect.js';
import { isTypeId } from '../platform/http/type-id.js';
import { Problem } from '../platform/problems/problem.js';
import { ApiKey } from './api-key.entity.js';

/**
 * The key with its activity.
 *
 * @throws Problem `not_found`, also for a deleted key
 */
export async function findApiKey(manager: EntityManager, id: string): Promise<ApiKey> {
  const key = await manager.findOne(ApiKey, { where: { id }, relations: { activity: true } });
  if (!key) throw new Problem('not_found');
  return key;
}

/**
 * The key as it is now and stays until the transaction ends.
 *
 * @throws Problem `not_found`, also for a deleted key
 */
export async function lockApiKey(manager: EntityManager, id: string): Promise<ApiKey> {
  const key = await lockRows(manager.createQueryBuilder(ApiKey, 'key').where({ id })).getOne();
  if (!key) throw new Problem('not_found');
  return key;
}

/** Whose key it is: the id of a knowledge base or of a service account. */
export const ownerOf = ({ kbId, serviceAccountId }: Pick<ApiKey, 'kbId' | 'serviceAccountId'>) =>
  kbId ?? serviceAccountId ?? '';

/** The columns that say so, for a new key. */
export const ownedBy = (ownerId: string) =>
  isTypeId('sa', ownerId)
    ? { kbId: null, serviceAccountId: ownerId }
    : { kbId: ownerId, serviceAccountId: null };

/** The keys of an owner. */
export const keysOf = (ownerId: string) =>
  isTypeId('sa', ownerId) ? { serviceAccountId: ownerId } : { kbId: ownerId };
