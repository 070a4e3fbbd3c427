import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { QueryRecorder } from './query-recorder.js';
import { RefusalRecorder } from './refusal-recorder.js';
import { UsagePurge } from './usage-purge.js';

@Module({
  imports: [TypeOrmModule.forFeature([KnowledgeBase]), KnowledgeBasesModule],
  providers: [QueryRecorder, RefusalRecorder, UsagePurge],
  exports: [QueryRecorder, RefusalRecorder],
})
export class UsageModule {}
