import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OwnedKeys } from '../knowledge-bases/owned-keys.js';
import { ApiKey } from './api-key.entity.js';

/** Deletes keys with their owner. */
@Injectable()
export class OwnedApiKeys implements OwnedKeys {
  async deleteOf(manager: EntityManager, ownerId: string): Promise<void> {
    await manager.delete(ApiKey, { ownerId });
  }
}
