import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Problem } from '../problems/problem.js';
import { isRefusal, UsageRecorder } from '../usage/usage-recorder.js';
import { ApiKeyLookup, FoundApiKey } from './api-key-lookup.js';
import { ApiKey } from './api-key.entity.js';
import { isIpAllowed } from '../config/ip-address.js';
import { refusalOf, unauthorized } from './refusal.js';
import { Quota, RateLimiter } from './rate-limiter.js';
import { ApiKeyEnvironment, isWellFormedSecret } from './secret.js';

/** Who asks on the partners' side: the principal that ApiKeyGuard attaches. */
export interface ApiKeyPrincipal {
  readonly id: string;
  readonly kbId: string;
  readonly environment: ApiKeyEnvironment;
  /** When the request was let through, which is when the key counts as used. */
  readonly verifiedAt: Date;
  /** The knowledge base's own, for a request that does not say. */
  readonly topK: number;
  readonly minScore: number | null;
}

/** Where a request comes from. */
export interface Caller {
  readonly ip: string;
  /** Of the web page, where a browser sends it; undefined elsewhere. */
  readonly origin: string | undefined;
}

/** Tells whether a secret is a key that may be used now, from here, this often. */
@Injectable()
export class ApiKeyVerifier {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly rateLimiter: RateLimiter,
    private readonly usage: UsageRecorder,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param secret whatever the request's body has under `api_key`
   * @throws Problem a 401, `ip_not_allowed`, `origin_not_allowed`, `rate_limited` or
   *   `verification_busy`
   */
  async verify(
    secret: unknown,
    caller: Caller,
  ): Promise<{ apiKey: ApiKeyPrincipal; quota: Quota }> {
    if (typeof secret !== 'string' || secret === '') throw unauthorized('api_key_required');
    if (!isWellFormedSecret(secret)) throw unauthorized('invalid_api_key');
    const key = await this.lookup.find(secret, caller.ip);
    if (!key) throw unauthorized('invalid_api_key');
    const quota = await this.admit(key, caller).catch((error: unknown) => {
      if (error instanceof Problem && isRefusal(error.getStatus())) {
        const { id, kbId, environment } = key;
        this.usage.record({
          kind: 'refusal',
          key: { id, kbId, environment },
          at: new Date(),
          ip: caller.ip,
          isKeyInactive: key.deleted || key.state === 'deactivated',
        });
      }
      throw error;
    });
    const verifiedAt = new Date();
    if (!key.used && !(await this.markFirstUse(key, verifiedAt))) {
      throw unauthorized('invalid_api_key');
    }
    const { id, kbId, environment, topK, minScore } = key;
    return { apiKey: { id, kbId, environment, verifiedAt, topK, minScore }, quota };
  }

  private async admit(key: FoundApiKey, caller: Caller): Promise<Quota> {
    this.requireUsable(key, caller);
    return this.rateLimiter.forKey(key.rotationRoot, key.rateLimitPerMinute);
  }

  /** One answer for each way in which a key that is proven can be of no use. */
  private requireUsable(key: FoundApiKey, { ip, origin }: Caller): void {
    const refusal = refusalOf(key);
    if (refusal) throw refusal;
    if (origin !== undefined && key.allowedOrigins?.includes(origin) === false) {
      throw new Problem('origin_not_allowed');
    }
    if (key.allowedIps && !isIpAllowed(ip, key.allowedIps)) throw new Problem('ip_not_allowed');
  }

  /**
   * The one write at once in a key's life: whether it was ever used must have a sure answer.
   *
   * @returns false when the key was given another secret since it was looked up
   */
  private async markFirstUse({ id, fastHash }: FoundApiKey, at: Date): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.update(
        ApiKey,
        { id, fastHash, firstUsedAt: IsNull() },
        { firstUsedAt: at },
      );
      return affected === 1 || manager.existsBy(ApiKey, { id, fastHash });
    });
  }
}
