import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../openapi/operation.js';
import { clientIp } from './client-ip.js';
import { LeakReportAnswerDto, LeakReportDto } from './leak-report.dto.js';
import { LeakReportLimit } from './leak-report-limit.js';
import { LeakReportService } from './leak-report.service.js';

/** Open to all: the reported secrets are the credential. */
@ApiTags('Security')
@Controller('leaked-api-keys')
export class LeakReportController {
  constructor(private readonly leaks: LeakReportService) {}

  /**
   * Report leaked API keys
   * @remarks For secret scanners and whoever finds a key: the real ones are revoked at once. Needs no
   * credential but the keys themselves; 60 requests a minute from one address. A leaked key matches `\\brag_(live|test)_[0-9A-Za-z]{48}\\b`.
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
}
