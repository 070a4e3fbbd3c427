import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { ReportQueue } from './report-queue.js';
import { TenantLookup } from './tenant-lookup.js';

/**
 * It is separate from KnowledgeBasesModule for operators' commands, which have no dashboard and no
 * requests.
 */
@Module({
  imports: [TypeOrmModule.forFeature([KnowledgeBase])],
  providers: [ReportQueue, TenantLookup],
  exports: [ReportQueue, TenantLookup],
})
export class TenantsModule {}
