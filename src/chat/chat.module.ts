import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { Config } from '../platform/config/config.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { SearchModule } from '../documents/search/search.module.js';
import { SettingsModule } from '../knowledge-bases/settings/settings.module.js';
import { AskedKnowledgeBases } from './asked-knowledge-bases.js';
import { AnswerGenerator } from './answer-generator.js';
import { CuratedAnswer } from './curated-answers/curated-answer.entity.js';
import { CuratedAnswering } from './curated-answers/curated-answering.js';
import { CuratedAnswersController } from './curated-answers/curated-answers.controller.js';
import { CuratedAnswersService } from './curated-answers/curated-answers.service.js';
import { CuratedQuestions } from './curated-answers/curated-questions.js';
import { CuratedVectors } from './curated-answers/curated-vectors.js';
import { Answering } from './answering.js';
import { AnswerWatch } from './answer-watch.js';
import { AnswerWriter } from './answer-writer.js';
import { UsageModule } from '../activity/usage/usage.module.js';
import { ChatPipeline } from './chat-pipeline.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';
import { DashboardChatController } from './dashboard-chat.controller.js';
import { DashboardChatService } from './dashboard-chat.service.js';
import { PassageReader } from './passage-reader.js';
import { Replies } from './replies.js';
import { UnrecordedChat } from './unrecorded-chat.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CuratedAnswer, KnowledgeBase]),
    ApiKeysModule,
    KnowledgeBasesModule,
    SettingsModule,
    SearchModule,
    DocumentsModule,
    UsageModule,
    ConversationsModule,
  ],
  controllers: [ChatController, DashboardChatController, CuratedAnswersController],
  providers: [
    AskedKnowledgeBases,
    ChatService,
    DashboardChatService,
    Answering,
    ChatPipeline,
    UnrecordedChat,
    PassageReader,
    AnswerWriter,
    Replies,
    CuratedAnswering,
    CuratedQuestions,
    CuratedVectors,
    CuratedAnswersService,
    AnswerWatch,
    {
      provide: AnswerGenerator,
      inject: [Config],
      useFactory: async ({ model, LLM_MAX_TOKENS }: Config) => {
        if (!model) return null;
        const { OpenAiGenerator } = await import('./openai-generator.js');
        return new OpenAiGenerator(model, LLM_MAX_TOKENS);
      },
    },
  ],
  exports: [Answering, ChatService, CuratedQuestions, DashboardChatService, UnrecordedChat],
})
export class ChatModule {}
