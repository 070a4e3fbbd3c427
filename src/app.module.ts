import { DynamicModule, Module } from '@nestjs/common';
import { AnalyticsModule } from './activity/analytics/analytics.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ChatModule } from './chat/chat.module.js';
import { AuditModule } from './knowledge-bases/audit/audit.module.js';
import { Config } from './platform/config/config.js';
import { ConversationsModule } from './chat/conversations/conversations.module.js';
import { DashboardAuthModule } from './knowledge-bases/dashboard-auth/dashboard-auth.module.js';
import { DifyModule } from './protocols/dify/dify.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { entities } from './entities.js';
import { EvaluationsModule } from './chat/evaluations/evaluations.module.js';
import { KnowledgeBasesModule } from './knowledge-bases/knowledge-bases.module.js';
import { McpModule } from './protocols/mcp/mcp.module.js';
import { OpenAiModule } from './protocols/openai-api/openai.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { ScimModule } from './protocols/scim/scim.module.js';
import { SearchModule } from './documents/search/search.module.js';
import { SettingsModule } from './knowledge-bases/settings/settings.module.js';
import { UsageModule } from './activity/usage/usage.module.js';
import { WebhooksModule } from './activity/webhooks/webhooks.module.js';

/** The table of contents. A module may import only from modules above it. */
@Module({})
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config, entities),
        AuditModule,
        DashboardAuthModule,
        KnowledgeBasesModule,
        SettingsModule,
        UsageModule,
        WebhooksModule,
        SearchModule,
        ApiKeysModule,
        DocumentsModule,
        ConversationsModule,
        ChatModule,
        EvaluationsModule,
        McpModule,
        OpenAiModule,
        DifyModule,
        ScimModule,
        AnalyticsModule,
      ],
    };
  }
}
