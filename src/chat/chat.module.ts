import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { Config } from '../platform/config/config.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { SearchModule } from '../documents/search/search.module.js';
import { SettingsModule } from '../knowledge-bases/settings/settings.module.js';
import { AskedKnowledgeBases } from './asked-knowledge-bases.js';
import { AnswerGenerator } from './answer-generator.js';
import { AnswerPipeline } from './answer-pipeline.js';
import { AnswerWatch } from './answer-watch.js';
import { UsageModule } from '../usage/usage.module.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';
import { DashboardChatController } from './dashboard-chat.controller.js';
import { DashboardChatService } from './dashboard-chat.service.js';
import { DocumentLists } from './document-lists.js';
import { ExtractiveAnswerer } from './extractive-answerer.js';
import { ModelAnswerer } from './model-answerer.js';
import { PassageReader } from './passage-reader.js';
import { Replies } from './replies.js';
import { Retriever } from './retriever.js';
import { SmallTalkByMeaning } from './small-talk-by-meaning.js';

@Module({
  imports: [
    ApiKeysModule,
    KnowledgeBasesModule,
    SettingsModule,
    SearchModule,
    DocumentsModule,
    UsageModule,
    ConversationsModule,
  ],
  controllers: [ChatController, DashboardChatController],
  providers: [
    ChatService,
    DashboardChatService,
    AskedKnowledgeBases,
    AnswerPipeline,
    Retriever,
    ExtractiveAnswerer,
    ModelAnswerer,
    Replies,
    DocumentLists,
    PassageReader,
    SmallTalkByMeaning,
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
  exports: [AnswerPipeline, ChatService, DashboardChatService, PassageReader, Retriever],
})
export class ChatModule {}
