import { Injectable } from '@nestjs/common';
import {
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Page } from '../../platform/http/page.dto.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import type { AnalyticsQueryDto, RankingQueryDto } from './analytics-query.dto.js';
import {
  AnalyticsDto,
  KeyAnalyticsDto,
  toFiguresDto,
  TopDocumentDto,
  UnansweredQuestionDto,
} from './analytics.dto.js';
import { Rankings } from './rankings.js';
import { ReportLimiter } from '../../knowledge-bases/report-limiter.js';
import type { StaleDocumentDto, StaleDocumentsQueryDto } from './stale-documents.dto.js';
import { StaleDocuments } from './stale-documents.js';
import { divide, toInterval } from './time-range.js';
import { UsageReport } from './usage-report.js';

@Injectable()
export class AnalyticsService {
  constructor(
    private readonly report: UsageReport,
    private readonly rankings: Rankings,
    private readonly staleDocuments: StaleDocuments,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly limiter: ReportLimiter,
  ) {}

  async get(
    user: DashboardUser,
    kbId: string,
    query: AnalyticsQueryDto,
  ): Promise<AnalyticsDto | KeyAnalyticsDto> {
    await this.knowledgeBases.requireMember(user, kbId);
    const { interval = 'day', timezone = 'UTC', environment } = query;
    const scope = { kbId, environment };
    const whole = toInterval(query);
    if (query.group_by === 'api_key') {
      // Throws when there are more days than a series may have.
      divide(whole, 'day', timezone);
      const byKey = await this.limiter.run(kbId, () => this.report.byApiKey(scope, whole));
      const data = [...byKey].map(([apiKeyId, figures]) => ({
        api_key_id: apiKeyId,
        totals: toFiguresDto(figures),
      }));
      return { data: data.sort((a, b) => (a.api_key_id < b.api_key_id ? -1 : 1)) };
    }
    const rows = divide(whole, interval, timezone);
    const { totals, series } = await this.limiter.run(kbId, () =>
      this.report.byInterval(scope, whole, rows),
    );
    return {
      totals: toFiguresDto(totals),
      series: series.map((figures, n) => ({ date: rows[n]?.date ?? '', ...toFiguresDto(figures) })),
    };
  }

  async listUnanswered(
    user: DashboardUser,
    kbId: string,
    query: RankingQueryDto,
  ): Promise<Page<UnansweredQuestionDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    return this.limiter.run(kbId, () => this.rankings.unanswered(kbId, query));
  }

  async listTopDocuments(
    user: DashboardUser,
    kbId: string,
    query: RankingQueryDto,
  ): Promise<Page<TopDocumentDto>> {
    const role = await this.knowledgeBases.requireMember(user, kbId);
    const principals = role === 'viewer' ? getPrincipals(user) : undefined;
    return this.limiter.run(kbId, () => this.rankings.topDocuments(kbId, query, principals));
  }

  async listStaleDocuments(
    user: DashboardUser,
    kbId: string,
    query: StaleDocumentsQueryDto,
  ): Promise<Page<StaleDocumentDto>> {
    const role = await this.knowledgeBases.requireMember(user, kbId);
    const principals = role === 'viewer' ? getPrincipals(user) : undefined;
    return this.limiter.run(kbId, () => this.staleDocuments.find(kbId, query, principals));
  }
}
