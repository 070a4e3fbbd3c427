import {
  Body,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HttpCode,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { UploadInterceptor } from '../../documents/upload/upload.interceptor.js';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { OpensTo } from '../../knowledge-bases/opens-to.js';
import { invalidFields, unknownField } from '../../platform/http/body-shape.js';
import { findInheritedNames } from '../../platform/http/inherited-names.js';
import { FormatsProblems } from '../../platform/http/problem-format.js';
import { AcceptsLongLists, AcceptsMultipart } from '../../platform/http/request-body.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { MAX_ERRORS } from '../../platform/problems/problem.js';
import { KnowledgeGuard, NamedSource } from './knowledge.guard.js';
import { OikbService } from './oikb.service.js';
import {
  CleanupDto,
  CleanupResultDto,
  CreateDirectoryDto,
  DiffDto,
  DirectoryDto,
  KnowledgeDto,
  KnowledgeFilesDto,
  ManifestDto,
  OpenWebUiErrorDto,
  UploadedFileDto,
  UploadFileDto,
} from './open-webui.dto.js';
import { toOpenWebUiError } from './open-webui-error.js';

/** A body without a DTO: a long list, or a file with fields. */
const RawBody = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const body = context.switchToHttp().getRequest<FastifyRequest>().body ?? {};
  const names = findInheritedNames(body);
  if (names.length > 0) throw invalidFields(names.slice(0, MAX_ERRORS).map(unknownField));
  return body;
});

/**
 * For oikb. The id in the path is that of a knowledge base, or of a source of the kind `oikb`.
 */
@DashboardController('Other protocols', 'open-webui/api/v1', KnowledgeGuard)
export class OpenWebUiController {
  constructor(private readonly service: OikbService) {}

  /**
   * Get a knowledge base for oikb
   * @remarks For oikb the base URL is `/open-webui`, the token the key of a service account, and the id of
   * the knowledge base, or of a source of the kind `oikb`, the `kb-id`.
   */
  @Get('knowledge/:kb_id')
  @Access('kb', 'member', 'documents:write')
  @FormatsProblems(toOpenWebUiError, OpenWebUiErrorDto)
  getOikbKnowledge(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @NamedSource() sourceId: string | undefined,
  ): Promise<KnowledgeDto> {
    return this.service.describe(user, { kbId, sourceId });
  }

  /** List what oikb has brought */
  @Get('knowledge/:kb_id/files')
  @Access('kb', 'member', 'documents:write')
  @FormatsProblems(toOpenWebUiError, OpenWebUiErrorDto)
  listOikbFiles(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @NamedSource() sourceId: string | undefined,
  ): Promise<KnowledgeFilesDto> {
    return this.service.listFiles(user, { kbId, sourceId });
  }

  /**
   * Compare a manifest of oikb
   * @remarks Changes no document. Documents that oikb did not bring are never listed. If more than a tenth
   * would be deleted, none is until a user has confirmed it at the source.
   */
  @Post('knowledge/:kb_id/sync/diff')
  @HttpCode(200)
  @Access('kb', 'member', 'documents:write')
  @AcceptsLongLists()
  @ApiBody({ type: ManifestDto })
  @Operation({ problems: ['source_running', 'quota_reached'] })
  @FormatsProblems(toOpenWebUiError, OpenWebUiErrorDto)
  compareOikbManifest(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @NamedSource() sourceId: string | undefined,
    @RawBody() body: unknown,
  ): Promise<DiffDto> {
    return this.service.compare(user, { kbId, sourceId }, body);
  }

  /**
   * Remove what oikb’s manifest no longer has
   * @remarks Changed files stay until their new version comes. Documents that oikb did not bring are left.
   */
  @Post('knowledge/:kb_id/sync/cleanup')
  @HttpCode(200)
  @Access('kb', 'member', 'documents:write')
  @AcceptsLongLists()
  @Operation({ problems: ['legal_hold', 'source_running'] })
  @FormatsProblems(toOpenWebUiError, OpenWebUiErrorDto)
  cleanUpOikb(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @NamedSource() sourceId: string | undefined,
    @Body() dto: CleanupDto,
  ): Promise<CleanupResultDto> {
    return this.service.cleanUp(user, { kbId, sourceId }, dto);
  }

  /** Name a directory of oikb */
  @Post('knowledge/:kb_id/dirs/create')
  @HttpCode(200)
  @Access('kb', 'member', 'documents:write')
  @FormatsProblems(toOpenWebUiError, OpenWebUiErrorDto)
  createOikbDirectory(@IdParam('kb') _kbId: string, @Body() dto: CreateDirectoryDto): DirectoryDto {
    return this.service.createDirectory(dto);
  }

  /**
   * Delete everything that oikb has brought
   * @remarks Other documents of the knowledge base stay.
   */
  @Post('knowledge/:kb_id/reset')
  @HttpCode(200)
  @Access('kb', 'member', 'documents:write')
  @Operation({ problems: ['legal_hold'] })
  @FormatsProblems(toOpenWebUiError, OpenWebUiErrorDto)
  resetOikb(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @NamedSource() sourceId: string | undefined,
  ): Promise<KnowledgeDto> {
    return this.service.reset(user, { kbId, sourceId });
  }

  /**
   * Upload a file of oikb
   * @remarks Becomes a document at once; it is indexed in the background.
   */
  @Post('files')
  @HttpCode(200)
  @OpensTo('documents:write')
  @AcceptsMultipart()
  @UseInterceptors(UploadInterceptor)
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: UploadFileDto })
  @Operation({
    problems: [
      ...([
        'not_found',
        'insufficient_role',
        'legal_hold',
        'quota_reached',
        'source_running',
      ] as const),
      ...(['too_many_uploads', 'content_store_unavailable'] as const),
    ],
  })
  @FormatsProblems(toOpenWebUiError, OpenWebUiErrorDto)
  uploadOikbFile(
    @CurrentUser() user: DashboardUser,
    @RawBody() body: Record<string, unknown>,
  ): Promise<UploadedFileDto> {
    return this.service.upload(user, body);
  }
}
