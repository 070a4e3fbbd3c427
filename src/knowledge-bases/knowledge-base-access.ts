import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { lockRows } from '../database/dialect.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Problem } from '../problems/problem.js';
import { KnowledgeBaseMember, MemberRole } from './knowledge-base-member.entity.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** What a change needs. */
export interface ChangeOptions {
  readonly role: MemberRole;
  /**
   * What is locked until the commit: the user's `membership` where conditional updates of one row
   * suffice, the `knowledge base` for rules that span rows, such as the number of keys. Both are
   * exclusive: with shared locks, a member who keeps changing things could delay their own removal.
   */
  readonly lock: 'membership' | 'knowledge base';
}

/** Decides who may touch a knowledge base, and anything in it. */
@Injectable()
export class KnowledgeBaseAccess {
  constructor(
    @InjectRepository(KnowledgeBaseMember)
    private readonly members: Repository<KnowledgeBaseMember>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Decides on a read, as of now.
   *
   * @returns the user's role
   * @throws Problem `not_found` for a stranger, as for an id that does not exist; `owner_required`
   *   for a member where an owner is needed
   */
  async require(user: DashboardUser, kbId: string, role: MemberRole): Promise<MemberRole> {
    // `findOneBy` would send two queries because of the join.
    const member = await this.members
      .createQueryBuilder('member')
      .innerJoin('member.knowledgeBase', 'kb', `kb.state = 'active'`)
      .where({ kbId, userId: user.id })
      .getOne();
    return requireRole(role, member?.role);
  }

  requireMember(user: DashboardUser, kbId: string): Promise<MemberRole> {
    return this.require(user, kbId, 'member');
  }

  /**
   * Runs the transaction by which a user changes a knowledge base, or anything in it. Access is
   * decided within it: a removal, a lost role or the deletion of the knowledge base that was
   * committed before refuses the change, and one that comes later waits for it.
   *
   * @throws Problem as `require`; nothing was changed then
   */
  async change<T>(
    user: DashboardUser,
    kbId: string,
    options: ChangeOptions,
    work: (manager: EntityManager, role: MemberRole) => Promise<T>,
  ): Promise<T> {
    // Refuses strangers before they take a lock, which would make members wait.
    await this.require(user, kbId, options.role);
    return this.unitOfWork.run(async (manager) => {
      if (options.lock === 'knowledge base') await this.lock(manager, kbId);
      return work(manager, await this.authorize(manager, user, kbId, options));
    });
  }

  /**
   * Locks a knowledge base until the transaction ends; `authorize` comes after it.
   *
   * @throws Problem `not_found` when it was deleted meanwhile
   */
  async lock(manager: EntityManager, kbId: string): Promise<void> {
    if (!(await lockRows(selectActive(manager, kbId)).getOne())) throw new Problem('not_found');
  }

  /**
   * Decides on a change within its transaction. With `lock: 'knowledge base'` the caller has called
   * `lock` before.
   *
   * @returns the user's role
   * @throws Problem as `require`
   */
  async authorize(
    manager: EntityManager,
    { id: userId }: DashboardUser,
    kbId: string,
    { role, lock }: ChangeOptions,
  ): Promise<MemberRole> {
    const rows = manager.createQueryBuilder(KnowledgeBaseMember, 'member').where({ kbId, userId });
    if (lock === 'knowledge base') return requireRole(role, (await rows.getOne())?.role);
    const member = await lockRows(rows).getOne();
    // A second statement, because it sees a deletion whose commit the first one waited for.
    if (!(await selectActive(manager, kbId).getExists())) throw new Problem('not_found');
    return requireRole(role, member?.role);
  }
}

const selectActive = (manager: EntityManager, kbId: string) =>
  manager
    .createQueryBuilder(KnowledgeBase, 'kb')
    .select('kb.id')
    .where({ id: kbId, state: 'active' });

function requireRole(required: MemberRole, role: MemberRole | undefined): MemberRole {
  if (role === undefined) throw new Problem('not_found');
  if (required === 'owner' && role !== 'owner') throw new Problem('owner_required');
  return role;
}
