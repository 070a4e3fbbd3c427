import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { FoundPassage, SearchScope } from '@latchkey/ranking/search-index';
import { whereReadable } from '../../knowledge-bases/access-rules/readable.js';
import {
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import type { MemberRole } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { Problem } from '../../platform/problems/problem.js';
import { toDocumentDate } from '../../documents/document-date.js';
import { Document } from '../../documents/document.entity.js';
import { Passage } from '../../documents/passage.entity.js';
import { whereMetadata } from '../../documents/search/where-metadata.js';

/** Looks up documents by their ids. */
@Injectable()
export class DocumentPassages {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly knowledgeBases: KnowledgeBaseAccess,
  ) {}

  /**
   * Filters the ids of documents that the user may see: members and owners see all, viewers only those
   * that the access rules allow.
   */
  async findVisible(
    user: DashboardUser,
    kbId: string,
    role: MemberRole,
    ids: readonly string[],
    manager = this.documents.manager,
  ): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = manager
      .createQueryBuilder(Document, 'document')
      .select('document.id', 'id')
      .where({ kbId, state: 'active', id: In([...new Set(ids)]) });
    if (role === 'viewer') whereReadable(rows, 'document', kbId, getPrincipals(user));
    return new Set((await rows.getRawMany<{ id: string }>()).map(({ id }) => id));
  }

  /** @throws Problem `validation_failed` that names each of `sources` that is no such document */
  async requireVisible(user: DashboardUser, kbId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const role = await this.knowledgeBases.requireMember(user, kbId);
    const visible = await this.findVisible(user, kbId, role, ids);
    const errors = ids.flatMap((id, index) => {
      const field = `sources.${index}`;
      return visible.has(id) ? [] : [{ field, message: `${field} names no document` }];
    });
    if (errors.length > 0) throw new Problem('validation_failed', { errors });
  }

  /** Returns the first passage of each document that the credential can read, in the given order. */
  async findFirstPassages(
    kbId: string,
    { filter, principals }: SearchScope,
    ids: readonly string[],
  ) {
    if (ids.length === 0) return [];
    const rows = this.documents
      .createQueryBuilder('document')
      .innerJoinAndMapOne(
        'document.first',
        Passage,
        'passage',
        'passage.documentId = document.id AND passage.version = document.version AND passage.position = 0',
      )
      .where({ kbId, state: 'active', id: In([...ids]) });
    whereReadable(rows, 'document', kbId, principals);
    const opened = filter ? whereMetadata(rows, 'document.metadata', filter) : rows;
    const found = (await opened.getMany()) as (Document & { readonly first: Passage })[];
    const byId = new Map(found.map((document) => [document.id, toFound(kbId, document)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}

const toFound = (
  kbId: string,
  { first, ...document }: Document & { readonly first: Passage },
): FoundPassage => ({
  kbId,
  passageId: first.id,
  documentId: document.id,
  documentTitle: document.title,
  externalId: document.externalId,
  sourceUrl: document.sourceUrl,
  metadata: { ...document.metadata },
  date: toDocumentDate(document),
  contentDate: (document.contentSince ?? document.createdAt).toISOString().slice(0, 10),
  documentVersion: document.searchableNumber,
  updatedAt: document.updatedAt.toISOString(),
  validUntil: document.validUntil?.toISOString() ?? null,
  heading: first.heading,
  page: first.page,
  locator: first.locator,
  cells: first.cells,
  text: first.text,
  language: document.language,
  score: 1,
  coverage: 1,
  matched: [],
});
