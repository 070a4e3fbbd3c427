import { isTypeId } from '../platform/http/type-id.js';
import type { ApiKey } from './api-key.entity.js';

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
