import { Module } from '@nestjs/common';
import { ChatModule } from '../../chat/chat.module.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { SettingsModule } from '../../knowledge-bases/settings/settings.module.js';
import { SuggestedQuestionsController } from './suggested-questions.controller.js';
import { SuggestedQuestionsService } from './suggested-questions.service.js';

@Module({
  imports: [ChatModule, DocumentsModule, KnowledgeBasesModule, SettingsModule],
  controllers: [SuggestedQuestionsController],
  providers: [SuggestedQuestionsService],
})
export class SuggestedQuestionsModule {}
