import { Delete, Get, HttpCode, Put, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentApiKey } from '../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { PartnerController } from '../api-keys/partner-controller.js';
import { RequiresScope } from '../api-keys/requires-scope.js';
import type { Page } from '../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../platform/http/success.dto.js';
import { Operation } from '../platform/openapi/operation.js';
import { IngestQueryDto, ListOfKeyDto } from './document-requests.dto.js';
import { DocumentDto } from './document.dto.js';
import type { DocumentUpload } from './document-upload.service.js';
import { AcceptsIdentifiedDocument, IdentifiedDocumentBody } from './upload/document-body.js';
import { ExternalIdParam } from './external-id-param.js';
import { IngestService } from './ingest.service.js';

/** The key or `kb_id` identifies the knowledge base, the caller's own id the document. */
@PartnerController('ingest/documents', { tag: 'Ingest', credential: 'bearer', browsers: false })
export class IngestController {
  constructor(private readonly ingest: IngestService) {}

  /**
   * Add or change a document
   * @remarks Answers 202 if the document is new or changed; until the new version is ready, the
   * previous one is found. Answers 200 if content and fields are unchanged: nothing is indexed again.
   * Omitted fields get their defaults. Needs a key with the scope `documents:write`.
   */
  @Put(':external_id')
  @HttpCode(202)
  @RequiresScope('documents:write')
  @AcceptsIdentifiedDocument()
  @ApiAcceptedResponse({ type: DocumentDto })
  @ApiOkResponse({ type: DocumentDto, description: 'Unchanged.' })
  @Operation({
    problems: ['legal_hold', 'quota_reached', 'too_many_uploads', 'content_store_unavailable'],
  })
  async putIngestedDocument(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @ExternalIdParam() externalId: string,
    @Query() { kb_id: kbId }: IngestQueryDto,
    @IdentifiedDocumentBody() upload: DocumentUpload,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DocumentDto> {
    const { accepted, document } = await this.ingest.put(apiKey, kbId, externalId, upload);
    if (!accepted) reply.status(200);
    return document;
  }

  /**
   * List documents by key
   * @remarks Lists the documents that the key can read. Needs a key with the scope `documents:read`.
   */
  @Get()
  @RequiresScope('documents:read')
  @Operation({ page: DocumentDto, problems: ['not_found'] })
  listIngestedDocuments(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Query() query: ListOfKeyDto,
  ): Promise<Page<DocumentDto>> {
    return this.ingest.list(apiKey, query);
  }

  /**
   * Get a document by your own id
   * @remarks Poll it until `status` is `ready` or `failed`. Needs a key with the scope `documents:read`.
   */
  @Get(':external_id')
  @RequiresScope('documents:read')
  @Operation({ problems: ['validation_failed'] })
  getIngestedDocument(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @ExternalIdParam() externalId: string,
    @Query() { kb_id: kbId }: IngestQueryDto,
  ): Promise<DocumentDto> {
    return this.ingest.get(apiKey, kbId, externalId);
  }

  /**
   * Delete a document by your own id
   * @remarks Once this responds, the document no longer appears in any result. Needs a key with the
   * scope `documents:write`.
   */
  @Delete(':external_id')
  @RequiresScope('documents:write')
  @Operation({ problems: ['validation_failed', 'legal_hold'] })
  deleteIngestedDocument(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @ExternalIdParam() externalId: string,
    @Query() { kb_id: kbId }: IngestQueryDto,
  ): Promise<SuccessDto> {
    return succeeded(this.ingest.delete(apiKey, kbId, externalId));
  }
}
