import { Module } from '@nestjs/common';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { CostReport } from './cost-report.js';
import { CostsController } from './costs.controller.js';
import { CostsService } from './costs.service.js';
import { Rankings } from './rankings.js';
import { UsageReport } from './usage-report.js';

@Module({
  imports: [KnowledgeBasesModule],
  controllers: [AnalyticsController, CostsController],
  providers: [AnalyticsService, CostsService, CostReport, UsageReport, Rankings],
})
export class AnalyticsModule {}
