import { DynamicModule, Module } from '@nestjs/common';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ChatModule } from './chat/chat.module.js';
import { AuditModule } from './audit/audit.module.js';
import { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { DashboardAuthModule } from './dashboard-auth/dashboard-auth.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DifyModule } from './dify/dify.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { entities } from './entities.js';
import { EvaluationsModule } from './evaluations/evaluations.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { KnowledgeBasesModule } from './knowledge-bases/knowledge-bases.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OpenAiModule } from './openai-api/openai.module.js';
import { PeppersModule } from './peppers/peppers.module.js';
import { SearchModule } from './search/search.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';
import { UsageModule } from './usage/usage.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The table of contents. A module may import only from modules above it. */
@Module({})
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        TelemetryModule,
        DatabaseModule.forRoot(entities),
        JobsModule,
        PeppersModule,
        MetricsModule,
        HttpModule,
        IdempotencyModule,
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
        AnalyticsModule,
        HealthModule,
      ],
    };
  }
}
