import { Injectable } from '@nestjs/common';
import type { SearchScope } from '@latchkey/ranking/search-index';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { grantedKnowledgeBases } from '../api-keys/granted-knowledge-bases.js';
import { RequestLimits } from '../api-keys/request-limits.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import { SourceLinks } from './source-links.js';
import type { SourceLink } from './with-originals.js';

/** A knowledge base that a question is put to. */
export interface SearchedKnowledgeBase {
  readonly kbId: string;
  /** The documents that the credential may read. */
  readonly scope: SearchScope;
  /** The version of its curated answers; undefined if it was not read. */
  readonly curatedVersion?: number;
}

export interface AskedKnowledgeBase extends SearchedKnowledgeBase {
  readonly settings: Settings;
}

/** Finds the knowledge bases that a partner's question is put to. */
@Injectable()
export class AskedKnowledgeBases {
  constructor(
    private readonly settings: SettingsService,
    private readonly links: SourceLinks,
    private readonly limits: RequestLimits,
  ) {}

  /**
   * Finds the asked knowledge bases, and counts the request against the limits of each.
   *
   * @param keyScope the scope that the credential needs in each
   * @param endUserId the end user who asks; null for none
   * @param named by the request; undefined for all that the credential opens
   * @throws Problem `not_found`, `insufficient_scope`, `rate_limited`
   */
  async resolve(
    apiKey: ApiKeyPrincipal,
    keyScope: 'query' | 'chat',
    endUserId: string | null,
    named: readonly string[] | null | undefined,
  ): Promise<AskedKnowledgeBase[]> {
    const { kbId: main, principals } = apiKey;
    const granted = grantedKnowledgeBases(apiKey, keyScope, named ?? undefined);
    const others = granted.filter(({ kbId }) => kbId !== main).map(({ kbId }) => kbId);
    const settings = others.length > 0 ? await this.settings.loadEach(others) : undefined;
    const knowledgeBases = granted.map(({ kbId, filter, curatedVersion }) => ({
      kbId,
      curatedVersion,
      scope: { principals, filter },
      settings: settings?.get(kbId) ?? apiKey.settings,
    }));
    await this.limits.countIn(apiKey, endUserId, knowledgeBases);
    return knowledgeBases;
  }

  /** Builds links to originals, for the knowledge bases whose settings allow them. */
  linksFor(apiKey: ApiKeyPrincipal, knowledgeBases: readonly AskedKnowledgeBase[]): SourceLink {
    const open = knowledgeBases.filter(({ settings }) => settings.originals === 'readers');
    const [first] = open;
    if (!first) return () => ({});
    const linkTo = this.links.for(apiKey, first.settings);
    const kbIds = new Set(open.map(({ kbId }) => kbId));
    return (documentId, kbId) => (kbIds.has(kbId) ? linkTo(documentId) : {});
  }
}
