import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ChatModule } from '../../chat/chat.module.js';
import { OpenAiController } from './openai.controller.js';
import { OpenAiService } from './openai.service.js';

@Module({
  imports: [ApiKeysModule, ChatModule],
  controllers: [OpenAiController],
  providers: [OpenAiService],
})
export class OpenAiModule {}
