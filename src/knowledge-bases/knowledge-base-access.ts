import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, In, Repository } from 'typeorm';
import type { DashboardUser } from './dashboard-auth/dashboard-user.js';
import {
  isMembership,
  toMembershipParameters,
  SELECT_PUSHED_GROUPS,
} from './directory/memberships.js';
import { isPostgres, lockRows } from '../platform/database/dialect.js';
import { queryPrepared } from '../platform/database/prepared-query.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Problem } from '../platform/problems/problem.js';
import { KnowledgeBaseMember, MEMBER_ROLES, MemberRole } from './knowledge-base-member.entity.js';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { ResourceResolvers } from './resource-resolvers.js';

/** The role that a change requires, and the lock that it takes. */
export interface ChangeOptions {
  readonly role: MemberRole;
  /**
   * The row that is locked until the commit. The user's `membership` is enough if each update is a
   * conditional one of a single row; a rule over several rows, such as the limit of keys, needs the
   * `knowledge base`. Both locks are exclusive: shared ones would let a member's changes delay the member's
   * removal.
   */
  readonly lock: 'membership' | 'knowledge base';
}

/**
 * Decides which users may read or change a knowledge base and its contents. Each method also accepts the id
 * of a resource that belongs to no knowledge base (`StandaloneAccess`), such as a service account.
 */
@Injectable()
export class KnowledgeBaseAccess {
  constructor(
    @InjectRepository(KnowledgeBaseMember)
    private readonly members: Repository<KnowledgeBaseMember>,
    private readonly unitOfWork: UnitOfWork,
    private readonly resolvers: ResourceResolvers,
  ) {}

  /**
   * Decides about a read by the current state.
   *
   * @returns the user's role
   * @throws Problem `not_found` when the knowledge base does not exist or the user is no member of it;
   *   `insufficient_role` when the user is a viewer and `role` is more; `owner_required` when the user
   *   is a member and `role` is `owner`
   */
  async require(user: DashboardUser, kbId: string, role: MemberRole): Promise<MemberRole> {
    return requireRole(role, await this.findRole(user, kbId));
  }

  /** @returns undefined when the knowledge base does not exist or the user is no member of it */
  async findRole(user: DashboardUser, kbId: string): Promise<MemberRole | undefined> {
    const { manager } = this.members;
    const standalone = this.resolvers.findStandaloneAccess(kbId);
    return highestRole(
      standalone
        ? await standalone.findRoles(manager, user, kbId, { lock: false })
        : await activeMemberships(manager, user, kbId),
    );
  }

  /**
   * The pushed groups of a user that count in the knowledge base, besides those that the credential names.
   */
  async pushedGroups({ id: userId }: Pick<DashboardUser, 'id'>, kbId: string): Promise<string[]> {
    const { manager } = this.members;
    const query = manager
      .createQueryBuilder()
      .select('grp.principal', 'principal')
      .distinct()
      .from('directory_groups', 'grp')
      .where(`grp.id IN (${SELECT_PUSHED_GROUPS})`, { userId, kbId });
    const rows = await queryPrepared<{ principal: string }>(manager, query);
    return rows.map(({ principal }) => principal);
  }

  /** Requires a membership of any role. */
  requireMember(user: DashboardUser, kbId: string): Promise<MemberRole> {
    return this.require(user, kbId, 'viewer');
  }

  /**
   * Runs `work` in a transaction, and decides about access within it. If the member's removal or demotion,
   * or the deletion of the knowledge base, is committed before, the change is refused; if it comes later,
   * it waits for this transaction.
   *
   * @throws Problem as `require`; nothing is changed then
   */
  async change<T>(
    user: DashboardUser,
    kbId: string,
    options: ChangeOptions,
    work: (manager: EntityManager, role: MemberRole) => Promise<T>,
  ): Promise<T> {
    // Users without access are refused before they take a lock, for which members would wait.
    const { access } = user;
    if (access?.kbId === kbId) requireRole(options.role, access.role);
    else await this.require(user, kbId, options.role);
    return this.unitOfWork.run(async (manager) => {
      if (options.lock === 'knowledge base') await this.lock(manager, kbId);
      return work(manager, await this.authorize(manager, user, kbId, options));
    });
  }

