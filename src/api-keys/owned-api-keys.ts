import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletesOwnedKeys, type KeyDeletion } from '../knowledge-bases/owned-keys.js';
import { ApiKey } from './api-key.entity.js';

/** Deletes API keys with their owner. */
@Injectable()
@DeletesOwnedKeys()
export class OwnedApiKeys implements KeyDeletion {
  async deleteOf(manager: EntityManager, ownerId: string): Promise<void> {
    await manager.delete(ApiKey, { ownerId });
  }
}
