import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository, type SelectQueryBuilder } from 'typeorm';
import {
  accessSetFor,
  decideBy,
  noteRulesOfDocuments,
  requireOneRule,
} from '../knowledge-bases/access-rules/access-rules.js';
import { type AccessCheckDto } from '../knowledge-bases/access-rules/access-set.dto.js';
import { type Principals, toPrincipals } from '../knowledge-bases/access-rules/principals.js';
import { withEveryone } from '../knowledge-bases/access-rules/readable-sql.js';
import { whereReadable } from '../knowledge-bases/access-rules/readable.js';
import type { Actor } from '../knowledge-bases/events/event.js';
import {
  type DashboardUser,
  type GrantedAccess,
  getPrincipals,
} from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { containing } from '../platform/database/dialect.js';
import { Reads } from '../platform/database/reads.js';
import type { Page } from '../platform/http/page.dto.js';
import { paginate } from '../platform/http/paginate.js';
import { Problem } from '../platform/problems/problem.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { type ResourceResolver, ResolvesResource } from '../knowledge-bases/access.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import type { MemberRole } from '../knowledge-bases/knowledge-base-member.entity.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import { Passage } from './passage.entity.js';
import { PassagePurge } from './passage-purge.js';
import { DocumentIndexer } from './document-indexer.js';
import { DocumentQuotas } from './document-quotas.js';
import { findWithRule, withRule } from './document-rules.js';
import { DocumentTransitions } from './document-transitions.js';
import { ListChunksDto, ListDocumentsDto, UpdateDocumentDto } from './document-requests.dto.js';
import { ChunkDto, toChunkDto } from './chunk.dto.js';
import { DocumentDto, ReindexDto } from './document.dto.js';
import { DocumentViews } from './document-views.js';
import { Document } from './document.entity.js';
import { toDateColumns } from './document-date.js';
import { toValidityColumns } from './document-validity.js';
import { requireFree } from './find-duplicate.js';
import { requireValidity } from './supersession.js';
import { forgetKeptRule, keepRule } from './kept-rules.js';

/** Locks out parallel uploads, which could replace the document or take its external id. */
const CHANGE = { role: 'member', lock: 'knowledge base' } as const;

