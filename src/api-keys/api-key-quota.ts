import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { quotaReached } from '../platform/problems/problem.js';
import { whereOpening } from './find-api-key.js';
import { sqlKeyStatus } from './api-key-status.js';
import { ApiKey } from './api-key.entity.js';

/**
 * Limits the active keys of a knowledge base or a service account. Revoked, expired and deleted keys do not
 * count.
 */
@Injectable()
export class ApiKeyQuota {
  constructor(private readonly config: Config) {}

  /**
   * Call it after a change that adds an active key, in the same unit of work, which has locked the
   * knowledge base.
   *
   * @throws Problem `quota_reached`, which rolls the unit of work back
   */
  async require(manager: EntityManager, kbId: string): Promise<void> {
    const { MAX_API_KEYS_PER_KNOWLEDGE_BASE: limit } = this.config;
    const keys = whereOpening(manager.createQueryBuilder(ApiKey, 'key'), kbId);
    const count = await keys
      .andWhere(`${sqlKeyStatus('key', manager.dataSource)} = 'usable'`)
      .getCount();
    if (count > limit) throw quotaReached('MAX_API_KEYS_PER_KNOWLEDGE_BASE', limit);
  }
}
