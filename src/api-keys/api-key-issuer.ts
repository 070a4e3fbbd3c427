import { Injectable } from '@nestjs/common';
import { hash } from 'bcrypt';
import { EntityManager, IsNull } from 'typeorm';
import { Config } from '../config/config.js';
import { Problem } from '../problems/problem.js';
import { newId } from '../http/type-id.js';
import { ApiKey } from './api-key.entity.js';
import { Peppers } from './peppers.js';
import { ApiKeyEnvironment, generateSecret, prefixOf } from './secret.js';

const MAX_KEYS = 100;

/** A new secret, and what is kept of it. */
export interface MintedSecret {
  readonly secret: string;
  readonly kept: Pick<ApiKey, 'prefix' | 'secretHash' | 'fastHash' | 'pepperId'>;
}

/** What a new key is, but for its secret. */
export type NewApiKey = Pick<ApiKey, 'kbId' | 'name' | 'environment' | 'createdBy'> &
  Partial<
    Pick<ApiKey, 'description' | 'expiresAt' | 'rateLimitPerMinute' | 'allowedIps' | 'rotatedFrom'>
  > & { rotationRoot?: string };

/** Makes secrets and key rows. */
@Injectable()
export class ApiKeyIssuer {
  constructor(
    private readonly peppers: Peppers,
    private readonly config: Config,
  ) {}

  /** Slow, as bcrypt is: called before a transaction begins, not within. */
  async mint(environment: ApiKeyEnvironment): Promise<MintedSecret> {
    const secret = generateSecret(environment);
    const { hash: fastHash, pepperId } = this.peppers.current(secret);
    const secretHash = await hash(secret, this.config.apiKeyBcryptCost);
    return { secret, kept: { prefix: prefixOf(secret), secretHash, fastHash, pepperId } };
  }

  /**
   * Needs the knowledge base to be locked: the limit holds under parallel calls.
   *
   * @returns the id of the new key
   * @throws Problem `api_key_limit_reached`
   */
  async insert(manager: EntityManager, key: NewApiKey, minted: MintedSecret): Promise<string> {
    if ((await manager.countBy(ApiKey, { kbId: key.kbId })) >= MAX_KEYS) {
      throw new Problem('api_key_limit_reached');
    }
    const id = newId('key');
    await manager.insert(ApiKey, {
      rotationRoot: id,
      ...key,
      ...minted.kept,
      id,
      state: 'active',
      createdAt: new Date(),
    });
    return id;
  }

  /**
   * Gives a key whose secret was lost on the way a new one, if it was never used: the lost one
   * stops working.
   *
   * @throws Problem `idempotency_conflict` when the key was used, revoked or deleted
   */
  async reissue(manager: EntityManager, keyId: string, minted: MintedSecret): Promise<void> {
    // The verifier's first use is a conditional update of the same row, so one of the two loses.
    const { affected } = await manager.update(
      ApiKey,
      { id: keyId, state: 'active', firstUsedAt: IsNull(), deletedAt: IsNull() },
      minted.kept,
    );
    if (affected !== 1) throw new Problem('idempotency_conflict');
  }
}
