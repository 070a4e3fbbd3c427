import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { ReportLimiter } from './report-limiter.js';
import { FairShareLookup } from './fair-share-lookup.js';

/**
 * It is separate from KnowledgeBasesModule for operators' commands, which have no dashboard and no
 * requests.
 */
@Module({
  imports: [TypeOrmModule.forFeature([KnowledgeBase])],
  providers: [ReportLimiter, FairShareLookup],
  exports: [ReportLimiter, FairShareLookup],
})
export class FairSharesModule {}