@Injectable()
@ResolvesResource({ resource: 'document', prefix: 'doc' })
export class DocumentsService implements ResourceResolver {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly reads: Reads,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly jobs: Jobs,
    private readonly quotas: DocumentQuotas,
    private readonly transitions: DocumentTransitions,
    private readonly views: DocumentViews,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.documents.findOneBy({ id, state: 'active' }))?.kbId;
  }

  /** Access rules decide which documents a viewer can refer to, whatever the operation. */
  isVisible(user: DashboardUser & { readonly access: GrantedAccess }, kbId = ''): Promise<boolean> {
    const { resourceId: id } = user.access;
    const rows = this.documents.createQueryBuilder('document').where({ id, state: 'active' });
    return whereReadable(rows, 'document', kbId, getPrincipals(user)).getExists();
  }

  async list(user: DashboardUser, kbId: string, dto: ListDocumentsDto): Promise<Page<DocumentDto>> {
    const role = await this.knowledgeBases.requireMember(user, kbId);
    const settings = await this.settings.load(kbId);
    return this.reads.latest((manager) => {
      const all = manager.createQueryBuilder(Document, 'document').where({ kbId, state: 'active' });
      const documents = forRole(all, kbId, role, user);
      const wanted = applyFilters(documents, dto, settings);
      return this.views.toPage(manager, wanted, dto, settings, toReader(kbId, role, user));
    });
  }

  async get(user: DashboardUser, documentId: string): Promise<DocumentDto> {
    const { document, role } = await this.findWithRole(user, documentId);
    const { kbId } = document;
    const rows = this.documents
      .createQueryBuilder('document')
      .where({ id: documentId, state: 'active' });
    const found = await forRole(rows, kbId, role, user).getOne();
    if (!found) throw new Problem('not_found');
    const settings = await this.settings.load(kbId);
    const reader = toReader(kbId, role, user);
    return this.views.toDto(this.documents.manager, found, settings, reader);
  }

  /** Lists the searchable passages in document order. */
  async listPassages(
    user: DashboardUser,
    documentId: string,
    query: ListChunksDto,
  ): Promise<Page<ChunkDto>> {
    const { kbId } = await this.findReadable(user, documentId);
    return this.reads.latest((manager) => {
      const passages = manager
        .createQueryBuilder(Passage, 'passage')
        // Joined in the same statement, because a new version may be published at any moment.
        .innerJoin('passage.document', 'document', 'document.version = passage.version')
        .where('passage.documentId = :documentId', { documentId });
      if (query.around !== undefined) {
        const near = 'abs(found.position - passage.position) <= 1';
        const isNear = `found.documentId = passage.documentId AND found.version = passage.version AND ${near}`;
        passages.innerJoin(Passage, 'found', `found.id = :around AND ${isNear}`, query);
      }
      whereReadable(passages, 'document', kbId, getPrincipals(user));
      return paginate(passages, query, toChunkDto, 'ASC');
    });
  }

  async update(
    user: DashboardUser,
    documentId: string,
    dto: UpdateDocumentDto,
  ): Promise<DocumentDto> {
    const { kbId } = await this.find(user, documentId);
    requireOneRule(dto);
    const fields = Object.keys(dto).filter((field) => dto[field as keyof typeof dto] !== undefined);
    if (fields.length === 0) return this.get(user, documentId);
    const settings = await this.settings.load(kbId);
    const updated = await this.knowledgeBases.change(user, kbId, CHANGE, async (manager) => {
      const current = await manager.findOneBy(Document, { id: documentId, state: 'active' });
      if (!current) throw new Problem('not_found');
      await requireFree(manager, current, dto.external_id);
      const accessSetId = await accessSetFor(manager, kbId, dto);
      if (accessSetId !== undefined) await forgetKeptRule(manager, current);
      if (accessSetId !== undefined && accessSetId !== current.accessSetId) {
        await noteRulesOfDocuments(manager, kbId);
      }
      const columns = {
        title: dto.title,
        metadata: dto.metadata,
        sourceUrl: dto.source_url,
        externalId: dto.external_id,
        accessSetId,
        ...toValidityColumns(dto),
        ...toDateColumns(dto, current),
        updatedAt: new Date(),
      };
      await requireValidity(manager, kbId, columns, current);
      await this.transitions.edit(manager, user, current, columns, fields);
      return findWithRule(manager, documentId);
    });
    this.jobs.start(DocumentIndexer);
    return this.toDto(updated, settings);
  }

  /** Indexes the document again. The existing passages stay searchable until the new ones are ready. */
  async reindex(user: DashboardUser, documentId: string): Promise<DocumentDto> {
    const document = await this.find(user, documentId);
    const { kbId } = document;
    const settings = await this.settings.load(kbId);
    const queued = await this.knowledgeBases.change(user, kbId, CHANGE, async (manager) => {
      await this.transitions.apply(manager, user, 'reindex', document);
      return findWithRule(manager, documentId);
    });
    this.jobs.start(DocumentIndexer);
    return this.toDto(queued, settings);
  }

  /** Indexes every document of a knowledge base again. */
  async reindexAll(user: DashboardUser, kbId: string): Promise<ReindexDto> {
    const documents = await this.knowledgeBases.change(user, kbId, CHANGE, (manager) =>
      this.transitions.reindexAll(manager, user, kbId),
    );
    this.jobs.start(DocumentIndexer);
    return { documents };
  }

  /** Deletes a document. Once this returns, no search finds it; its rows are removed in the background. */
  async delete(user: DashboardUser, documentId: string): Promise<void> {
    const { kbId } = await this.find(user, documentId);
    await this.knowledgeBases.change(user, kbId, CHANGE, (manager) =>
      this.remove(manager, user, { id: documentId }),
    );
    this.jobs.start(PassagePurge);
  }

  /**
   * Deletes a document in the caller's transaction, which has locked the knowledge base.
   *
   * @throws Problem `not_found`
   */
  async remove(
    manager: EntityManager,
    actor: Actor,
    where: { id: string } | { kbId: string; externalId: string },
  ): Promise<void> {
    const document = await manager.findOneBy(Document, { ...where, state: 'active' });
    if (!document) throw new Problem('not_found');
    const { kbId, title, sizeBytes } = document;
    await keepRule(manager, document);
    await this.transitions.apply(manager, actor, 'delete', document, { details: { title } });
    await this.quotas.count(manager, kbId, { documents: -1, bytes: -sizeBytes });
  }

  /** Checks whether given principals may read a document, and which rule decides. */
  async checkAccess(
    user: DashboardUser,
    documentId: string,
    principals: Principals,
  ): Promise<AccessCheckDto> {
    const { kbId } = await this.find(user, documentId);
    await this.knowledgeBases.require(user, kbId, 'member');
    const { accessSetId, accessSet } = await findWithRule(this.documents.manager, documentId);
    if (accessSetId === null) {
      const { defaultAccess } = await this.settings.load(kbId);
      return { allowed: defaultAccess === 'members', by: `default_access ${defaultAccess}` };
    }
    const theirs = new Set(withEveryone(toPrincipals(principals)));
    return decideBy(accessSet?.rule ?? { allow: [], deny: [] }, (entry) => theirs.has(entry));
  }

  /**
   * Finds a document for managing it. Use `findReadable` to read its content.
   *
   * @throws Problem `not_found`
   */
  async find(user: DashboardUser, documentId: string): Promise<Document> {
    return (await this.findWithRole(user, documentId)).document;
  }

  /**
   * Finds a document for reading. Access rules decide, whatever the user's role.
   *
   * @throws Problem `not_found`
   */
  async findReadable(user: DashboardUser, documentId: string): Promise<Document> {
    const { kbId } = await this.find(user, documentId);
    const rows = this.documents
      .createQueryBuilder('document')
      .where({ id: documentId, state: 'active' });
    const document = await whereReadable(rows, 'document', kbId, getPrincipals(user)).getOne();
    if (!document) throw new Problem('not_found');
    return document;
  }

  private toDto(document: Document, settings: Settings): Promise<DocumentDto> {
    return this.views.toDto(this.documents.manager, document, settings);
  }

  private async findWithRole(user: DashboardUser, documentId: string) {
    const document = await this.documents.findOneBy({ id: documentId, state: 'active' });
    if (!document) throw new Problem('not_found');
    return { document, role: await this.knowledgeBases.requireMember(user, document.kbId) };
  }
}

