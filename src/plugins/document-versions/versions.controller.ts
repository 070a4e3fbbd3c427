import {
  Get,
  HttpCode,
  Param,
  type PipeTransform,
  Post,
  Query,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import { DocumentDto } from '../../documents/document.dto.js';
import { toFileName } from '../../documents/file-name.js';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { onMethod, Operation } from '../../platform/openapi/operation.js';
import { Problem } from '../../platform/problems/problem.js';
import { VersionComparison } from './version-comparison.js';
import { VersionRestoring } from './version-restoring.js';
import {
  CompareVersionsDto,
  DocumentVersionDto,
  DocumentVersionPageDto,
  MAX_VERSION,
  VersionDiffDto,
  VersionPassagesDto,
} from './version.dto.js';
import { VersionsService } from './versions.service.js';

const NUMBER: PipeTransform<string, number> = {
  transform(value) {
    const number = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : Infinity;
    if (number > MAX_VERSION) throw new Problem('not_found');
    return number;
  },
};

/** The path parameter with the number of a version. */
const VersionParam =
  (): ParameterDecorator =>
  (...target) => {
    Param('version', NUMBER)(...target);
    const limits = { minimum: 1, maximum: MAX_VERSION };
    const schema = { type: 'integer', format: 'int32', ...limits, example: 1 } as const;
    onMethod(ApiParam({ name: 'version', schema }))(...target);
  };

@DashboardController('Documents', 'documents/:document_id/versions')
export class VersionsController {
  constructor(
    private readonly versions: VersionsService,
    private readonly comparison: VersionComparison,
    private readonly restoring: VersionRestoring,
  ) {}

  /**
   * List the former versions of a document
   * @remarks What the document was before its content was replaced, as long as the settings
   * `version_retention_days` and `version_limit` keep it.
   */
  @Get()
  @Access('document', 'viewer', 'documents:write')
  @Operation({ page: DocumentVersionDto })
  listDocumentVersions(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<DocumentVersionDto>> {
    return this.versions.list(user, documentId, query);
  }

  /**
   * Get a version of a document
   * @remarks With a page of its passages, in document order. `document_version` of an answer’s source is
   * its number; the current content has one too.
   */
  @Get(':version')
  @Access('document', 'viewer', 'documents:write')
  getDocumentVersion(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @VersionParam() version: number,
    @Query() query: VersionPassagesDto,
  ): Promise<DocumentVersionPageDto> {
    return this.versions.get(user, documentId, version, query);
  }

  /**
   * Download the original of a version
   * @remarks The file as it was uploaded, or the text of a document sent as JSON.
   */
  @Get(':version/original')
  @Access('document', 'viewer', 'documents:write')
  @ApiOkResponse({
    description: 'The original.',
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  })
  @Operation({ problems: ['content_not_found', 'content_store_unavailable'] })
  async getDocumentVersionOriginal(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @VersionParam() number: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { version, content } = await this.versions.readOriginal(user, documentId, number);
    void reply.headers({
      // A cached copy would outlive the reader's access.
      'cache-control': 'private, no-store',
      'content-security-policy': `sandbox; default-src 'none'`,
      'x-content-type-options': 'nosniff',
    });
    const disposition = contentDisposition(toFileName(version), { type: 'attachment' });
    return new StreamableFile(content, {
      ...{ type: version.mimeType, disposition, length: content.length },
    });
  }

  /**
   * Compare two versions of a document
   * @remarks Which passages were added, removed and changed from this version to another one.
   */
  @Get(':version/diff')
  @Access('document', 'viewer', 'documents:write')
  compareDocumentVersions(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @VersionParam() version: number,
    @Query() { to }: CompareVersionsDto,
  ): Promise<VersionDiffDto> {
    return this.comparison.compare(user, documentId, version, to);
  }

  /**
   * Restore a version of a document
   * @remarks The document gets its content, title, metadata and validity again, as a new version; what it
   * had before is kept as a version. It keeps its external id and its source, whose next change replaces
   * it. Only those may read it who may read both the version and the document.
   */
  @Post(':version/restore')
  @Access('document', 'member', 'documents:write')
  @HttpCode(202)
  @Operation({
    problems: ['legal_hold', 'quota_reached', 'content_not_found', 'content_store_unavailable'],
  })
  restoreDocumentVersion(
    @CurrentUser() user: DashboardUser,
    @IdParam('doc', 'document_id') documentId: string,
    @VersionParam() version: number,
  ): Promise<DocumentDto> {
    return this.restoring.restore(user, documentId, version);
  }
}
