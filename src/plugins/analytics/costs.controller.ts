import { Get, Header, Headers, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { CostsDto, CostsQueryDto } from './costs.dto.js';
import { CostsService } from './costs.service.js';

@DashboardController('Analytics', 'kbs/:kb_id/costs')
export class CostsController {
  constructor(private readonly costs: CostsService) {}

  /**
   * Get the costs
   * @remarks Messages, tokens and money by key, end user or model, in whole quarters of an hour; the
   * greatest first. With `Accept: text/csv` up to 100,000 rows as CSV.
   */
  @Get()
  @Header('cache-control', 'no-store')
  @Access('kb', 'viewer', 'analytics:read')
  @Operation({ problems: ['worker_unavailable'] })
  @ApiExtraModels(CostsDto)
  @ApiOkResponse({
    description: 'Rows and totals.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(CostsDto) } },
      'text/csv': { schema: { type: 'string' } },
    },
  })
  async getCosts(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: CostsQueryDto,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CostsDto | string> {
    if (!/\btext\/csv\b/i.test(accept ?? '')) return this.costs.get(user, kbId, query);
    const csv = await this.costs.getCsv(user, kbId, query);
    reply.type('text/csv; charset=utf-8');
    return csv;
  }
}
