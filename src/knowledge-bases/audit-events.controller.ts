import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AuditEventDto, toAuditEventDto } from '../audit/audit-event.dto.js';
import { AuditLog } from '../audit/audit-log.js';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import { ApiDashboardProblems, ApiPage } from '../http/api-docs.js';
import { DASHBOARD_SECURITY } from '../http/open-api.js';
import { type Page, PageQueryDto } from '../http/page.dto.js';
import { paginate } from '../http/paginate.js';
import { IdParam } from '../http/type-id.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';

/** Here rather than with the audit, which knows nothing of access. */
@ApiTags('Audit')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller('kbs/:kb_id/audit-events')
export class AuditEventsController {
  constructor(
    private readonly knowledgeBases: KnowledgeBasesService,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * List what was changed, and by whom
   * @remarks Changes of keys, members, documents and the knowledge base itself.
   */
  @Get()
  @ApiPage(AuditEventDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
  async listAuditEvents(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<AuditEventDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    return paginate(this.auditLog.of(kbId), query, toAuditEventDto);
  }
}
