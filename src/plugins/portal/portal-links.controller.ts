import { Body, Header, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Config } from '../../platform/config/config.js';
import { findAddressForSender } from '../../platform/http/own-address.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { CreatePortalLinkDto, PortalLinkDto } from './portal.dto.js';
import { PortalLinksService } from './portal-links.service.js';

@DashboardController('API keys')
export class PortalLinksController {
  constructor(
    private readonly links: PortalLinksService,
    private readonly config: Config,
  ) {}

  /**
   * Create a link to the portal of a key
   * @remarks For the holder of the key, who needs no account: the link opens a page, once, on which they see for
   * 30 minutes what the key may do and how it is used, end it, and with `rotate` rotate it. Opening it is in the
   * audit (`api_key.portal_opened`), and what is done there has the actor `portal`. The page ends with the key.
   */
  @Post('api-keys/:key_id/portal-links')
  @Access('key', 'member', 'keys:write')
  @Header('cache-control', 'no-store')
  @Operation({ statuses: { api_key_revoked: 409, api_key_expired: 409 } })
  createPortalLink(
    @CurrentUser() user: DashboardUser,
    @IdParam('key') keyId: string,
    @Body() dto: CreatePortalLinkDto,
    @Req() request: FastifyRequest,
  ): Promise<PortalLinkDto> {
    return this.links.create(user, keyId, dto, findAddressForSender(this.config, request));
  }
}
