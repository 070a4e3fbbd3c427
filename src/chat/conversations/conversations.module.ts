import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { SettingsModule } from '../../knowledge-bases/settings/settings.module.js';
import { ClosedAnswers } from './closed-answers.js';
import { ConversationErasure } from './conversation-erasure.js';
import { ConversationRetention } from './conversation-retention.js';
import { ConversationStore } from './conversation-store.js';
import { Conversation } from './conversation.entity.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationsService } from './conversations.service.js';
import { ExchangeCosts } from './exchange-costs.js';
import { FeedbackController } from './feedback.controller.js';
import { FeedbackService } from './feedback.service.js';
import { Message } from './message.entity.js';
import { QuestionSearch } from './question-search.js';
import { TraceReader } from './trace-reader.js';
import { SourceLinks } from '../source-links.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Conversation, Message]),
    KnowledgeBasesModule,
    SettingsModule,
    ApiKeysModule,
    DocumentsModule,
  ],
  controllers: [ConversationsController, FeedbackController],
  providers: [
    ConversationStore,
    ConversationsService,
    ClosedAnswers,
    QuestionSearch,
    TraceReader,
    ExchangeCosts,
    ConversationErasure,
    FeedbackService,
    ConversationRetention,
    SourceLinks,
  ],
  exports: [ClosedAnswers, ConversationStore, FeedbackService, SourceLinks],
})
export class ConversationsModule {}
