import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository, type SelectQueryBuilder } from 'typeorm';
import { ContentStoreError } from '../../documents/contents/content-store.js';
import { DocumentContents } from '../../documents/contents/document-contents.js';
import { Document } from '../../documents/document.entity.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { Passage } from '../../documents/passage.entity.js';
import { whereReadable } from '../../knowledge-bases/access-rules/readable.js';
import {
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Reads } from '../../platform/database/reads.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { Problem } from '../../platform/problems/problem.js';
import {
  type DocumentVersionDto,
  type DocumentVersionPageDto,
  toPassageDto,
  toVersionDto,
  type VersionPassagesDto,
} from './version.dto.js';

/** The row of a version: of the document itself if it is the current one. */
type Version = Pick<Document, 'id' | 'kbId'>;

/**
 * Reads the versions of documents. Whoever reads one must be allowed to read the document by its present rule, and
 * also by the rule that the document had when the version was replaced.
 */
@Injectable()
export class VersionsService {
  constructor(
    @InjectRepository(Document) private readonly repository: Repository<Document>,
    private readonly reads: Reads,
    private readonly documents: DocumentsService,
    private readonly contents: DocumentContents,
  ) {}

  async list(
    user: DashboardUser,
    documentId: string,
    query: PageQueryDto,
  ): Promise<Page<DocumentVersionDto>> {
    const { kbId } = await this.documents.findReadable(user, documentId);
    return this.reads.latest((manager) => {
      const rows = manager
        .createQueryBuilder(Document, 'version')
        .where({ versionOf: documentId, state: 'kept' });
      whereReadable(rows, 'version', kbId, getPrincipals(user));
      return paginate(rows, query, (row) => toVersionDto(documentId, row));
    });
  }

  async get(
    user: DashboardUser,
    documentId: string,
    number: number,
    query: VersionPassagesDto,
  ): Promise<DocumentVersionPageDto> {
    const version = await this.findReadable(user, documentId, number);
    return this.reads.latest(async (manager) => {
      const passages = this.selectPassages(manager, user, documentId, version);
      if (query.around !== undefined) {
        const near = 'abs(found.position - passage.position) <= 1';
        const isNear = `found.id = :around AND found.version = passage.version AND ${near}`;
        passages.innerJoin(Passage, 'found', isNear, { around: query.around });
        passages.andWhere('found.documentId IN (:...owners)');
      }
      const toDto = (passage: Passage) => toPassageDto(documentId, passage);
      const page = await paginate(passages, query, toDto, 'ASC');
      return { ...toVersionDto(documentId, version), ...page };
    });
  }

  async readOriginal(
    user: DashboardUser,
    documentId: string,
    number: number,
  ): Promise<{ version: Document; content: Buffer }> {
    const version = await this.findReadable(user, documentId, number);
    const contents = await this.contents.read([version.id]).catch((error: unknown) => {
      throw error instanceof ContentStoreError ? new Problem('content_store_unavailable') : error;
    });
    const content = contents.get(version.id);
    if (!Buffer.isBuffer(content)) throw new Problem('content_not_found');
    // The document may have got another content meanwhile, with a rule that hides it from the user.
    const now = await this.findReadable(user, documentId, number);
    if (now.id !== version.id || now.sha256 !== version.sha256) throw new Problem('not_found');
    return { version, content };
  }

  /**
   * Finds a version for reading.
   *
   * @throws Problem `not_found`, also if the user may not read it
   */
  async findReadable(user: DashboardUser, documentId: string, number: number): Promise<Document> {
    const document = await this.documents.findReadable(user, documentId);
    if (document.contentNumber === number) return document;
    const rows = this.repository
      .createQueryBuilder('version')
      .where({ versionOf: documentId, contentNumber: number, state: 'kept' });
    const found = await whereReadable(rows, 'version', document.kbId, getPrincipals(user)).getOne();
    if (!found) throw new Problem('not_found');
    return found;
  }

  async findCurrentNumber(user: DashboardUser, documentId: string): Promise<number> {
    return (await this.documents.findReadable(user, documentId)).contentNumber;
  }

  /** Selects the passages of a version. The statement decides itself who may read them. */
  selectPassages(
    manager: EntityManager,
    user: DashboardUser,
    documentId: string,
    { id, kbId }: Version,
  ): SelectQueryBuilder<Passage> {
    const principals = getPrincipals(user);
    const passages = manager
      .createQueryBuilder(Passage, 'passage')
      .innerJoin(Document, 'version', 'version.id = :id AND version.version = passage.version', {
        id,
      })
      .innerJoin(Document, 'document', 'document.id = :documentId', { documentId })
      // Until PassagePurge gives them to the version, they belong to the document.
      .where('passage.documentId IN (:...owners)', { owners: [documentId, id] })
      .andWhere(`document.state = 'active' AND version.state <> 'deactivated'`)
      .andWhere(
        '(version.versionOf IS NOT NULL OR version.searchableNumber = version.contentNumber)',
      );
    whereReadable(passages, 'document', kbId, principals);
    return whereReadable(passages, 'version', kbId, principals);
  }
}
