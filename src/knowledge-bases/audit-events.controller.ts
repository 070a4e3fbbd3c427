import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ListAuditEventsDto, ListOwnedAuditEventsDto } from '../audit/audit-event-query.dto.js';
import { AuditEventDto } from '../audit/audit-event.dto.js';
import { AuditLog } from '../audit/audit-log.js';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import { ApiDashboardProblems, ApiPage } from '../openapi/api-docs.js';
import { DASHBOARD_SECURITY } from '../openapi/open-api.js';
import type { Page } from '../http/page.dto.js';
import { IdParam } from '../http/type-id.js';
import { KnowledgeBaseAccess } from './knowledge-base-access.js';

/** Here rather than with the audit, which knows nothing of access. */
@ApiTags('Audit')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller()
export class AuditEventsController {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * List what was changed in all that you own
   * @remarks Of every knowledge base that you own, or owned when it was deleted: its events outlive
   * it, by a year unless the operator says otherwise.
   */
  @Get('audit-events')
  @ApiPage(AuditEventDto)
  @ApiDashboardProblems('validation_failed')
  listOwnedAuditEvents(
    @CurrentUser() user: DashboardUser,
    @Query() query: ListOwnedAuditEventsDto,
  ): Promise<Page<AuditEventDto>> {
    return this.auditLog.listOwned(user.id, query);
  }

  /**
   * List what was changed, and by whom
   * @remarks Changes of keys, members, documents and the knowledge base itself.
   */
  @Get('kbs/:kb_id/audit-events')
  @ApiPage(AuditEventDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
  async listAuditEvents(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: ListAuditEventsDto,
  ): Promise<Page<AuditEventDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    return this.auditLog.list(kbId, query);
  }
}
