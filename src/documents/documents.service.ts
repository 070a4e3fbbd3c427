import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Idempotency, IdempotentRequest } from '../http/idempotency.js';
import { Page, PageQueryDto } from '../http/page.dto.js';
import { paginate } from '../http/paginate.js';
import { Problem } from '../http/problem.js';
import { newId } from '../http/type-id.js';
import { KnowledgeBasesService } from '../knowledge-bases/knowledge-bases.service.js';
import { Chunk } from './chunk.entity.js';
import { ChunkPurge } from './chunk-purge.js';
import { DocumentContent } from './document-content.entity.js';
import {
  ChunkDto,
  CreateDocumentDto,
  DocumentDto,
  ListDocumentsDto,
  toChunkDto,
  toDocumentDto,
} from './document.dto.js';
import { Document } from './document.entity.js';
import { IngestionService } from './ingestion.service.js';

/** What became of a document that came in. */
export interface DocumentReceipt {
  readonly accepted: boolean;
  readonly document: DocumentDto;
}

@Injectable()
export class DocumentsService {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(Chunk) private readonly chunks: Repository<Chunk>,
    private readonly knowledgeBases: KnowledgeBasesService,
    private readonly ingestion: IngestionService,
    private readonly purge: ChunkPurge,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Takes the document in; indexing goes on in the background.
   *
   * @returns `accepted: false` when there was one already and it was to be skipped
   */
  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateDocumentDto,
    request?: IdempotentRequest,
  ): Promise<DocumentReceipt> {
    await this.knowledgeBases.requireMember(user, kbId);
    const content = Buffer.from(dto.text);
    const incoming = toDocument(kbId, dto, content);
    const { answer } = await this.unitOfWork.run(async (manager) => {
      await this.knowledgeBases.lock(manager, kbId);
      return this.idempotency.once(manager, user.id, request, () =>
        this.take(manager, user, incoming, content, dto.on_duplicate),
      );
    });
    if (answer.accepted) this.ingestion.wake();
    return answer;
  }

  async list(user: DashboardUser, kbId: string, dto: ListDocumentsDto): Promise<Page<DocumentDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    const documents = this.documents
      .createQueryBuilder('document')
      .where({ kbId, state: 'active' });
    if (dto.status) documents.andWhere({ status: dto.status });
    if (dto.external_id) documents.andWhere({ externalId: dto.external_id });
    if (dto.q) {
      documents.andWhere(`LOWER(document.title) LIKE LOWER(:pattern) ESCAPE '\\'`, {
        pattern: `%${dto.q.replace(/[\\%_]/g, '\\$&')}%`,
      });
    }
    return paginate(documents, dto, toDocumentDto);
  }

  async get(user: DashboardUser, documentId: string): Promise<DocumentDto> {
    return toDocumentDto(await this.find(user, documentId));
  }

  /** The findable chunks, in the order of the document. */
  async listChunks(
    user: DashboardUser,
    documentId: string,
    query: PageQueryDto,
  ): Promise<Page<ChunkDto>> {
    const { version } = await this.find(user, documentId);
    const chunks = this.chunks
      .createQueryBuilder('chunk')
      .where('chunk.documentId = :documentId AND chunk.version = :version', {
        documentId,
        version: version ?? 0,
      });
    return paginate(chunks, query, toChunkDto, 'ASC');
  }

  /** From the moment this returns nothing of the document is in any result. */
  async delete(user: DashboardUser, documentId: string): Promise<void> {
    const { kbId, title } = await this.find(user, documentId);
    await this.unitOfWork.run(async (manager) => {
      // Waits for an upload that is about to replace the document.
      await this.knowledgeBases.lock(manager, kbId);
      const { affected } = await manager.update(
        Document,
        { id: documentId, state: 'active' },
        { state: 'deactivated' },
      );
      if (affected !== 1) throw new Problem('not_found');
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'document.deleted',
        targetId: documentId,
        details: { title },
      });
    });
    this.purge.start();
  }

  private async take(
    manager: EntityManager,
    user: DashboardUser,
    incoming: IncomingDocument,
    content: Buffer,
    onDuplicate: CreateDocumentDto['on_duplicate'],
  ): Promise<DocumentReceipt> {
    const existing = await findDuplicate(manager, incoming);
    if (existing && onDuplicate === 'skip') {
      return { accepted: false, document: toDocumentDto(existing) };
    }
    if (existing && onDuplicate !== 'replace') {
      throw new Problem('duplicate_document', {
        extensions: { existing_document_id: existing.id },
      });
    }
    const id = existing?.id ?? incoming.id;
    if (existing) {
      await replaceDocument(manager, id, incoming, content);
    } else {
      await manager.insert(Document, incoming);
      await manager.insert(DocumentContent, { documentId: id, content });
    }
    await this.auditLog.record(manager, user, {
      kbId: incoming.kbId,
      action: existing ? 'document.replaced' : 'document.added',
      targetId: id,
      details: { title: incoming.title },
    });
    const document = await manager.findOneByOrFail(Document, { id });
    return { accepted: true, document: toDocumentDto(document) };
  }

  private async find(user: DashboardUser, documentId: string): Promise<Document> {
    const document = await this.documents.findOneBy({ id: documentId, state: 'active' });
    if (!document) throw new Problem('not_found');
    await this.knowledgeBases.requireMember(user, document.kbId);
    return document;
  }
}

function toDocument(kbId: string, dto: CreateDocumentDto, content: Buffer) {
  const now = new Date();
  return {
    id: newId('doc'),
    kbId,
    title: dto.title,
    sourceUrl: dto.source_url ?? null,
    externalId: dto.external_id ?? null,
    mimeType: dto.mime_type ?? 'text/plain',
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    metadata: (dto.metadata ?? {}) as object,
    state: 'active' as const,
    status: 'pending' as const,
    createdAt: now,
    updatedAt: now,
  };
}

type IncomingDocument = ReturnType<typeof toDocument>;

/** The document that has the same id of the user's, else the one that has the same content. */
async function findDuplicate(
  manager: EntityManager,
  { kbId, externalId, sha256 }: IncomingDocument,
): Promise<Document | null> {
  const sameId =
    externalId === null
      ? null
      : await manager.findOneBy(Document, { kbId, state: 'active', externalId });
  return sameId ?? manager.findOneBy(Document, { kbId, state: 'active', sha256 });
}

/** The old chunks serve until the new ones are ready. */
async function replaceDocument(
  manager: EntityManager,
  id: string,
  incoming: IncomingDocument,
  content: Buffer,
): Promise<void> {
  const { id: ignoredId, kbId, createdAt, ...changes } = incoming;
  const { affected } = await manager.update(
    Document,
    { id, state: 'active' },
    { ...changes, attempts: 0, errorCode: null, errorMessage: null },
  );
  if (affected !== 1) throw new Problem('not_found');
  await manager.update(DocumentContent, { documentId: id }, { content });
}
