import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import {
  ApiDashboardProblems,
  ApiIdempotencyKey,
  ApiPage,
  BODY_PROBLEMS,
} from '../http/api-docs.js';
import { Idempotent, type IdempotentRequest } from '../http/idempotency.js';
import { DASHBOARD_SECURITY } from '../http/open-api.js';
import { type Page, PageQueryDto } from '../http/page.dto.js';
import { SUCCESS, SuccessDto } from '../http/problem.dto.js';
import { IdParam } from '../http/type-id.js';
import { ChunkDto, CreateDocumentDto, DocumentDto, ListDocumentsDto } from './document.dto.js';
import { DocumentsService } from './documents.service.js';

@ApiTags('Documents')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller()
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  /**
   * Add a document
   * @remarks Answers at once; the document is findable when its `status` is `ready`, a moment
   * later. One with the same `external_id` or the same content is refused
   * unless `on_duplicate` says otherwise.
   */
  @Post('kbs/:kb_id/documents')
  @HttpCode(202)
  @ApiIdempotencyKey()
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found', 'duplicate_document', 'idempotency_conflict')
  @ApiAcceptedResponse({ type: DocumentDto, description: 'Accepted: indexing goes on.' })
  @ApiOkResponse({ type: DocumentDto, description: 'Skipped: the document that is there already.' })
  async createDocument(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateDocumentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<DocumentDto> {
    const { accepted, document } = await this.documents.create(user, kbId, dto, request);
    if (!accepted) reply.status(200);
    return document;
  }

  /**
   * List the documents of a knowledge base
   * @remarks Filter by status, by your own id, or by a part of the title.
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
