import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiHeader, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../../platform/http/nest-metadata.js';
import { READS_BODY_LAST } from '../../platform/http/request-body.js';
import { Operation } from '../../platform/openapi/operation.js';
import { clientIp } from '../../platform/config/ip-address.js';
import {
  MAX_GITHUB_LEAKS,
  MAX_GITLAB_LEAKS,
  GithubLeakDto,
  GitlabLeakDto,
  LeaksPipe,
  GithubLeakVerdictDto,
} from './github-leak-report.dto.js';
import { GithubSignatureGuard } from './github-signature.guard.js';
import { LeakReportAnswerDto, LeakReportDto } from './leak-report.dto.js';
import { LeakReportLimit } from './leak-report-limit.js';
import { LeakReportService } from './leak-report.service.js';

const HEADER = { type: 'string', maxLength: 1000 } as const;

/** The operation needs no credential, because the reported secrets are the proof. */
@ApiTags('Security')
@Controller('leaked-api-keys')
export class LeakReportController {
  constructor(private readonly leaks: LeakReportService) {}

  /**
   * Report leaked API keys
   * @remarks For secret scanners and everybody who finds a key: real keys are revoked at once. It needs no
   * credential besides the keys themselves, and allows 60 requests a minute from one address. A leaked key
   * matches `rag_(?:live|test|admin)_[0-9A-Za-z]{48}(?![0-9A-Za-z])`.
   */
  @Post()
  @HttpCode(200)
  @UseGuards(LeakReportLimit)
  @Operation({ problems: ['rate_limited', 'verification_busy', 'database_unavailable'] })
  async reportLeakedApiKeys(
    @Body() dto: LeakReportDto,
    @Req() request: FastifyRequest,
  ): Promise<LeakReportAnswerDto> {
    const reporter = { requestId: request.id, ip: clientIp(request) };
    return { results: await this.leaks.report(dto.api_keys, reporter) };
  }

  /**
   * Report leaked API keys in GitHub's form
   * @remarks For GitHub's secret scanning partner program: the body is signed with one of the keys that
   * GitHub publishes, named in the headers. Real keys are revoked at once, and the place where they were
   * found is kept in the audit event.
   */
  @Post('github')
  @HttpCode(200)
  @AddRouteConfig(READS_BODY_LAST)
  @UseGuards(GithubSignatureGuard)
  @ApiHeader({ name: 'Github-Public-Key-Identifier', required: true, schema: HEADER })
  @ApiHeader({
    name: 'Github-Public-Key-Signature',
    description: 'ECDSA (P-256) over the SHA-256 of the body, in Base64.',
    required: true,
    schema: HEADER,
  })
  @ApiExtraModels(GithubLeakDto)
  @ApiBody({
    schema: {
      type: 'array',
      maxItems: MAX_GITHUB_LEAKS,
      items: { $ref: getSchemaPath(GithubLeakDto) },
    },
  })
  @Operation({
    problems: [
      'invalid_signature',
      'signing_keys_unavailable',
      'verification_busy',
      'database_unavailable',
    ],
  })
  reportLeakedApiKeysByGithub(
    @Body(new LeaksPipe(GithubLeakDto, MAX_GITHUB_LEAKS)) leaks: GithubLeakDto[],
    @Req() request: FastifyRequest,
  ): Promise<GithubLeakVerdictDto[]> {
    return this.leaks.reportByGithub(leaks, { requestId: request.id, ip: clientIp(request) });
  }

  /**
   * Report leaked API keys in GitLab's form
   * @remarks For the receiver of a GitLab's token revocation: real keys are revoked at once, and the place where
   * they were found is kept in the audit event. It needs no credential besides the keys themselves, and allows 60
   * requests a minute from one address.
   */
  @Post('gitlab')
  @HttpCode(200)
  @UseGuards(LeakReportLimit)
  @ApiExtraModels(GitlabLeakDto)
  @ApiBody({
    schema: {
      type: 'array',
      maxItems: MAX_GITLAB_LEAKS,
      items: { $ref: getSchemaPath(GitlabLeakDto) },
    },
  })
  @Operation({ problems: ['rate_limited', 'verification_busy', 'database_unavailable'] })
  async reportLeakedApiKeysByGitlab(
    @Body(new LeaksPipe(GitlabLeakDto, MAX_GITLAB_LEAKS)) leaks: GitlabLeakDto[],
    @Req() request: FastifyRequest,
  ): Promise<LeakReportAnswerDto> {
    const reporter = { requestId: request.id, ip: clientIp(request) };
    return { results: await this.leaks.reportByGitlab(leaks, reporter) };
  }
}
