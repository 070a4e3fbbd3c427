import { Get, Query } from '@nestjs/common';
import { Access } from '../access.js';
import { ListAuditEventsDto, ListOwnedAuditEventsDto } from './audit-event-query.dto.js';
import { AuditEventDto } from './audit-event.dto.js';
import { AuditLog } from './audit-log.js';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardController } from '../dashboard-auth/dashboard-controller.js';
import { OpensTo } from '../opens-to.js';
import { Operation } from '../../platform/openapi/operation.js';
import type { Page } from '../../platform/http/page.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { KnowledgeBaseAccess } from '../knowledge-base-access.js';
import { ResourceResolvers } from '../resource-resolvers.js';

/** Belongs to KnowledgeBasesModule, which decides about access and which AuditModule must not import. */
@DashboardController('Audit')
export class AuditEventsController {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly auditLog: AuditLog,
    private readonly resolvers: ResourceResolvers,
  ) {}

  /**
   * List what was changed in all that you own
   * @remarks Lists the changes of every knowledge base that you own, or owned when it was deleted. Events
   * are kept for a year after that, unless the operator says otherwise.
   */
  @Get('audit-events')
  @OpensTo('audit:read')
  @Operation({ page: AuditEventDto })
  listOwnedAuditEvents(
    @CurrentUser() user: DashboardUser,
    @Query() query: ListOwnedAuditEventsDto,
  ): Promise<Page<AuditEventDto>> {
    return this.auditLog.listOwned(user, query, this.resolvers.listStandaloneIds());
  }

  /**
   * List what was changed, and by whom
   * @remarks Lists changes of keys, members, documents and the knowledge base itself.
   */
  @Get('kbs/:kb_id/audit-events')
  @Access('kb', 'viewer', 'audit:read')
  @Operation({ page: AuditEventDto })
  async listAuditEvents(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: ListAuditEventsDto,
  ): Promise<Page<AuditEventDto>> {
    const role = await this.knowledgeBases.requireMember(user, kbId);
    const { data, ...page } = await this.auditLog.list(kbId, query);
    return { data: role === 'viewer' ? data.map(withoutTitle) : data, ...page };
  }
}

/** Removes titles for viewers, who may not read every document: a title reveals content. */
function withoutTitle(event: AuditEventDto): AuditEventDto {
  const { title: _, ...details } = event.details;
  return event.action.startsWith('document.') ? { ...event, details } : event;
}
