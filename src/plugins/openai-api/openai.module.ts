import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ChatModule } from '../../chat/chat.module.js';
import { ConversationsModule } from '../../chat/conversations/conversations.module.js';
import { OpenAiController } from './openai.controller.js';
import { OpenAiService } from './openai.service.js';

@Module({
  imports: [ApiKeysModule, ChatModule, ConversationsModule],
  controllers: [OpenAiController],
  providers: [OpenAiService],
})
export class OpenAiModule {}
