import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ChatModule } from '../../chat/chat.module.js';
import { DifyController } from './dify.controller.js';
import { DifyService } from './dify.service.js';

@Module({
  imports: [ApiKeysModule, ChatModule],
  controllers: [DifyController],
  providers: [DifyService],
})
export class DifyModule {}
