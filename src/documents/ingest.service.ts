import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository, type SelectQueryBuilder } from 'typeorm';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { ApiKeyWriteAccess } from '../api-keys/api-key-write-access.js';
import { grantedKnowledgeBase } from '../api-keys/granted-knowledge-bases.js';
import { RequestLimits } from '../api-keys/request-limits.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import { Reads } from '../platform/database/reads.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Page } from '../platform/http/page.dto.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { Problem } from '../platform/problems/problem.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { whereReadable } from '../knowledge-bases/access-rules/readable.js';
import { whereMetadata } from './search/where-metadata.js';
import { PassagePurge } from './passage-purge.js';
import type { ListOfKeyDto } from './document-requests.dto.js';
import type { DocumentDto } from './document.dto.js';
import { DocumentViews } from './document-views.js';
import { Document } from './document.entity.js';
import {
  type DocumentUpload,
  DocumentUploadService,
  type UploadResult,
} from './document-upload.service.js';
import { DocumentsService } from './documents.service.js';

/** Manages documents by external id for callers with an API key. */
@Injectable()
export class IngestService {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly reads: Reads,
    private readonly uploads: DocumentUploadService,
    private readonly service: DocumentsService,
    private readonly writeAccess: ApiKeyWriteAccess,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly settings: SettingsService,
    private readonly limits: RequestLimits,
    private readonly views: DocumentViews,
  ) {}

  async put(
    apiKey: ApiKeyPrincipal,
    kbId: string | undefined,
    externalId: string,
    upload: DocumentUpload,
  ): Promise<UploadResult> {
    const key = await this.within(apiKey, 'documents:write', kbId);
    return this.uploads.put(key, { ...upload, external_id: externalId });
  }

  async list(credential: ApiKeyPrincipal, query: ListOfKeyDto): Promise<Page<DocumentDto>> {
    const apiKey = await this.within(credential, 'documents:read', query.kb_id);
    return this.reads.latest((manager) => {
      const documents = opened(manager, apiKey);
      if (query.status) documents.andWhere({ status: query.status });
      return this.views.toPage(manager, documents, query, apiKey.settings, apiKey);
    });
  }

  async get(
    credential: ApiKeyPrincipal,
    kbId: string | undefined,
    externalId: string,
  ): Promise<DocumentDto> {
    const apiKey = await this.within(credential, 'documents:read', kbId);
    const document = await opened(this.documents.manager, apiKey).andWhere({ externalId }).getOne();
    if (!document) throw new Problem('not_found');
    return this.views.toDto(this.documents.manager, document, apiKey.settings, apiKey);
  }

  /** Deletes a document. Once this returns, no search finds it. */
  async delete(
    credential: ApiKeyPrincipal,
    named: string | undefined,
    externalId: string,
  ): Promise<void> {
    const apiKey = await this.within(credential, 'documents:write', named);
    const { kbId } = apiKey;
    await this.unitOfWork.run(async (manager) => {
      await this.knowledgeBases.lock(manager, kbId);
      await this.writeAccess.authorize(manager, apiKey, 'documents:write');
      await this.service.remove(manager, apiKey, { kbId, externalId });
    });
    this.jobs.start(PassagePurge);
  }

  /** Narrows the credential to one knowledge base. */
  private async within(
    apiKey: ApiKeyPrincipal,
    scope: 'documents:read' | 'documents:write',
    named: string | undefined,
  ): Promise<ApiKeyPrincipal> {
    const granted = grantedKnowledgeBase(apiKey, scope, named);
    const { kbId, scopes, filter } = granted;
    const settings = kbId === apiKey.kbId ? apiKey.settings : await this.settings.load(kbId);
    await this.limits.countIn(apiKey, null, [{ kbId, settings }]);
    return { ...apiKey, kbId, scopes, filter, settings, grants: [granted] };
  }
}

/** Selects the documents that match the key's filter and that access rules let it read. */
function opened(
  manager: EntityManager,
  { kbId, filter, principals }: ApiKeyPrincipal,
): SelectQueryBuilder<Document> {
  const documents = manager
    .createQueryBuilder(Document, 'document')
    .where({ kbId, state: 'active' });
  whereReadable(documents, 'document', kbId, principals);
  return filter ? whereMetadata(documents, 'document.metadata', filter) : documents;
}
