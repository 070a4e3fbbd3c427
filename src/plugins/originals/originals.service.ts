import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { matchesFilter } from '@latchkey/ranking/metadata-filter';
import type { DocumentView } from '@latchkey/extraction/view/view-document';
import { Repository } from 'typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { requireAllowedCaller, sqlKeyStatus } from '../../api-keys/api-key-status.js';
import { ApiKeyGrant } from '../../api-keys/api-key-grant.entity.js';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import {
  hasLeft,
  isMembership,
  toMembershipParameters,
} from '../../knowledge-bases/directory/memberships.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { KnowledgeBaseMember } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { KnowledgeBaseSettings } from '../../knowledge-bases/settings/knowledge-base-settings.entity.js';
import { Problem } from '../../platform/problems/problem.js';
import type { RangeHeaders } from './byte-range.js';
import { ContentDownload, type Download } from './content-download.js';
import { decideBy } from '../../knowledge-bases/access-rules/access-rules.js';
import type { StoredSettings } from '../../knowledge-bases/settings/settings.js';
import { withRule } from '../../documents/document-rules.js';
import { Document } from '../../documents/document.entity.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { type PageOfDocument, PageViews } from './page-views.js';
import type { LinkHolder } from './original.guard.js';
import { matchesHolder } from './original-links.js';

/** A document with everything that decides whether a link opens it. */
type LinkedDocument = Document & {
  settings?: KnowledgeBaseSettings;
  apiKey?: ApiKey;
  /** What the key may do in the knowledge base. */
  grant?: ApiKeyGrant;
};

/** Opens the originals of documents for dashboard users and holders of links. */
@Injectable()
export class OriginalsService {
  constructor(
    @InjectRepository(Document) private readonly repository: Repository<Document>,
    private readonly documents: DocumentsService,
    private readonly downloads: ContentDownload,
    private readonly views: PageViews,
    private readonly access: KnowledgeBaseAccess,
  ) {}

  async open(
    reader: DashboardUser | LinkHolder,
    documentId: string,
    headers: RangeHeaders,
  ): Promise<Download> {
    return this.downloads.open(await this.find(reader, documentId), headers);
  }

  /** Renders a page of a document. */
  async view(
    reader: DashboardUser | LinkHolder,
    documentId: string,
    wanted: PageOfDocument,
  ): Promise<DocumentView> {
    const document = await this.find(reader, documentId);
    return this.views.view(toCredentialKey(reader), document, wanted);
  }

  private find(reader: DashboardUser | LinkHolder, documentId: string): Promise<Document> {
    return 'claims' in reader
      ? this.findLinked(reader, documentId)
      : this.documents.findReadable(reader, documentId);
  }

  /**
   * Finds the document of a link. Each use of a link checks whether the credential it was made for may
   * read the document now.
   *
   * @throws Problem `not_found`, `ip_not_allowed`
   */
  private async findLinked({ claims, ip }: LinkHolder, id: string): Promise<Document> {
    const rows = withRule(this.repository.createQueryBuilder('document'))
      .innerJoin('document.knowledgeBase', 'kb', `kb.state = 'active'`)
      .innerJoinAndMapOne(
        'document.settings',
        KnowledgeBaseSettings,
        'settings',
        'settings.kbId = document.kbId',
      )
      .where({ id, state: 'active' });
    if (claims.user === undefined) {
      const isUsable = `${sqlKeyStatus('k', rows.dataSource)} = 'usable'`;
      rows
        .innerJoinAndMapOne('document.apiKey', ApiKey, 'k', `k.id = :key AND ${isUsable}`, {
          key: claims.key,
        })
        .innerJoin(KnowledgeBase, 'main', `main.id = k.ownerId AND main.state = 'active'`)
        .innerJoinAndMapOne(
          'document.grant',
          ApiKeyGrant,
          'opened',
          'opened.keyId = k.id AND opened.kbId = document.kbId',
        );
      if (claims.endUser !== undefined) {
        const endUser = toComparableName(claims.endUser);
        rows.andWhere(`NOT ${hasLeft(':endUser', 'k.owner_id')}`, { endUser });
        rows.andWhere(`NOT ${hasLeft(':endUser', 'document.kb_id')}`);
      }
    } else {
      const join = `member.kbId = document.kbId AND ${isMembership('member')}`;
      const user = { id: claims.user, groups: claims.groups ?? [] };
      rows.innerJoin(KnowledgeBaseMember, 'member', join, toMembershipParameters(user));
    }
    const document: LinkedDocument | null = await rows.getOne();
    if (document?.settings?.settings.originals !== 'readers') throw new Problem('not_found');
    const { apiKey, grant, metadata, kbId } = document;
    const { user, groups = [] } = claims;
    const pushed = user === undefined ? [] : await this.access.pushedGroups({ id: user }, kbId);
    const holder = { ...claims, groups: [...groups, ...pushed] };
    const isTheirs = matchesHolder(holder, apiKey?.principals ?? []);
    requireReadable(document, document.settings.settings, isTheirs);
    const filters = [grant?.filter, claims.filter];
    const isReader = grant?.scopes.some((scope) => scope === 'query' || scope === 'chat') ?? true;
    if (!isReader || filters.some((filter) => filter && !matchesFilter(filter, metadata))) {
      throw new Problem('not_found');
    }
    requireAllowedCaller(apiKey?.allowedIps ?? null, { ip, origin: undefined });
    return document;
  }
}

/** @throws Problem `not_found` */
function requireReadable(
  { accessSetId, accessSet }: Document,
  { default_access }: StoredSettings,
  isTheirs: (entry: string) => boolean,
): void {
  const isReadable =
    accessSetId === null
      ? default_access !== 'closed'
      : accessSet && decideBy(accessSet.rule, isTheirs).allowed;
  if (!isReadable) throw new Problem('not_found');
}

/**
 * Returns one key per API key, end user with a client token, or dashboard user, so that all links of
 * one share a limit.
 */
function toCredentialKey(reader: DashboardUser | LinkHolder): string {
  if (!('claims' in reader)) return `user ${reader.id}`;
  const { user, key = '', endUser = '' } = reader.claims;
  return user === undefined ? `key ${key} ${endUser}` : `user ${user}`;
}
