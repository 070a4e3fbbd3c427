import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { SearchModule } from '../search/search.module.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';
import { ExtractiveGenerator } from './extractive-generator.js';

@Module({
  imports: [ApiKeysModule, SearchModule, ConversationsModule],
  controllers: [ChatController],
  providers: [ChatService, ExtractiveGenerator],
})
export class ChatModule {}
