import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ContentStoreError } from '../../documents/contents/content-store.js';
import { DocumentContents } from '../../documents/contents/document-contents.js';
import type { DocumentDescription } from '../../documents/document-transitions.js';
import { DocumentUploadService } from '../../documents/document-upload.service.js';
import type { DocumentDto } from '../../documents/document.dto.js';
import { Document } from '../../documents/document.entity.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { accessSetFor } from '../../knowledge-bases/access-rules/access-rules.js';
import {
  type AccessRule,
  AccessSet,
} from '../../knowledge-bases/access-rules/access-set.entity.js';
import { EVERYONE } from '../../knowledge-bases/access-rules/readable-sql.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseSettings } from '../../knowledge-bases/settings/knowledge-base-settings.entity.js';
import { Problem } from '../../platform/problems/problem.js';
import { toNarrowerRule } from './narrower-rule.js';
import { VersionsService } from './versions.service.js';

const GONE = 'The original of this version is no longer stored, so it cannot be restored.';

/** Makes a former version the content of its document again. */
@Injectable()
export class VersionRestoring {
  constructor(
    private readonly versions: VersionsService,
    private readonly documents: DocumentsService,
    private readonly contents: DocumentContents,
    private readonly uploads: DocumentUploadService,
  ) {}

  /**
   * Replaces the content of the document, which becomes a version itself. Nothing happens if the version is the
   * current one.
   *
   * @throws Problem `not_found`, `content_not_found`, `content_store_unavailable`, `legal_hold`, `quota_reached`
   */
  async restore(user: DashboardUser, documentId: string, number: number): Promise<DocumentDto> {
    const version = await this.versions.findReadable(user, documentId, number);
    if (version.versionOf === null) return this.documents.get(user, documentId);
    const content = await this.read(version.id);
    const source = {
      sizeBytes: content.length,
      sha256: version.sha256,
      read: () => Promise.resolve(content),
    };
    const document = { id: documentId, kbId: version.kbId };
    return this.uploads.restore(user, document, number, source, async (manager, existing) => {
      const isKept = await manager.existsBy(Document, { id: version.id, state: 'kept' });
      if (!isKept) throw new Problem('not_found');
      return { ...describe(version, existing), ...(await findRule(manager, version, existing)) };
    });
  }

  private async read(id: string): Promise<Buffer> {
    const contents = await this.contents.read([id]).catch((error: unknown) => {
      throw error instanceof ContentStoreError ? new Problem('content_store_unavailable') : error;
    });
    const content = contents.get(id);
    if (!Buffer.isBuffer(content)) throw new Problem('content_not_found', { detail: GONE });
    return content;
  }
}

/** What the document becomes. It keeps its external id, its source, and what it supersedes. */
const describe = (version: Document, { externalId }: Document): DocumentDescription => ({
  title: version.title,
  sourceUrl: version.sourceUrl,
  externalId,
  mimeType: version.mimeType,
  sizeBytes: version.sizeBytes,
  sha256: version.sha256,
  metadata: version.metadata,
  declaredLanguage: version.declaredLanguage,
  languages: version.languages,
  charset: version.charset,
  // Any other date is read from the file again.
  ...(version.dateFrom === 'given'
    ? { date: version.date, dateFrom: version.dateFrom }
    : { date: null, dateFrom: null }),
  validFrom: version.validFrom,
  validUntil: version.validUntil,
  updatedAt: new Date(),
});

/** Nobody may read the restored content who may not read both the version and the document. */
async function findRule(
  manager: EntityManager,
  version: Document,
  existing: Document,
): Promise<Pick<DocumentDescription, 'accessSetId'>> {
  if (version.accessSetId === existing.accessSetId) return {};
  const [former, now] = [await loadRule(manager, version), await loadRule(manager, existing)];
  if (isDeepStrictEqual(former, now)) return {};
  const access = toNarrowerRule(former, now);
  const accessSetId = await accessSetFor(manager, existing.kbId, { access });
  return accessSetId === undefined ? {} : { accessSetId };
}

async function loadRule(
  manager: EntityManager,
  { kbId, accessSetId }: Pick<Document, 'kbId' | 'accessSetId'>,
): Promise<AccessRule> {
  const nobody = { allow: [], deny: [] };
  if (accessSetId !== null) {
    return (await manager.findOneBy(AccessSet, { id: accessSetId }))?.rule ?? nobody;
  }
  const row = await manager.findOneBy(KnowledgeBaseSettings, { kbId });
  return row?.settings.default_access === 'closed' ? nobody : { allow: [EVERYONE], deny: [] };
}
