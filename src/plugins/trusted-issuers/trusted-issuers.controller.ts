import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Operation } from '../../platform/openapi/operation.js';
import { CreateTrustedIssuerDto, TrustedIssuerDto } from './trusted-issuer.dto.js';
import { TrustedIssuersService } from './trusted-issuers.service.js';

@DashboardController('API keys')
export class TrustedIssuersController {
  constructor(private readonly issuers: TrustedIssuersService) {}

  /**
   * Trust an issuer
   * @remarks Holders of the issuer's tokens exchange them at `POST /client-tokens`, so they need no stored
   * key.
   */
  @Post('kbs/:kb_id/trusted-issuers')
  @Access('kb', 'member', 'keys:write')
  @Operation({ problems: ['quota_reached'] })
  createTrustedIssuer(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateTrustedIssuerDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<TrustedIssuerDto> {
    return this.issuers.create(user, kbId, dto, request);
  }

  /** List the trusted issuers of a knowledge base */
  @Get('kbs/:kb_id/trusted-issuers')
  @Access('kb', 'viewer', 'keys:read')
  @Operation({ page: TrustedIssuerDto })
  listTrustedIssuers(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<TrustedIssuerDto>> {
    return this.issuers.list(user, kbId, query);
  }

  /**
   * Trust an issuer no longer
   * @remarks Its tokens are no longer exchanged, and the client tokens that were issued for them stop at
   * once.
   */
  @Delete('trusted-issuers/:trust_id')
  @Access('trust', 'member', 'keys:write')
  deleteTrustedIssuer(
    @CurrentUser() user: DashboardUser,
    @IdParam('trust') id: string,
  ): Promise<SuccessDto> {
    return succeeded(this.issuers.delete(user, id));
  }
}
