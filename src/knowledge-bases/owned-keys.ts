import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { declareProviders } from '../platform/discovery/declared-providers.js';

/** Deletes the keys of a knowledge base or a service account. */
export interface KeyDeletion {
  deleteOf(manager: EntityManager, ownerId: string): Promise<void>;
}

/** Declares a provider that deletes keys with their owner. */
export const DeletesOwnedKeys = declareProviders<KeyDeletion>();

/**
 * Deletes keys after their owner, in the same transaction. No foreign key does it, because an owner can be in
 * two tables.
 */
@Injectable()
export class OwnedKeys implements OnModuleInit {
  private deletions: readonly KeyDeletion[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    this.deletions = DeletesOwnedKeys.find(this.discovery).map(({ instance }) => instance);
  }

  async deleteOf(manager: EntityManager, ownerId: string): Promise<void> {
    for (const deletion of this.deletions) await deletion.deleteOf(manager, ownerId);
  }
}
