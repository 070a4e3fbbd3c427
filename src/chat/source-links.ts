import { Injectable, OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import type { FoundPassageDto } from '../documents/search/passage.dto.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { declareProviders } from '../platform/discovery/declared-providers.js';

/** The caller who receives the links. */
export type LinkReader =
  | Pick<ApiKeyPrincipal, 'id' | 'scopes' | 'endUserId' | 'clientToken' | 'principals'>
  | Pick<DashboardUser, 'id' | 'groups'>;

/** @returns no fields if the caller gets no links */
export type LinkTo = (documentId: string) => Pick<FoundPassageDto, 'original_url' | 'expires_at'>;

/** Makes links by which the readers of an answer open its documents. */
export interface SourceLinker {
  for(reader: LinkReader, settings: Pick<Settings, 'originals'>): LinkTo;
}

/** Declares the provider that makes the links. */
export const LinksSources = declareProviders<SourceLinker>();

/** The links of sources; without a provider that makes them, sources have none. */
@Injectable()
export class SourceLinks implements SourceLinker, OnModuleInit {
  private linker: SourceLinker | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    this.linker = LinksSources.find(this.discovery)[0]?.instance;
  }

  for(reader: LinkReader, settings: Pick<Settings, 'originals'>): LinkTo {
    return this.linker?.for(reader, settings) ?? (() => ({}));
  }
}
