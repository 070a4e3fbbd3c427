import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ChatModule } from '../../chat/chat.module.js';
import { McpController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';

@Module({
  imports: [ApiKeysModule, ChatModule],
  controllers: [McpController],
  providers: [McpService],
})
export class McpModule {}
