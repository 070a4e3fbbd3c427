import { Events } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { EntityManager, In, Not } from 'typeorm';
import { lockName, lockRows } from '../../platform/database/dialect.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseMember } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import type { DirectoryUser } from './directory-user.entity.js';
import { selectOwners } from '../../knowledge-bases/directory/owners.js';

/** Applies changes pushed by an identity provider, and their consequences in knowledge bases. */
@Injectable()
export class Directory {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
  ) {}

  /**
   * Runs the changes of one service account one after the other. Changes of knowledge bases by members that
   * the provider may remove come before or wait.
   *
   * @param work gets the knowledge bases that the service account owns
   */
  change<T>(
    { id, serviceAccount }: DashboardUser,
    work: (manager: EntityManager, kbIds: readonly string[]) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(async (manager) => {
      await lockName(manager, `directory of ${id}`);
      await serviceAccount?.confirm(manager);
      const owned = manager
        .createQueryBuilder(KnowledgeBase, 'kb')
        .where(
          `kb.state = 'active' AND kb.id IN (SELECT kb_id FROM knowledge_base_members WHERE user_id = :id AND role = 'owner')`,
          { id },
        )
        .orderBy('kb.id');
      const kbIds = (await lockRows(owned).getMany()).map((kb) => kb.id);
      const members = manager
        .createQueryBuilder(KnowledgeBaseMember, 'member')
        .where({ kbId: In(kbIds) })
        .orderBy('member.kbId')
        .addOrderBy('member.id');
      await lockRows(members).getMany();
      return work(manager, kbIds);
    });
  }

  /**
   * Ends the memberships of a deprovisioned person. The last owner keeps the membership, which gives no
   * access any more.
   */
  async remove(
    manager: EntityManager,
    actor: DashboardUser,
    kbIds: readonly string[],
    { userId }: Pick<DirectoryUser, 'userId'>,
    details: object,
  ): Promise<void> {
    for (const member of await manager.findBy(KnowledgeBaseMember, { kbId: In(kbIds), userId })) {
      const { kbId, id } = member;
      const others = selectOwners(manager, kbId).andWhere({ id: Not(id) });
      if (member.role === 'owner' && !(await others.getExists())) continue;
      await manager.delete(KnowledgeBaseMember, { id });
      const targetId = member.writtenId ?? userId;
      const event = { kbId, action: 'member.removed', targetId, details } as const;
      await this.events.recordChange(manager, actor, event);
    }
  }
}