/** Members and owners see every document with its access rule; viewers only those that they may read. */
const forRole = (
  documents: SelectQueryBuilder<Document>,
  kbId: string,
  role: MemberRole,
  user: DashboardUser,
): SelectQueryBuilder<Document> =>
  role === 'viewer'
    ? whereReadable(documents, 'document', kbId, getPrincipals(user))
    : withRule(documents);

/** The reader whom rules hide documents from, unless they manage them. */
const toReader = (kbId: string, role: MemberRole, user: DashboardUser) =>
  role === 'viewer' ? { kbId, principals: getPrincipals(user) } : undefined;

function applyFilters(
  documents: SelectQueryBuilder<Document>,
  dto: ListDocumentsDto,
  { chunkSize, chunkOverlap }: Settings,
): SelectQueryBuilder<Document> {
  if (dto.status) documents.andWhere({ status: dto.status });
  if (dto.external_id) documents.andWhere({ externalId: dto.external_id });
  if (dto.source_id) documents.andWhere({ sourceId: dto.source_id });
  if (dto.access_set) documents.andWhere({ accessSetId: dto.access_set });
  if (dto.q) {
    documents.andWhere(`LOWER(document.title) LIKE LOWER(:pattern) ESCAPE '\\'`, {
      pattern: containing(dto.q),
    });
  }
  if (dto.needs_reindex !== undefined) {
    const outdated = `document.version IS NOT NULL
      AND (document.chunkSize <> :chunkSize OR document.chunkOverlap <> :chunkOverlap)`;
    documents.andWhere(dto.needs_reindex ? outdated : `NOT (${outdated})`, {
      chunkSize,
      chunkOverlap,
    });
  }
  return documents;
}
