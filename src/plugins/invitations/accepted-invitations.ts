import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import {
  MEMBER_ROLES,
  type MemberRole,
} from '../../knowledge-bases/knowledge-base-member.entity.js';
import { MembersService } from '../../knowledge-bases/members.service.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/problems/problem.js';
import type { AcceptedInvitationDto, InvitationPreviewDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { getState, invitationEnded } from './invitation-state.js';
import { hashToken } from './invitations.service.js';

/** Against guessing; whoever was invited needs two requests. */
const LIMIT_PER_MINUTE = 30;

/** The maker is asked about in their own name, not in that of their request. */
const toMaker = ({ makerId, makerGroups }: Invitation): DashboardUser => ({
  ...{ id: makerId, groups: makerGroups, requestId: '' },
});

/** Shows invitations to those who have the link, and makes them members. */
@Injectable()
export class AcceptedInvitations {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly access: KnowledgeBaseAccess,
    private readonly members: MembersService,
    private readonly events: Events,
    private readonly rateLimiter: RateLimiter,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws Problem `invitation_ended` */
  async preview(user: DashboardUser, token: string): Promise<InvitationPreviewDto> {
    const { manager } = this.invitations;
    const invitation = await this.find(user, token);
    const state = getState(invitation, await databaseNow(manager));
    if (state !== 'open') throw invitationEnded(state);
    if ((await this.access.findRole(toMaker(invitation), invitation.kbId)) !== 'owner') {
      throw invitationEnded('maker_left');
    }
    return {
      kb_id: invitation.kbId,
      kb_name: invitation.knowledgeBase.name,
      role: invitation.role,
      created_by: invitation.createdBy,
      expires_at: invitation.expiresAt.toISOString(),
      current_role: (await this.access.findRole(user, invitation.kbId)) ?? null,
    };
  }

  /**
   * Makes the user a member. The knowledge base is locked, so that of parallel requests only as many get in as
   * it is for, and none after it was withdrawn. Who already has the role uses nothing up.
   *
   * @throws Problem `invitation_ended`
   */
  async accept(user: DashboardUser, token: string): Promise<AcceptedInvitationDto> {
    const { id, kbId, role } = await this.find(user, token);
    const accepted = await this.unitOfWork.run(async (manager) => {
      await this.access.lock(manager, kbId);
      const invitation = await manager.findOneByOrFail(Invitation, { id });
      const state = getState(invitation, await databaseNow(manager));
      const current = await this.findRole(manager, user, kbId);
      // Another press of the button, or another tab.
      if (current !== undefined && isAsHigh(current, role) && state === 'used') return current;
      if (state !== 'open') throw invitationEnded(state);
      if ((await this.findRole(manager, toMaker(invitation), kbId)) !== 'owner') {
        throw invitationEnded('maker_left');
      }
      if (current !== undefined && isAsHigh(current, role)) return current;
      await manager.update(Invitation, { id }, { uses: invitation.uses + 1 });
      await this.members.setRole(manager, user, { kbId, writtenId: shownId(user), role });
      await this.events.recordChange(manager, user, {
        ...{ kbId, action: 'invitation.accepted', targetId: id, details: { role } },
      });
      // An identity provider may have said that the person has left; then the membership would open nothing.
      return this.access.authorize(manager, user, kbId, { role: 'viewer', lock: 'membership' });
    });
    return { kb_id: kbId, role: accepted };
  }

  private async find(user: DashboardUser, token: string): Promise<Invitation> {
    await this.rateLimiter.consumeForUser('invitations', user.id, LIMIT_PER_MINUTE);
    const found = await this.invitations.findOne({
      where: { tokenHash: hashToken(token) },
      relations: { knowledgeBase: true },
    });
    if (found?.knowledgeBase.state !== 'active') throw invitationEnded('unknown');
    return found;
  }

  private async findRole(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
  ): Promise<MemberRole | undefined> {
    const options = { role: 'viewer', lock: 'knowledge base' } as const;
    return this.access.authorize(manager, user, kbId, options).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    });
  }
}

const isAsHigh = (one: MemberRole, other: MemberRole) =>
  MEMBER_ROLES.indexOf(one) >= MEMBER_ROLES.indexOf(other);
