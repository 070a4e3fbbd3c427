import { Get, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { IdParam } from '../../platform/http/type-id.js';
import { AnswersContent, sendContent, sendView } from './content-answer.js';
import { ContentQueryDto, OriginalQueryDto } from './original-query.dto.js';
import { CurrentReader, type LinkHolder, OriginalGuard } from './original.guard.js';
import { OriginalsService } from './originals.service.js';

@DashboardController('Documents', 'documents', OriginalGuard)
export class OriginalsController {
  constructor(private readonly originals: OriginalsService) {}

  /**
   * Open the original of a document
   * @remarks Returns the file as it was uploaded, or the text of a document sent as JSON. `Range`
   * requests a part. The `original_url` of a source is this path with a `link`, which needs no header.
   * With `page` or `highlight`, returns that page: a PNG for PDFs and pictures, HTML without scripts
   * for all others. The headers `Page` and `Page-Count` identify it; `Marked-At` says how far down the
   * page the passage begins, from 0 to 1. HTML contains the ids of passages as anchors. If the document
   * has been indexed again, the words of a passage are searched in it; if they are gone, the first page
   * is shown, with a note if it is HTML.
   */
  @Get(':document_id/original')
  @Access('document', 'viewer', 'documents:write')
  @AnswersContent()
  getDocumentOriginal(
    @CurrentReader() reader: DashboardUser | LinkHolder,
    @IdParam('doc', 'document_id') documentId: string,
    @Query() query: OriginalQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | Buffer> {
    return this.send(reader, documentId, query, request, reply);
  }

  /**
   * Download the original of a document
   * @remarks The former name of *Open the original of a document*.
   */
  @Get(':document_id/content')
  @Access('document', 'viewer', 'documents:write')
  @AnswersContent()
  getDocumentContent(
    @CurrentReader() reader: DashboardUser | LinkHolder,
    @IdParam('doc', 'document_id') documentId: string,
    @Query() query: ContentQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | Buffer> {
    return this.send(reader, documentId, query, request, reply);
  }

  private async send(
    reader: DashboardUser | LinkHolder,
    documentId: string,
    { page, highlight }: OriginalQueryDto,
    { method, headers }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<StreamableFile | Buffer> {
    // Other sites may embed a linked original as an image or in a frame; no scripts run in it.
    if ('claims' in reader) {
      void reply.header('cross-origin-resource-policy', 'cross-origin');
      void reply.removeHeader('x-frame-options');
    }
    if (page !== undefined || highlight !== undefined) {
      return sendView(reply, await this.originals.view(reader, documentId, { page, highlight }));
    }
    // Ranges do not apply to HEAD (RFC 9110).
    const ranges = method === 'GET' ? headers : {};
    return sendContent(reply, await this.originals.open(reader, documentId, ranges));
  }
}