  /**
   * Runs a change of several knowledge bases, which it locks in a fixed order.
   *
   * @throws Problem as `require` of each
   */
  async changeAll<T>(
    user: DashboardUser,
    kbIds: readonly string[],
    role: MemberRole,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const ids = [...new Set(kbIds)].sort();
    for (const kbId of ids) await this.require(user, kbId, role);
    return this.unitOfWork.run(async (manager) => {
      for (const kbId of ids) await this.lock(manager, kbId);
      const options = { role, lock: 'knowledge base' } as const;
      for (const kbId of ids) await this.authorize(manager, user, kbId, options);
      return work(manager);
    });
  }

  /** Finds the knowledge bases that a user may see. */
  async findVisible(
    user: DashboardUser,
    kbIds: readonly string[],
    manager = this.members.manager,
  ): Promise<Set<string>> {
    if (kbIds.length === 0) return new Set();
    const rows = await manager
      .createQueryBuilder(KnowledgeBaseMember, 'member')
      .innerJoin('member.knowledgeBase', 'kb', `kb.state = 'active'`)
      .where({ kbId: In([...new Set(kbIds)]) })
      .andWhere(isMembership('member'), toMembershipParameters(user))
      .getMany();
    return new Set(rows.map(({ kbId }) => kbId));
  }

  /**
   * Locks a knowledge base until the transaction ends. Call it before `authorize`.
   *
   * @throws Problem `not_found` when it was deleted meanwhile
   */
  async lock(manager: EntityManager, kbId: string): Promise<void> {
    const standalone = this.resolvers.findStandaloneAccess(kbId);
    const isFound = standalone
      ? await standalone.lock(manager, kbId)
      : await lockRows(selectActive(manager, kbId)).getOne();
    if (!isFound) throw new Problem('not_found');
  }

  /**
   * Decides about a change within its transaction. With `lock: 'knowledge base'` the caller must have
   * called `lock`; with `lock: 'membership'`, and for service accounts, this locks the memberships of the
   * user and their groups.
   *
   * @returns the user's role
   * @throws Problem as `require`
   */
  async authorize(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
    { role, lock }: ChangeOptions,
  ): Promise<MemberRole> {
    const standalone = this.resolvers.findStandaloneAccess(kbId);
    if (standalone) {
      const roles = await standalone.findRoles(manager, user, kbId, { lock: true });
      return requireRole(role, highestRole(roles));
    }
    await user.serviceAccount?.confirm(manager);
    // Persons in charge of a service account remove its roles without the lock of the knowledge base.
    const locks = lock === 'membership' || user.serviceAccount;
    // SQLite runs one transaction at a time, so there is no row to wait for.
    if (locks && isPostgres(manager.dataSource)) {
      // The deletion of a knowledge base locks the memberships in the same order.
      const locked = lockRows(memberships(manager, user, kbId)).orderBy('member.id');
      await queryPrepared(manager, locked);
    }
    // A deletion or a push of an identity provider may have been committed while this waited for the lock,
    // which only a later statement sees.
    return requireRole(role, highestRole(await activeMemberships(manager, user, kbId)));
  }
}

const memberships = (manager: EntityManager, user: DashboardUser, kbId: string) =>
  manager
    .createQueryBuilder(KnowledgeBaseMember, 'member')
    .select('member.role', 'role')
    .where({ kbId })
    .andWhere(isMembership('member'), toMembershipParameters(user));

/** The memberships of the user; none if the knowledge base was deleted. */
const activeMemberships = (manager: EntityManager, user: DashboardUser, kbId: string) =>
  queryPrepared<{ readonly role: MemberRole }>(
    manager,
    memberships(manager, user, kbId).innerJoin('member.knowledgeBase', 'kb', `kb.state = 'active'`),
  );

const selectActive = (manager: EntityManager, kbId: string) =>
  manager
    .createQueryBuilder(KnowledgeBase, 'kb')
    .select('kb.id')
    .where({ id: kbId, state: 'active' });

/** @returns undefined without a membership */
export const highestRole = (memberships: readonly { role: MemberRole }[]): MemberRole | undefined =>
  MEMBER_ROLES.findLast((role) => memberships.some((membership) => membership.role === role));

/**
 * @param role undefined for who is no member
 * @throws Problem as `KnowledgeBaseAccess.require`
 */
export function requireRole(required: MemberRole, role: MemberRole | undefined): MemberRole {
  if (role === undefined) throw new Problem('not_found');
  if (MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(required)) return role;
  throw new Problem(role === 'viewer' ? 'insufficient_role' : 'owner_required');
}
