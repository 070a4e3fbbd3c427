import { Injectable } from '@nestjs/common';
import { KeyUsage } from '../usage/key-usage.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { ApiKeyUsageDto } from './api-key-usage.dto.js';
import { lastUse } from './api-key.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import { ManagementKeyUses } from './management-key-uses.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Shows what would break if a key were revoked. */
@Injectable()
export class ApiKeyUsageService {
  constructor(
    private readonly usage: KeyUsage,
    private readonly managementUses: ManagementKeyUses,
    private readonly apiKeys: ApiKeysService,
  ) {}

  async get(user: DashboardUser, keyId: string): Promise<ApiKeyUsageDto> {
    const key = await this.apiKeys.find(user, keyId);
    const dayAgo = new Date(Date.now() - DAY_MS);
    const lastUsedAt = lastUse(key);
    const usage = key.ownerType === 'service_account' ? this.managementUses : this.usage;
    return {
      requests_24h: await usage.requestsSince(keyId, dayAgo),
      requests_30d: await usage.requestsSince(keyId, new Date(Date.now() - 30 * DAY_MS)),
      last_used_at: lastUsedAt?.toISOString() ?? null,
      last_ip: key.activity?.lastIp ?? null,
      distinct_ips_24h: await usage.addressesSince(keyId, dayAgo),
      refused_uses_since_revoked: key.activity?.refusedUses ?? 0,
      last_refused_at: key.activity?.lastRefusedAt?.toISOString() ?? null,
      last_refused_ip: key.activity?.lastRefusedIp ?? null,
      successor_id: key.rotatedTo,
      safe_to_revoke: lastUsedAt === null || lastUsedAt < dayAgo,
    };
  }
}
