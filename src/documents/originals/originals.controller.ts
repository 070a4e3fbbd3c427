import { Get, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { IdParam } from '../../platform/http/type-id.js';
import { AnswersContent, sendContent } from '../contents/content-answer.js';
import { ContentQueryDto, OriginalQueryDto } from './original-query.dto.js';
import { CurrentReader, type LinkHolder, OriginalGuard } from './original.guard.js';
import { OriginalsService } from './originals.service.js';

@DashboardController('Documents', 'documents', OriginalGuard)
export class OriginalsController {
  constructor(private readonly originals: OriginalsService) {}

  /**
   * Open the original of a document
   * @remarks As it was uploaded; of a document that was sent as JSON, its text. `Range` asks for a part.
   * `original_url` of a source is this path with a `link`, which needs no header.
   */
  @Get(':document_id/original')
  @Access('document', 'viewer')
  @AnswersContent()
  getDocumentOriginal(
    @CurrentReader() reader: DashboardUser | LinkHolder,
    @IdParam('doc', 'document_id') documentId: string,
    @Query() query: OriginalQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return this.send(reader, documentId, request, reply);
  }

  /**
   * Download the original of a document
   * @remarks The older name of *Open the original of a document*.
   */
  @Get(':document_id/content')
  @Access('document', 'viewer')
  @AnswersContent()
  getDocumentContent(
    @CurrentReader() reader: DashboardUser | LinkHolder,
    @IdParam('doc', 'document_id') documentId: string,
    @Query() _query: ContentQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return this.send(reader, documentId, request, reply);
  }

  private async send(
    reader: DashboardUser | LinkHolder,
    documentId: string,
    { method, headers }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<StreamableFile> {
    // HEAD has no ranges (RFC 9110).
    const ranges = method === 'GET' ? headers : {};
    // A page of another site may show what a link opens, as it may show any picture that is public.
    if ('claims' in reader) void reply.header('cross-origin-resource-policy', 'cross-origin');
    return sendContent(reply, await this.originals.open(reader, documentId, ranges));
  }
}
