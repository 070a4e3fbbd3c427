import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBasesModule } from '../knowledge-bases.module.js';
import { DailyMessageLimit } from './daily-message-limit.js';
import { KnowledgeBaseSettings } from './knowledge-base-settings.entity.js';
import { SettingsController } from './settings.controller.js';
import { SettingsEditor } from './settings-editor.js';
import { SettingsService } from './settings.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([KnowledgeBaseSettings]), KnowledgeBasesModule],
  controllers: [SettingsController],
  providers: [SettingsService, SettingsEditor, DailyMessageLimit],
  exports: [SettingsService, DailyMessageLimit],
})
export class SettingsModule {}
