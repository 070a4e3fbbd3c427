import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBasePurge } from '../../knowledge-bases/knowledge-base-purge.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { KeyUsage } from './key-usage.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageMember } from './usage-member.entity.js';
import { UsageRecorder } from './usage-recorder.js';

@Module({
  imports: [TypeOrmModule.forFeature([UsageCount, UsageMember]), KnowledgeBasesModule],
  providers: [UsageRecorder, KeyUsage],
  exports: [UsageRecorder, KeyUsage],
})
export class UsageModule {
  constructor(purge: KnowledgeBasePurge) {
    for (const table of [UsageCount, UsageMember]) purge.registerTable(table);
  }
}
