import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseForeignPage } from '../../knowledge-bases/dashboard-auth/foreign-page.js';
import { Config } from '../../platform/config/config.js';
import { clientIp } from '../../platform/config/ip-address.js';
import { RefuseUnreadBodies } from '../../platform/http/refuse-unread-bodies.js';
import { succeeded, type SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { OpenPortalDto, PortalUsageDto } from './portal.dto.js';
import { PortalLinksService } from './portal-links.service.js';
import {
  CurrentPortal,
  type OpenedPortal,
  PortalRotationGuard,
  PortalSessionGuard,
  toCookie,
} from './portal-session.guard.js';
import { PortalService, type PortalRotation, type PortalView } from './portal.service.js';

/** What the page of the portal calls. */
@ApiExcludeController()
@Controller('portal')
@RefuseUnreadBodies()
export class PortalController {
  constructor(
    private readonly links: PortalLinksService,
    private readonly portal: PortalService,
    private readonly config: Config,
  ) {}

  /** Names the recipient of a link without opening it: programs that look at links in mails open nothing. */
  @Post('link')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async showLink(@Body() { token }: OpenPortalDto) {
    const { recipient, expiresAt, apiKey } = await this.links.find(token);
    return { recipient, key_name: apiKey.name, expires_at: expiresAt.toISOString() };
  }

  @Post('session')
  @Header('cache-control', 'no-store')
  async open(
    @Body() { token }: OpenPortalDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SuccessDto> {
    refuseForeignPage(request, []);
    const caller = { ip: clientIp(request), requestId: request.id };
    const session = await this.links.open(token, caller);
    void reply.header('set-cookie', toCookie(session, this.config, request));
    return { success: true };
  }

  @Get('session')
  @UseGuards(PortalSessionGuard)
  @Header('cache-control', 'no-store')
  show(@CurrentPortal() portal: OpenedPortal): Promise<PortalView> {
    return this.portal.get(portal);
  }

  @Get('usage')
  @UseGuards(PortalSessionGuard)
  @Header('cache-control', 'no-store')
  showUsage(
    @CurrentPortal() portal: OpenedPortal,
    @Query() { utc_offset_minutes: offset }: PortalUsageDto,
  ) {
    return this.portal.countByDay(portal, offset);
  }

  @Post('rotate')
  @UseGuards(PortalRotationGuard)
  @Header('cache-control', 'no-store')
  rotate(
    @CurrentPortal() portal: OpenedPortal,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<PortalRotation> {
    return this.portal.rotate(portal, request);
  }

  @Post('revoke')
  @HttpCode(200)
  @UseGuards(PortalSessionGuard)
  revoke(@CurrentPortal() portal: OpenedPortal): Promise<SuccessDto> {
    return succeeded(this.portal.revoke(portal));
  }

  @Post('connections/:connection_id/disconnect')
  @HttpCode(200)
  @UseGuards(PortalSessionGuard)
  disconnect(
    @CurrentPortal() portal: OpenedPortal,
    @IdParam('conn', 'connection_id') id: string,
  ): Promise<SuccessDto> {
    return succeeded(this.portal.disconnect(portal, id));
  }
}
