import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { Config } from '../config/config.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { SearchModule } from '../search/search.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { AnswerGenerator } from './answer-generator.js';
import { AnswerWriter } from './answer-writer.js';
import { UsageModule } from '../usage/usage.module.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';
import { ExtractiveGenerator } from './extractive-generator.js';

@Module({
  imports: [ApiKeysModule, SettingsModule, SearchModule, UsageModule, ConversationsModule],
  controllers: [ChatController],
  providers: [
    ChatService,
    AnswerWriter,
    ExtractiveGenerator,
    {
      provide: AnswerGenerator,
      inject: [Config, ExtractiveGenerator],
      useFactory: async ({ model }: Config, extractive: ExtractiveGenerator) => {
        if (!model) return extractive;
        const { OpenAiGenerator } = await import('./openai-generator.js');
        return new OpenAiGenerator(model);
      },
    },
  ],
  exports: [ChatService],
})
export class ChatModule {}
