import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { together } from '../database/together.js';
import { Idempotency, IdempotentRequest } from '../idempotency/idempotency.js';
import { Problem } from '../problems/problem.js';
import { newId } from '../http/type-id.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { type Settings, SettingsService } from '../settings/settings.service.js';
import { DocumentContent } from './document-content.entity.js';
import { DocumentQuotas } from './document-quotas.js';
import { DocumentFieldsDto } from './document-requests.dto.js';
import { DocumentDto, toDocumentDto } from './document.dto.js';
import { Document } from './document.entity.js';
import { QUEUED } from './ingestion-queue.js';
import { IngestionService } from './ingestion.service.js';
import { SharedTransactions } from './shared-transactions.js';

/** A document as it came in, be it as text or as a file. */
export interface Submission extends Omit<DocumentFieldsDto, 'mime_type'> {
  readonly title: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string;
  /** Gives the content: only what is taken in is brought into memory. */
  readonly read: () => Promise<Buffer>;
}

/** What became of a document that came in. */
export interface DocumentReceipt {
  readonly accepted: boolean;
  readonly document: DocumentDto;
}

@Injectable()
export class DocumentIntake {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly ingestion: IngestionService,
    private readonly transactions: SharedTransactions,
    private readonly idempotency: Idempotency,
    private readonly quotas: DocumentQuotas,
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
    submission: Submission,
    request?: IdempotentRequest,
  ): Promise<DocumentReceipt> {
    await this.knowledgeBases.requireMember(user, kbId);
    const incoming = toDocument(kbId, submission);
    // Read before: within, it would take a second connection while the first one waits.
    const settings = await this.settings.of(kbId);
    const { answer } = await this.transactions.run(user, kbId, submission.sizeBytes, (manager) =>
      this.idempotency.once(manager, user.id, request, () =>
        this.take(manager, user, incoming, submission, settings),
      ),
    );
    if (answer.accepted) this.ingestion.wake();
    return answer;
  }

  private async take(
    manager: EntityManager,
    user: DashboardUser,
    incoming: IncomingDocument,
    { read, on_duplicate: onDuplicate }: Submission,
    settings: Settings,
  ): Promise<DocumentReceipt> {
    const { kbId } = incoming;
    const existing = await findDuplicate(manager, incoming);
    if (existing && onDuplicate === 'skip') {
      return { accepted: false, document: toDocumentDto(existing, settings) };
    }
    if (existing && onDuplicate !== 'replace') throw duplicateOf(existing);
    const id = existing?.id ?? incoming.id;
    await this.quotas.count(manager, kbId, {
      documents: existing ? 0 : 1,
      bytes: incoming.sizeBytes - (existing?.sizeBytes ?? 0),
    });
    const content = await read();
    await (existing
      ? replaceDocument(manager, id, incoming)
      : manager
          .createQueryBuilder()
          .insert()
          .into(Document)
          .values(incoming)
          .updateEntity(false)
          .execute());
    const [document] = await together(
      manager,
      () => manager.findOneByOrFail(Document, { id }),
      () =>
        existing
          ? manager.update(DocumentContent, { documentId: id }, { content })
          : manager.insert(DocumentContent, { documentId: id, content }),
      () =>
        this.auditLog.record(manager, user, {
          kbId,
          action: existing ? 'document.replaced' : 'document.added',
          targetId: id,
          details: { title: incoming.title },
        }),
    );
    return { accepted: true, document: toDocumentDto(document, settings) };
  }
}

export const duplicateOf = ({ id }: Document) =>
  new Problem('duplicate_document', { extensions: { existing_document_id: id } });

function toDocument(kbId: string, submission: Submission) {
  const now = new Date();
  return {
    ...QUEUED,
    id: newId('doc'),
    kbId,
    title: submission.title,
    sourceUrl: submission.source_url ?? null,
    externalId: submission.external_id ?? null,
    mimeType: submission.mimeType,
    sizeBytes: submission.sizeBytes,
    sha256: submission.sha256,
    metadata: (submission.metadata ?? {}) as object,
    state: 'active' as const,
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
): Promise<void> {
  const { id: ignoredId, kbId, createdAt, ...changes } = incoming;
  const { affected } = await manager.update(Document, { id, state: 'active' }, changes);
  if (affected !== 1) throw new Problem('not_found');
}
