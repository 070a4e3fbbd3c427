import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { KeyUsage } from './key-usage.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageMember } from './usage-member.entity.js';
import { UsageRecorder } from './usage-recorder.js';

@Module({
  imports: [TypeOrmModule.forFeature([UsageCount, UsageMember]), KnowledgeBasesModule],
  providers: [UsageRecorder, KeyUsage],
  exports: [UsageRecorder, KeyUsage],
})
export class UsageModule {}
