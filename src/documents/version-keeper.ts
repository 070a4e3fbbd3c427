import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../knowledge-bases/events/event.js';
import { declareProviders } from '../platform/discovery/declared-providers.js';
import type { Document } from './document.entity.js';

/**
 * Keeps what a document was before its content is replaced, as a row of `documents` in the state `kept`: its
 * original and its passages then belong to this row, so that whatever deletes documents deletes it too.
 */
export interface VersionKeeper {
  /**
   * Called in the transaction that replaces the content, before it does. The transaction has locked the knowledge
   * base, which is not under a legal hold.
   *
   * @returns whether the former content is kept, and so still takes up storage
   */
  keep(manager: EntityManager, actor: Actor, document: Document): Promise<boolean>;
}

/** Declares the provider that keeps versions. */
export const KeepsVersions = declareProviders<VersionKeeper>();

/** Without a provider that keeps them, former contents are removed. */
@Injectable()
export class KeptVersions implements VersionKeeper, OnModuleInit {
  private keeper: VersionKeeper | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    this.keeper = KeepsVersions.find(this.discovery)[0]?.instance;
  }

  async keep(manager: EntityManager, actor: Actor, document: Document): Promise<boolean> {
    return (await this.keeper?.keep(manager, actor, document)) ?? false;
  }
}
