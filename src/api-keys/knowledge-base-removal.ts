import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { moveBudgetCounts } from '../knowledge-bases/budgets/budget-counts.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { keyShareLock, lockRows } from '../platform/database/dialect.js';
import { Problem } from '../platform/problems/problem.js';
import { ApiKeyGrant } from './api-key-grant.entity.js';
import { ApiKeyTransitions } from './api-key-transitions.js';
import { ApiKey } from './api-key.entity.js';
import { findGrants, whereOpening } from './find-api-key.js';

/** Removes a knowledge base from keys that open several. */
@Injectable()
export class KnowledgeBaseRemoval {
  constructor(
    private readonly access: KnowledgeBaseAccess,
    private readonly transitions: ApiKeyTransitions,
  ) {}

  /**
   * Removes a knowledge base from a key, its predecessors and its successors; requests that start after
   * this returns do not find it. If it owns the key, the next one becomes the owner. A key without another
   * knowledge base is revoked.
   */
  async takeOut(user: DashboardUser, kbId: string, keyId: string): Promise<void> {
    // Creation and rotation of keys wait for the lock of the knowledge base too.
    const options = { role: 'owner', lock: 'knowledge base' } as const;
    await this.access.change(user, kbId, options, async (manager) => {
      const opening = () => whereOpening(manager.createQueryBuilder(ApiKey, 'key'), kbId);
      const key = await opening().andWhere({ id: keyId }).getOne();
      if (!key) throw new Problem('not_found');
      const { rotationRoot } = key;
      const ids = (await opening().andWhere({ rotationRoot }).getMany()).map(({ id }) => id);
      const line = manager.createQueryBuilder(ApiKey, 'key').where({ id: In(ids) });
      await lockRows(line).orderBy('key.id').getMany();
      // Another knowledge base may have been removed while this waited for the lock, which only a later
      // statement sees.
      for (const each of await opening().andWhere({ rotationRoot }).getMany()) {
        await this.removeFromKey(manager, user, each, kbId);
      }
    });
  }

  private async removeFromKey(
    manager: EntityManager,
    user: DashboardUser,
    key: ApiKey,
    kbId: string,
  ): Promise<void> {
    const { id, ownerId, rotationRoot, prefix } = key;
    const grants = (await findGrants(manager, [id])).get(id) ?? [];
    const next = grants.find((grant) => grant.kbId !== kbId);
    if (!next) {
      await this.transitions.apply(manager, user, 'revoke', key, { details: { prefix } });
      return;
    }
    if (ownerId === kbId) {
      // It cannot be purged until the transaction ends, so that the key is deleted with it.
      const where = { id: next.kbId };
      await manager.findOneOrFail(KnowledgeBase, { where, ...keyShareLock(manager.dataSource) });
      await manager.update(ApiKey, { id, ownerId }, { ownerId: next.kbId });
      await moveBudgetCounts(manager, rotationRoot, { from: kbId, to: next.kbId });
    }
    await manager.delete(ApiKeyGrant, { keyId: id, kbId });
    await this.transitions.recordTakenOut(manager, user, key, kbId);
  }
}
