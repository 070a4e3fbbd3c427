import { Module } from '@nestjs/common';
import { KnowledgeBasePurge } from '../../knowledge-bases/knowledge-base-purge.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageDocument } from './usage-document.entity.js';
import { UsageEndUser } from './usage-end-user.entity.js';
import { UsageRecord } from './usage-record.entity.js';
import { UsageRecorder } from './usage-recorder.js';

@Module({
  imports: [KnowledgeBasesModule],
  providers: [UsageRecorder],
  exports: [UsageRecorder],
})
export class UsageModule {
  constructor(purge: KnowledgeBasePurge) {
    for (const table of [UsageRecord, UsageCount, UsageEndUser, UsageDocument]) {
      purge.registerTable(table);
    }
  }
}
