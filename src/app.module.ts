import { DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ChatModule } from './chat/chat.module.js';
import { AuditModule } from './knowledge-bases/audit/audit.module.js';
import { Config } from './platform/config/config.js';
import { ConversationsModule } from './chat/conversations/conversations.module.js';
import { DashboardAuthModule } from './knowledge-bases/dashboard-auth/dashboard-auth.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { listEntities } from './plugins.js';
import type { LoadedPlugin } from './platform/plugins/plugin.js';
import { KnowledgeBasesModule } from './knowledge-bases/knowledge-bases.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { SearchModule } from './documents/search/search.module.js';
import { SettingsModule } from './knowledge-bases/settings/settings.module.js';
import { UsageModule } from './usage/usage.module.js';

/** The table of contents. A module may import only from modules above it; plugins come last. */
@Module({})
export class AppModule {
  static forRoot(config: Config, plugins: readonly LoadedPlugin[]): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config, listEntities(plugins), plugins),
        AuditModule,
        DashboardAuthModule,
        KnowledgeBasesModule,
        SettingsModule,
        UsageModule,
        ApiKeysModule,
        SearchModule,
        DocumentsModule,
        ConversationsModule,
        ChatModule,
        ...plugins.map(({ module }) => module),
      ],
    };
  }
}
