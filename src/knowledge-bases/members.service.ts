import type { Actor } from './events/event.js';
import { Events } from './events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import type { DashboardUser } from './dashboard-auth/dashboard-user.js';
import { comparedMemberId } from './dashboard-auth/user-id.js';
import { selectOwners } from './directory/owners.js';
import { Page, PageQueryDto } from '../platform/http/page.dto.js';
import { paginate } from '../platform/http/paginate.js';
import { invalidField, Problem } from '../platform/problems/problem.js';
import { isTypeId, newId } from '../platform/http/type-id.js';
import { KnowledgeBaseAccess } from './knowledge-base-access.js';
import { KnowledgeBaseMember, MemberRole } from './knowledge-base-member.entity.js';
import { MemberDto, toMemberDto } from './member.dto.js';

/** Locks the knowledge base, for the rule that one owner must stay. */
const OWNERS = { role: 'owner', lock: 'knowledge base' } as const;

@Injectable()
export class MembersService {
  constructor(
    @InjectRepository(KnowledgeBaseMember)
    private readonly members: Repository<KnowledgeBaseMember>,
    private readonly access: KnowledgeBaseAccess,
    private readonly events: Events,
  ) {}

  async list(user: DashboardUser, kbId: string, query: PageQueryDto): Promise<Page<MemberDto>> {
    await this.access.requireMember(user, kbId);
    const members = this.members.createQueryBuilder('member').where({ kbId });
    return paginate(members, query, toMemberDto);
  }

  /** Adds a member or changes their role. */
  async put(
    user: DashboardUser,
    kbId: string,
    writtenId: string,
    role: MemberRole,
  ): Promise<MemberDto> {
    const userId = comparedMemberId(writtenId);
    // Otherwise an owner of any other knowledge base could take the service account from those in charge of
    // it.
    if (isTypeId('sa', userId)) {
      throw invalidField('user_id', 'user_id is a service account: change its `kbs` instead');
    }
    const member = await this.access.change(user, kbId, OWNERS, async (manager) => {
      await this.setRole(manager, user, { kbId, writtenId, role });
      return manager.findOneByOrFail(KnowledgeBaseMember, { kbId, userId });
    });
    return toMemberDto(member);
  }

  /**
   * Adds a member or changes their role within a transaction that has locked the knowledge base and decided about
   * access.
   */
  async setRole(
    manager: EntityManager,
    actor: Actor,
    { kbId, writtenId, role }: { kbId: string; writtenId: string; role: MemberRole },
  ): Promise<void> {
    const userId = comparedMemberId(writtenId);
    const before = await manager.findOneBy(KnowledgeBaseMember, { kbId, userId });
    await manager
      .createQueryBuilder()
      .insert()
      .into(KnowledgeBaseMember)
      .values({ id: newId('member'), kbId, userId, writtenId, role, createdAt: new Date() })
      .orUpdate(['role'], ['kb_id', 'user_id'])
      .updateEntity(false)
      .execute();
    if (before?.role === 'owner' && role !== 'owner') await requireAnOwner(manager, kbId);
    if (before?.role === role) return;
    await this.events.recordChange(manager, actor, {
      kbId,
      action: before ? 'member.role_changed' : 'member.added',
      targetId: writtenId,
      details: { role },
    });
  }

  /** Removes a member. Members may remove themselves. */
  async remove(user: DashboardUser, kbId: string, writtenId: string): Promise<void> {
    const userId = comparedMemberId(writtenId);
    const options = userId === user.id ? ({ ...OWNERS, role: 'viewer' } as const) : OWNERS;
    await this.access.change(user, kbId, options, async (manager) => {
      const before = await manager.findOneBy(KnowledgeBaseMember, { kbId, userId });
      const { affected } = await manager.delete(KnowledgeBaseMember, { kbId, userId });
      if (affected !== 1) throw new Problem('not_found');
      if (before?.role === 'owner') await requireAnOwner(manager, kbId);
      await this.events.recordChange(manager, user, {
        kbId,
        action: 'member.removed',
        targetId: before?.writtenId ?? userId,
      });
    });
  }
}

/**
 * Requires that an owner is left after one was removed. The knowledge base is locked, so that two owners
 * cannot both leave.
 */
async function requireAnOwner(manager: EntityManager, kbId: string): Promise<void> {
  if (!(await selectOwners(manager, kbId).getExists())) throw new Problem('last_owner');
}
