import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { databaseNow } from '../../platform/database/database-now.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import type { CreatedInvitationDto, CreateInvitationDto, InvitationDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { getState } from './invitation-state.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 7;
/** The rows of one knowledge base, open or ended in the last month. */
const MAX_INVITATIONS = 1000;

/** Locks the knowledge base, for the limit. */
const OWNERS = { role: 'owner', lock: 'knowledge base' } as const;

/** Makes, lists and withdraws invitations. Only hashes of their links are stored. */
@Injectable()
@ResolvesResource({ resource: 'invitation', prefix: 'inv', withoutDocuments: true })
export class InvitationsService implements ResourceResolver {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly access: KnowledgeBaseAccess,
    private readonly events: Events,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.invitations.findOneBy({ id }))?.kbId;
  }

  /**
   * @param base the address of the service, without a slash at its end
   * @throws Problem `quota_reached`
   */
  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateInvitationDto,
    base: string,
  ): Promise<CreatedInvitationDto> {
    const token = randomBytes(32).toString('base64url');
    const { role, valid_days: days = DEFAULT_DAYS, max_uses: maxUses = 1 } = dto;
    const invitation = await this.access.change(user, kbId, OWNERS, async (manager) => {
      if ((await manager.countBy(Invitation, { kbId })) >= MAX_INVITATIONS) {
        throw new Problem('quota_reached', {
          detail: `A knowledge base has at most ${MAX_INVITATIONS} invitations in a month.`,
        });
      }
      const now = await databaseNow(manager);
      const invitation: Omit<Invitation, 'knowledgeBase'> = {
        ...{ id: newId('inv'), kbId, role, tokenHash: hashToken(token), maxUses, uses: 0 },
        ...{ makerId: user.id, makerGroups: [...user.groups], createdBy: shownId(user) },
        ...{
          createdAt: now,
          expiresAt: new Date(now.getTime() + days * DAY_MS),
          withdrawnAt: null,
        },
      };
      await manager.insert(Invitation, invitation);
      await this.events.recordChange(manager, user, {
        ...{ kbId, action: 'invitation.created', targetId: invitation.id },
        details: { role, max_uses: maxUses, expires_at: invitation.expiresAt.toISOString() },
      });
      return { ...toDto(invitation as Invitation, now) };
    });
    return { ...invitation, url: `${base}/console/invitation#${token}` };
  }

  async list(user: DashboardUser, kbId: string, query: PageQueryDto): Promise<Page<InvitationDto>> {
    await this.access.require(user, kbId, 'owner');
    const now = await databaseNow(this.invitations.manager);
    const rows = this.invitations.createQueryBuilder('invitation').where({ kbId });
    return paginate(rows, query, (invitation) => toDto(invitation, now));
  }

  /** Withdraws an invitation; one that was withdrawn before stays so. */
  async withdraw(user: DashboardUser, id: string): Promise<void> {
    const kbId = await this.findKbId(id);
    if (kbId === undefined) throw new Problem('not_found');
    await this.access.change(user, kbId, OWNERS, async (manager) => {
      const withdrawnAt = await databaseNow(manager);
      const standing = { id, withdrawnAt: IsNull() };
      const { affected } = await manager.update(Invitation, standing, { withdrawnAt });
      if (affected !== 1) return;
      await this.events.recordChange(manager, user, {
        ...{ kbId, action: 'invitation.withdrawn', targetId: id },
      });
    });
  }
}

export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');

const toDto = (invitation: Invitation, now: Date): InvitationDto => ({
  id: invitation.id,
  role: invitation.role,
  state: getState(invitation, now),
  max_uses: invitation.maxUses,
  uses: invitation.uses,
  created_by: invitation.createdBy,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});
