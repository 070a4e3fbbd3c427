import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ChatModule } from '../../chat/chat.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { McpController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';
import { ProtectedResource } from './protected-resource.js';
import { ProtectedResourceController } from './protected-resource.controller.js';

@Module({
  imports: [ApiKeysModule, ChatModule, KnowledgeBasesModule],
  controllers: [McpController, ProtectedResourceController],
  providers: [McpService, ProtectedResource],
})
export class McpModule {}
