import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { ReportQueue } from './report-queue.js';
import { TenantLookup } from './tenant-lookup.js';
import { UserTurns } from './user-turns.js';

/**
 * It is separate from KnowledgeBasesModule for operators' commands, which have no dashboard and no
 * requests.
 */
@Module({
  imports: [TypeOrmModule.forFeature([KnowledgeBase])],
  providers: [ReportQueue, TenantLookup, UserTurns],
  exports: [ReportQueue, TenantLookup, UserTurns],
})
export class TenantsModule {}
