import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Query,
  Res,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import {
  ApiDashboardProblems,
  ApiIdempotencyKey,
  ApiPage,
  BODY_PROBLEMS,
} from '../openapi/api-docs.js';
import { Idempotent, type IdempotentRequest } from '../idempotency/idempotency.js';
import { AcceptsMultipart } from '../http/multipart.js';
import { DASHBOARD_SECURITY } from '../openapi/open-api.js';
import { type Page, PageQueryDto } from '../http/page.dto.js';
import { SUCCESS, SuccessDto } from '../problems/problem.dto.js';
import { IdParam } from '../http/type-id.js';
import {
  ChunkDto,
  CreateDocumentDto,
  DOCUMENT_EXAMPLE,
  DocumentDto,
  ListDocumentsDto,
  ReindexDto,
  UpdateDocumentDto,
  UploadDocumentDto,
} from './document.dto.js';
import { DocumentUploadService, type DocumentUpload } from './document-upload.service.js';
import { DocumentsService } from './documents.service.js';
import { DocumentBody } from './upload/document-body.js';
import { UploadInterceptor } from './upload/upload.interceptor.js';

@ApiTags('Documents')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller()
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly uploads: DocumentUploadService,
  ) {}

  /**
   * Add a document
   * @remarks As text in JSON, or as a file: PDF, DOCX, HTML, Markdown or text, told by its content.
   * Answers at once; the document is findable when its `status` is `ready`, a moment later. One
   * with the same `external_id` or the same content is refused unless `on_duplicate` says
   * otherwise.
   */
  @Post('kbs/:kb_id/documents')
  @HttpCode(202)
  @AcceptsMultipart()
  @UseInterceptors(UploadInterceptor)
  @ApiExtraModels(CreateDocumentDto, UploadDocumentDto)
  @ApiOperation({
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(CreateDocumentDto) },
          example: DOCUMENT_EXAMPLE,
        },
        'multipart/form-data': { schema: { $ref: getSchemaPath(UploadDocumentDto) } },
      },
    },
  })
  @ApiIdempotencyKey()
  @ApiDashboardProblems(
    ...BODY_PROBLEMS,
    'not_found',
    'duplicate_document',
    'idempotency_conflict',
    'quota_reached',
    'too_many_uploads',
  )
  @ApiAcceptedResponse({ type: DocumentDto, description: 'Accepted: indexing goes on.' })
  @ApiOkResponse({ type: DocumentDto, description: 'Skipped: the document that is there already.' })
  async createDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @DocumentBody() upload: DocumentUpload,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<DocumentDto> {
    const { accepted, document } = await this.uploads.create(user, kbId, upload, request);
    if (!accepted) reply.status(200);
    return document;
  }

  /**
   * List the documents of a knowledge base
   * @remarks Filter by status, by your own id, by a part of the title, or by whether the settings
   * have changed since.
   */
  @Get('kbs/:kb_id/documents')
  @ApiPage(DocumentDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
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
  @ApiDashboardProblems('not_found')
  getDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
  ): Promise<DocumentDto> {
    return this.documents.get(user, documentId);
  }

  /**
   * Change what is told about a document
   * @remarks Fields that are left out stay as they are. A new title is searched a moment later.
   */
  @Patch('documents/:document_id')
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found', 'duplicate_document')
  updateDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @Body() dto: UpdateDocumentDto,
  ): Promise<DocumentDto> {
    return this.documents.update(user, documentId, dto);
  }

  /**
   * Index a document again
   * @remarks With the settings as they are now. What it has serves until the new chunks are ready.
   */
  @Post('documents/:document_id/reindex')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: DocumentDto, description: 'Accepted: indexing goes on.' })
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found')
  reindexDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
  ): Promise<DocumentDto> {
    return this.documents.reindex(user, documentId);
  }

  /**
   * Index all documents of a knowledge base again
   * @remarks With the settings as they are now, one after the other; each goes on being found.
   */
  @Post('kbs/:kb_id/reindex')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: ReindexDto, description: 'Accepted: indexing goes on.' })
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found')
  reindexKnowledgeBase(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
  ): Promise<ReindexDto> {
    return this.documents.reindexAll(user, kbId);
  }

  /**
   * List the chunks of a document
   * @remarks The passages that questions find, in the order of the document.
   */
  @Get('documents/:document_id/chunks')
  @ApiPage(ChunkDto)
  @ApiDashboardProblems('validation_failed', 'not_found')
  listDocumentChunks(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<ChunkDto>> {
    return this.documents.listChunks(user, documentId, query);
  }

  /**
   * Delete a document
   * @remarks Nothing of it is in any result from the moment of the answer.
   */
  @Delete('documents/:document_id')
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found')
  async deleteDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
  ): Promise<SuccessDto> {
    await this.documents.delete(user, documentId);
    return SUCCESS;
  }
}
