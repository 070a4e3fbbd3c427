import { Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { SettingsModule } from '../knowledge-bases/settings/settings.module.js';
import { UsageRecorder } from '../usage/usage-recorder.js';
import { UsageModule } from '../usage/usage.module.js';
import { ApiKeyActivity } from './api-key-activity.entity.js';
import { ApiKeyActivityWriter } from './api-key-activity-writer.js';
import { ApiKeyExpiryNotices } from './api-key-expiry-notices.js';
import { ApiKeyIssuer } from './api-key-issuer.js';
import { ApiKeyLookup } from './api-key-lookup.js';
import { ApiKeyWriteAccess } from './api-key-write-access.js';
import { ApiKeyMisuse } from './api-key-misuse.js';
import { ApiKeyQuota } from './api-key-quota.js';
import { ApiKeyTransitions } from './api-key-transitions.js';
import { CurrentCredentials } from './current-credentials.js';
import { ApiKeyUsageService } from './api-key-usage.service.js';
import { ApiKeyAdmission } from './api-key-admission.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { BcryptVerifier } from './bcrypt-verifier.js';
import { Budgets } from './budgets.js';
import { EndedRateLimits } from './ended-rate-limits.js';
import { KeyUses } from './key-uses.js';
import { KeyViewController } from './key-view.controller.js';
import { KeyViewService } from './key-view.service.js';
import { KnowledgeBaseRemoval } from './knowledge-base-removal.js';
import { ManagementKeyUse } from './management-key-use.entity.js';
import { ManagementKeyUses } from './management-key-uses.js';
import { OwnedApiKeys } from './owned-api-keys.js';
import { openRateLimitStore } from './rate-limit-store.js';
import { RateLimiter, WINDOW_SECONDS } from './rate-limiter.js';
import { RequestLimits } from './request-limits.js';

/** It is global because most features that API keys open import it. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKey, ApiKeyActivity, ManagementKeyUse]),
    KnowledgeBasesModule,
    SettingsModule,
    UsageModule,
  ],
  controllers: [ApiKeysController, KeyViewController],
  providers: [
    ApiKeysService,
    ApiKeyActivityWriter,
    ApiKeyExpiryNotices,
    ApiKeyMisuse,
    ApiKeyIssuer,
    ApiKeyLookup,
    ApiKeyQuota,
    ApiKeyWriteAccess,
    ApiKeyTransitions,
    ApiKeyAdmission,
    ApiKeyUsageService,
    CurrentCredentials,
    BcryptVerifier,
    Budgets,
    EndedRateLimits,
    KnowledgeBaseRemoval,
    OwnedApiKeys,
    KeyViewService,
    ManagementKeyUses,
    RequestLimits,
    {
      provide: RateLimiter,
      inject: [Config, getDataSourceToken()],
      useFactory: async (config: Config, dataSource: DataSource) =>
        new RateLimiter(await openRateLimitStore(config, dataSource, WINDOW_SECONDS)),
    },
    { provide: KeyUses, useExisting: UsageRecorder },
  ],
  // ApiKeyGuard is created in the modules that use it.
  exports: [
    ApiKeyAdmission,
    ApiKeyIssuer,
    ApiKeyLookup,
    ApiKeyTransitions,
    ApiKeyWriteAccess,
    ApiKeysService,
    CurrentCredentials,
    Budgets,
    KeyUses,
    KeyViewService,
    RateLimiter,
    RequestLimits,
    UsageModule,
  ],
})
export class ApiKeysModule {}
