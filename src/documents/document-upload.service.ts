import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { newId } from '../http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../idempotency/idempotency.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { type Settings, SettingsService } from '../settings/settings.service.js';
import { DocumentContent } from './document-content.entity.js';
import { DocumentQuotas } from './document-quotas.js';
import { type DocumentDescription, DocumentTransitions } from './document-transitions.js';
import type { DocumentFieldsDto } from './document-requests.dto.js';
import { type DocumentDto, toDocumentDto } from './document.dto.js';
import { Document } from './document.entity.js';
import { duplicateOf, findDuplicate } from './find-duplicate.js';
import { IngestionService } from './ingestion.service.js';
import { GroupCommit } from './group-commit.js';
import { canonicalLanguageTag } from './language-tag.js';

/** A document as a client sent it, as text or as a file. */
export interface DocumentUpload extends Omit<DocumentFieldsDto, 'mime_type'> {
  readonly title: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string;
  /** Reads the content into memory; called only when the document is stored. */
  readonly read: () => Promise<Buffer>;
}

export interface UploadResult {
  /** False when the document exists already and `on_duplicate` is `skip`. */
  readonly accepted: boolean;
  readonly document: DocumentDto;
}

@Injectable()
export class DocumentUploadService {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly ingestion: IngestionService,
    private readonly groupCommit: GroupCommit,
    private readonly idempotency: Idempotency,
    private readonly quotas: DocumentQuotas,
    private readonly transitions: DocumentTransitions,
  ) {}

  /** Stores the document; it is indexed in the background. */
  async create(
    user: DashboardUser,
    kbId: string,
    upload: DocumentUpload,
    request?: IdempotentRequest,
  ): Promise<UploadResult> {
    await this.knowledgeBases.requireMember(user, kbId);
    // Before the transaction, in which this would need a second connection.
    const settings = await this.settings.of(kbId);
    const { answer } = await this.groupCommit.run(user, kbId, upload.sizeBytes, (manager) =>
      this.idempotency.once(manager, user.id, request, () =>
        this.store(manager, user, kbId, upload, settings),
      ),
    );
    if (answer.accepted) this.ingestion.start();
    return answer;
  }

  private async store(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
    upload: DocumentUpload,
    settings: Settings,
  ): Promise<UploadResult> {
    const existing = await findDuplicate(manager, kbId, upload);
    if (existing && upload.on_duplicate === 'skip') {
      return { accepted: false, document: toDocumentDto(existing, settings) };
    }
    if (existing && upload.on_duplicate !== 'replace') throw duplicateOf(existing);
    await this.quotas.count(manager, kbId, {
      documents: existing ? 0 : 1,
      bytes: upload.sizeBytes - (existing?.sizeBytes ?? 0),
    });
    const content = await upload.read();
    const columns = toColumns(upload);
    const id = existing?.id ?? newId('doc');
    if (existing) {
      // The current chunks stay searchable until the new ones are ready.
      const details = { title: upload.title };
      await this.transitions.apply(manager, user, 'replace', existing, { columns, details });
      await manager.update(DocumentContent, { documentId: id }, { content });
    } else {
      const createdAt = columns.updatedAt;
      await this.transitions.add(manager, user, { ...columns, id, kbId, createdAt });
      await manager.insert(DocumentContent, { documentId: id, content });
    }
    const document = await manager.findOneByOrFail(Document, { id });
    return { accepted: true, document: toDocumentDto(document, settings) };
  }
}

const toColumns = ({ language, ...upload }: DocumentUpload): DocumentDescription => ({
  title: upload.title,
  sourceUrl: upload.source_url ?? null,
  externalId: upload.external_id ?? null,
  mimeType: upload.mimeType,
  sizeBytes: upload.sizeBytes,
  sha256: upload.sha256,
  metadata: upload.metadata ?? {},
  ...declaredLanguage(language),
  updatedAt: new Date(),
});

/** Without a declared language, the one of the searchable passages stays until indexing detects it. */
function declaredLanguage(tag: string | null | undefined) {
  const language = canonicalLanguageTag(tag ?? '') ?? null;
  return { declaredLanguage: language, ...(language !== null && { language }) };
}
