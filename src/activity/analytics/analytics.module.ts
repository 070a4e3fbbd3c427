import { Module } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Reads } from '../../platform/database/reads.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { CostReport } from './cost-report.js';
import { CostsController } from './costs.controller.js';
import { CostsService } from './costs.service.js';
import { PostgresReportQueries } from './postgres-report-queries.js';
import { Rankings } from './rankings.js';
import { ReportQueries } from './report-queries.js';
import { ReportTurns } from './report-turns.js';
import { SqliteReportQueries } from './sqlite-report-queries.js';
import { UsageReport } from './usage-report.js';

@Module({
  imports: [KnowledgeBasesModule],
  controllers: [AnalyticsController, CostsController],
  providers: [
    AnalyticsService,
    CostsService,
    CostReport,
    UsageReport,
    Rankings,
    ReportTurns,
    {
      provide: ReportQueries,
      inject: [Config, Reads],
      useFactory: (config: Config, reads: Reads) =>
        config.postgres ? new PostgresReportQueries(reads) : new SqliteReportQueries(config),
    },
  ],
  exports: [ReportQueries, ReportTurns],
})
export class AnalyticsModule {}
