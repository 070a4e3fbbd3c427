import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { UsagePurge } from './usage-purge.js';
import { UsageRecorder } from './usage-recorder.js';

@Module({
  imports: [TypeOrmModule.forFeature([KnowledgeBase]), KnowledgeBasesModule],
  providers: [UsageRecorder, UsagePurge],
  exports: [UsageRecorder],
})
export class UsageModule {}
