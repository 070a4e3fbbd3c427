import { Module } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Reads } from '../../platform/database/reads.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { PostgresReportQueries } from './postgres-report-queries.js';
import { Rankings } from './rankings.js';
import { ReportQueries } from './report-queries.js';
import { SqliteReportQueries } from './sqlite-report-queries.js';
import { UsageReport } from './usage-report.js';

@Module({
  imports: [KnowledgeBasesModule],
  controllers: [AnalyticsController],
  providers: [
    AnalyticsService,
    UsageReport,
    Rankings,
    {
      provide: ReportQueries,
      inject: [Config, Reads],
      useFactory: (config: Config, reads: Reads) =>
        config.postgres ? new PostgresReportQueries(reads) : new SqliteReportQueries(config),
    },
  ],
})
export class AnalyticsModule {}
