import { Module } from '@nestjs/common';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { CostReport } from './cost-report.js';
import { CostsController } from './costs.controller.js';
import { CostsService } from './costs.service.js';
import { Rankings } from './rankings.js';
import { StaleDocumentsController } from './stale-documents.controller.js';
import { StaleDocuments } from './stale-documents.js';
import { UsageReport } from './usage-report.js';

@Module({
  imports: [KnowledgeBasesModule],
  controllers: [AnalyticsController, StaleDocumentsController, CostsController],
  providers: [AnalyticsService, CostsService, CostReport, UsageReport, Rankings, StaleDocuments],
})
export class AnalyticsModule {}
