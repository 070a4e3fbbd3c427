import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { databaseNow } from '../platform/database/database-now.js';
import { lockRows } from '../platform/database/dialect.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import { keyStatus, statusProblem, unauthorized } from './api-key-status.js';
import { Problem } from '../platform/problems/problem.js';
import { ApiKeyGrant } from './api-key-grant.entity.js';
import { ApiKey } from './api-key.entity.js';
import { type ApiKeyScope, requireScope } from './scope.js';

/** Decides within the transaction of a change whether the API key may still make it. */
@Injectable()
export class ApiKeyWriteAccess {
  /**
   * Locks the key until the transaction ends. A revocation is either committed before, and the change is
   * refused, or it waits for the change.
   *
   * @throws Problem as for a new request with the key
   */
  async authorize(
    manager: EntityManager,
    { id, kbId }: ApiKeyPrincipal,
    scope: ApiKeyScope,
  ): Promise<void> {
    const rows = manager.createQueryBuilder(ApiKey, 'key').withDeleted().where({ id });
    const key = await lockRows(rows).getOne();
    if (!key) throw unauthorized('invalid_api_key');
    const problem = statusProblem(keyStatus(key, await databaseNow(manager)));
    if (problem) throw problem;
    // Removing a knowledge base from the key waits for the key's lock too.
    const grant = await manager.findOneBy(ApiKeyGrant, { keyId: id, kbId });
    if (!grant) throw new Problem('not_found');
    requireScope(grant.scopes, [scope]);
  }
}
