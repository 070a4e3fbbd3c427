import { Injectable } from '@nestjs/common';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { CostReport } from './cost-report.js';
import { type CostGroup, CostsDto, type CostsQueryDto, MAX_ROWS } from './costs.dto.js';
import { toCsv } from './csv.js';
import { ReportLimiter } from '../../knowledge-bases/report-limiter.js';
import { toInterval } from './time-range.js';

const GROUP_COLUMNS = {
  api_key: ['api_key_id', 'api_key_name'],
  end_user: ['end_user_id'],
  model: ['model'],
} as const satisfies Record<CostGroup, readonly string[]>;

const FIGURE_COLUMNS = ['messages', 'prompt_tokens', 'completion_tokens', 'cost'] as const;

@Injectable()
export class CostsService {
  constructor(
    private readonly report: CostReport,
    private readonly limiter: ReportLimiter,
    private readonly knowledgeBases: KnowledgeBaseAccess,
  ) {}

  async get(user: DashboardUser, kbId: string, query: CostsQueryDto): Promise<CostsDto> {
    const { group, scope, interval } = await this.asked(user, kbId, query);
    return this.limiter.run(kbId, async () => {
      const rows = await this.report.rows(scope, interval, group, MAX_ROWS.json + 1);
      return {
        data: rows.slice(0, MAX_ROWS.json),
        has_more: rows.length > MAX_ROWS.json,
        totals: await this.report.totals(scope, interval),
      };
    });
  }

  async getCsv(user: DashboardUser, kbId: string, query: CostsQueryDto): Promise<string> {
    const { group, scope, interval } = await this.asked(user, kbId, query);
    const rows = await this.limiter.run(kbId, () =>
      this.report.rows(scope, interval, group, MAX_ROWS.csv),
    );
    const columns = [...GROUP_COLUMNS[group], ...FIGURE_COLUMNS];
    return toCsv([columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]);
  }

  private async asked(user: DashboardUser, kbId: string, query: CostsQueryDto) {
    await this.knowledgeBases.requireMember(user, kbId);
    const { group_by: group = 'api_key', environment } = query;
    return { group, scope: { kbId, environment }, interval: toInterval(query) };
  }
}
