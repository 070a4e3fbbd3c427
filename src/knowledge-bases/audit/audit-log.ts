import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  EntityManager,
  LessThan,
  MoreThanOrEqual,
  Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { Reads } from '../../platform/database/reads.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { isMembership, toMembershipParameters } from '../directory/memberships.js';
import type { Page } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { invalidField } from '../../platform/problems/problem.js';
import { firstIdAt } from '../../platform/http/type-id.js';
import type { ListAuditEventsDto, ListOwnedAuditEventsDto } from './audit-event-query.dto.js';
import { AuditEventDto, toAuditEventDto } from './audit-event.dto.js';
import { type RecordedChange, RecordedEvent } from '../events/recorded-event.entity.js';
import { FormerOwner } from './former-owner.entity.js';

/** The time in an event's id and its `createdAt` differ by less than this. */
const ID_TOLERANCE_MS = 60_000;

/** Lists the changes among the events. */
@Injectable()
export class AuditLog {
  constructor(
    @InjectRepository(RecordedEvent) private readonly events: Repository<RecordedEvent>,
    private readonly reads: Reads,
  ) {}

  /**
   * Lets the owners of a deleted knowledge base read its events. It runs in the transaction of the
   * deletion.
   */
  async keepForOwners(
    manager: EntityManager,
    kbId: string,
    userIds: readonly string[],
  ): Promise<void> {
    const deletedAt = new Date();
    await manager.insert(
      FormerOwner,
      userIds.map((userId) => ({ userId, kbId, deletedAt })),
    );
  }

  list(kbId: string, query: ListAuditEventsDto): Promise<Page<AuditEventDto>> {
    return this.reads.latest((manager) =>
      this.page(manager.createQueryBuilder(RecordedEvent, 'event').where({ kbId }), query),
    );
  }

  /**
   * Lists the events of all knowledge bases that the user owns, or owned when they were deleted.
   *
   * @param standaloneIds statements that select further ids whose events the user may see (`StandaloneAccess`)
   */
  listOwned(
    user: Pick<DashboardUser, 'id' | 'groups'>,
    query: ListOwnedAuditEventsDto,
    standaloneIds: readonly string[],
  ): Promise<Page<AuditEventDto>> {
    const ids = [
      `SELECT kb_id FROM knowledge_base_members member WHERE ${isMembership('member')} AND role = 'owner'`,
      'SELECT kb_id FROM former_owners WHERE user_id IN (:...memberIds)',
      ...standaloneIds,
    ];
    const events = this.events
      .createQueryBuilder('event')
      .where(`event.kb_id IN (${ids.join(' UNION ALL ')})`, toMembershipParameters(user));
    if (query.kb_id !== undefined) events.andWhere({ kbId: query.kb_id });
    return this.page(events, query);
  }

  private page(
    events: SelectQueryBuilder<RecordedEvent>,
    query: ListAuditEventsDto,
  ): Promise<Page<AuditEventDto>> {
    const { actor, action } = query;
    const from = query.from === undefined ? undefined : new Date(query.from);
    const to = query.to === undefined ? undefined : new Date(query.to);
    if (from && to && from > to) throw invalidField('from', 'from must not be after to');
    events.andWhere('event.actor IS NOT NULL');
    if (actor !== undefined) events.andWhere({ actor });
    if (action !== undefined) events.andWhere({ action });
    // Ids begin with a time and are the last column of the indexes, so they are compared too.
    if (from) {
      const first = firstIdAt('audit', from.getTime() - ID_TOLERANCE_MS);
      events.andWhere({ id: MoreThanOrEqual(first), createdAt: MoreThanOrEqual(from) });
    }
    if (to) {
      const first = firstIdAt('audit', to.getTime() + ID_TOLERANCE_MS);
      events.andWhere({ id: LessThan(first), createdAt: LessThan(to) });
    }
    return paginate(events, query, (event) => toAuditEventDto(event as RecordedChange));
  }
}
