import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Problem } from '../problems/problem.js';
import { isRefusal, UsageRecorder } from '../usage/usage-recorder.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyLookup, FoundApiKey } from './api-key-lookup.js';
import {
  Caller,
  KeyStatus,
  keyStatus,
  requireAllowedCaller,
  statusProblem,
  unauthorized,
} from './api-key-status.js';
import { Quota, RateLimiter } from './rate-limiter.js';
import { ApiKeyEnvironment, isWellFormedSecret } from './secret.js';

/** The principal of a partner's request, which ApiKeyGuard attaches to it. */
export interface ApiKeyPrincipal {
  readonly id: string;
  readonly kbId: string;
  readonly environment: ApiKeyEnvironment;
}

export interface VerifiedApiKey {
  readonly apiKey: ApiKeyPrincipal;
  readonly quota: Quota;
  /** The time at which the key counts as used. */
  readonly verifiedAt: Date;
}

/** Verifies a secret: the key's status, the caller's address and origin, and the rate limit. */
@Injectable()
export class ApiKeyVerifier {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly rateLimiter: RateLimiter,
    private readonly usage: UsageRecorder,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param secret the field `api_key` of the request's body, any JSON value
   * @throws Problem a 401, `ip_not_allowed`, `origin_not_allowed`, `rate_limited` or
   *   `verification_busy`
   */
  async verify(secret: unknown, caller: Caller): Promise<VerifiedApiKey> {
    if (typeof secret !== 'string' || secret === '') throw unauthorized('api_key_required');
    if (!isWellFormedSecret(secret)) throw unauthorized('invalid_api_key');
    const key = await this.lookup.find(secret, caller.ip);
    if (!key) throw unauthorized('invalid_api_key');
    const status = keyStatus(key);
    const { id, kbId, environment } = key;
    const apiKey = { id, kbId, environment };
    const quota = await this.admit(key, status, caller).catch((error: unknown) => {
      if (error instanceof Problem && isRefusal(error.getStatus())) {
        this.usage.record({
          kind: 'refusal',
          key: apiKey,
          at: new Date(),
          ip: caller.ip,
          isKeyInactive: status === 'deleted' || status === 'revoked',
          count: 1,
        });
      }
      throw error;
    });
    const verifiedAt = new Date();
    if (!key.used && !(await this.recordFirstUse(key, verifiedAt))) {
      throw unauthorized('invalid_api_key');
    }
    return { apiKey, quota, verifiedAt };
  }

  private async admit(key: FoundApiKey, status: KeyStatus, caller: Caller): Promise<Quota> {
    const problem = statusProblem(status);
    if (problem) throw problem;
    requireAllowedCaller(key, caller);
    return this.rateLimiter.forKey(key.rotationRoot, key.rateLimitPerMinute);
  }

  /**
   * Writes the first use at once, unlike later ones: a repeated create may give the key a new secret
   * only if the key was never used.
   *
   * @returns false when the key was given a new secret since it was looked up
   */
  private async recordFirstUse({ id, fastHash }: FoundApiKey, at: Date): Promise<boolean> {
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
