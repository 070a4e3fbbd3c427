import { Body, Delete, Get, HttpCode, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { Access } from '../knowledge-bases/access.js';
import { AccessCheckDto, CheckAccessDto } from '../knowledge-bases/access-rules/access-set.dto.js';
import { ApiAcceptedResponse, ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  CurrentUser,
  type DashboardUser,
} from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DashboardController } from '../knowledge-bases/dashboard-auth/dashboard-controller.js';
import { Operation } from '../platform/openapi/operation.js';
import { Idempotent, type IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { Page } from '../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../platform/http/success.dto.js';
import { IdParam } from '../platform/http/type-id.js';
import { ListChunksDto, ListDocumentsDto, UpdateDocumentDto } from './document-requests.dto.js';
import { ArchiveUploadService } from './archive-upload.service.js';
import { ArchiveDto } from './archive.dto.js';
import { ChunkDto } from './chunk.dto.js';
import { DocumentDto, ReindexDto } from './document.dto.js';
import { type DocumentUpload, DocumentUploadService } from './document-upload.service.js';
import { DocumentsService } from './documents.service.js';
import {
  AcceptsContent,
  AcceptsDocument,
  ContentBody,
  DocumentBody,
} from './upload/document-body.js';

@DashboardController('Documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly archives: ArchiveUploadService,
    private readonly uploads: DocumentUploadService,
  ) {}

  /**
   * Add a document
   * @remarks Send text in JSON, or a file, whose format is detected from its content. Each file of a
   * ZIP archive becomes a document, whose `external_id` is its path, after the archive's own and `/`.
   * The response comes at once; the document can be found when its `status` is `ready`, usually a
   * moment later. A document with the same `external_id` or the same content is rejected unless
   * `on_duplicate` says otherwise.
   */
  @Post('kbs/:kb_id/documents')
  @Access('kb', 'member', 'documents:write')
  @HttpCode(202)
  @AcceptsDocument()
  @ApiExtraModels(ArchiveDto)
  @ApiAcceptedResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(DocumentDto) }, { $ref: getSchemaPath(ArchiveDto) }] },
    description: 'The document; of a ZIP archive all of them.',
  })
  @ApiOkResponse({ type: DocumentDto, description: 'Skipped: the document that is there already.' })
  @Operation({
    problems: [
      'duplicate_document',
      'legal_hold',
      'quota_reached',
      'too_many_uploads',
      'content_store_unavailable',
    ],
  })
  async createDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @DocumentBody() upload: DocumentUpload,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<DocumentDto | ArchiveDto> {
    const { accepted, document } = await this.archives.create(user, kbId, upload, request);
    if (!accepted) reply.status(200);
    return document;
  }

  /**
   * List the documents of a knowledge base
   * @remarks Filter by status, your own id, part of the title, or whether the settings have changed
   * since.
   */
  @Get('kbs/:kb_id/documents')
  @Access('kb', 'viewer', 'documents:write')
  @Operation({ page: DocumentDto })
  listDocuments(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: ListDocumentsDto,
  ): Promise<Page<DocumentDto>> {
    return this.documents.list(user, kbId, query);
  }

  /**
   * Get a document
   * @remarks Poll it until `status` is `ready` or `failed`.
   */
  @Get('documents/:document_id')
  @Access('document', 'viewer', 'documents:write')
  getDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
  ): Promise<DocumentDto> {
    return this.documents.get(user, documentId);
  }

  /**
   * Change a document
   * @remarks Omitted fields stay unchanged. A new title can be searched a moment later.
   */
  @Patch('documents/:document_id')
  @Access('document', 'member', 'documents:write')
  @Operation({ problems: ['duplicate_document', 'legal_hold'] })
  updateDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @Body() dto: UpdateDocumentDto,
  ): Promise<DocumentDto> {
    return this.documents.update(user, documentId, dto);
  }

  /**
   * Replace the content of a document
   * @remarks With text in JSON, or a file; also of a document that could not be read. Its id, title,
   * metadata, access rule and validity stay. The former content is found until the new one is ready, and is
   * kept as a version where `version_retention_days` says so.
   */
  @Put('documents/:document_id/content')
  @Access('document', 'member', 'documents:write')
  @HttpCode(202)
  @AcceptsContent()
  @Operation({
    problems: ['legal_hold', 'quota_reached', 'too_many_uploads', 'content_store_unavailable'],
  })
  replaceDocumentContent(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @ContentBody() upload: DocumentUpload,
  ): Promise<DocumentDto> {
    return this.uploads.replaceContent(user, documentId, upload);
  }

  /**
   * Check who may read a document
   * @remarks Whether a user with these principals may read the document, and which entry decides.
   */
  @Post('documents/:document_id/access-check')
  @Access('document', 'member', 'documents:write')
  @HttpCode(200)
  checkDocumentAccess(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @Body() { principals }: CheckAccessDto,
  ): Promise<AccessCheckDto> {
    return this.documents.checkAccess(user, documentId, principals);
  }

  /**
   * Index a document again
   * @remarks With the current settings. The existing chunks stay searchable until the new ones are
   * ready.
   */
  @Post('documents/:document_id/reindex')
  @Access('document', 'member', 'documents:write')
  @HttpCode(202)
  reindexDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
  ): Promise<DocumentDto> {
    return this.documents.reindex(user, documentId);
  }

  /**
   * Index all documents of a knowledge base again
   * @remarks With the current settings, one after the other; each stays searchable in the meantime.
   */
  @Post('kbs/:kb_id/reindex')
  @Access('kb', 'member', 'documents:write')
  @HttpCode(202)
  reindexKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
  ): Promise<ReindexDto> {
    return this.documents.reindexAll(user, kbId);
  }

  /**
   * List the chunks of a document
   * @remarks The passages that search finds, in document order.
   */
  @Get('documents/:document_id/chunks')
  @Access('document', 'viewer', 'documents:write')
  @Operation({ page: ChunkDto })
  listDocumentChunks(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @Query() query: ListChunksDto,
  ): Promise<Page<ChunkDto>> {
    return this.documents.listPassages(user, documentId, query);
  }

  /**
   * Delete a document
   * @remarks Once this responds, the document no longer appears in any result.
   */
  @Delete('documents/:document_id')
  @Access('document', 'member', 'documents:write')
  @Operation({ problems: ['legal_hold'] })
  deleteDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.documents.delete(user, documentId));
  }
}
