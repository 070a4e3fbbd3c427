import { Body, Delete, Get, Header, HttpCode, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { OpensTo } from '../../knowledge-bases/opens-to.js';
import { Config } from '../../platform/config/config.js';
import { findAddressForSender } from '../../platform/http/own-address.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { AcceptedInvitations } from './accepted-invitations.js';
import {
  AcceptedInvitationDto,
  CreatedInvitationDto,
  CreateInvitationDto,
  InvitationDto,
  InvitationPreviewDto,
  InvitationTokenDto,
} from './invitation.dto.js';
import { InvitationsService } from './invitations.service.js';

@DashboardController('Members')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly accepted: AcceptedInvitations,
    private readonly config: Config,
  ) {}

  /**
   * Invite people by a link
   * @remarks Only owners can do this. Whoever has the link signs in and becomes a member with its role. It ends
   * when it has expired, was withdrawn or accepted by as many as it is for, and when you own the knowledge base
   * no more.
   */
  @Post('kbs/:kb_id/invitations')
  @Access('kb', 'owner', 'members:write')
  @Header('cache-control', 'no-store')
  @Operation({ problems: ['quota_reached'] })
  createInvitation(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateInvitationDto,
    @Req() request: FastifyRequest,
  ): Promise<CreatedInvitationDto> {
    return this.invitations.create(user, kbId, dto, findAddressForSender(this.config, request));
  }

  /**
   * List invitations
   * @remarks Only owners can do this. The links themselves are not stored.
   */
  @Get('kbs/:kb_id/invitations')
  @Access('kb', 'owner', 'members:write')
  @Operation({ page: InvitationDto })
  listInvitations(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<InvitationDto>> {
    return this.invitations.list(user, kbId, query);
  }

  /**
   * Withdraw an invitation
   * @remarks Its link opens nothing from then on. Who has accepted it stays a member.
   */
  @Delete('invitations/:invitation_id')
  @Access('invitation', 'owner', 'members:write')
  withdrawInvitation(
    @CurrentUser() user: DashboardUser,
    @IdParam('inv', 'invitation_id') id: string,
  ): Promise<SuccessDto> {
    return succeeded(this.invitations.withdraw(user, id));
  }

  /**
   * See what an invitation opens
   * @remarks Accepts nothing yet.
   */
  @Post('invitations/preview')
  @HttpCode(200)
  @OpensTo('persons only')
  @Operation({ problems: ['invitation_ended', 'rate_limited'] })
  previewInvitation(
    @CurrentUser() user: DashboardUser,
    @Body() { token }: InvitationTokenDto,
  ): Promise<InvitationPreviewDto> {
    return this.accepted.preview(user, token);
  }

  /**
   * Accept an invitation
   * @remarks You become a member. If you are one with a higher role, you keep it.
   */
  @Post('invitations/accept')
  @HttpCode(200)
  @OpensTo('persons only')
  @Operation({ problems: ['invitation_ended', 'rate_limited'] })
  acceptInvitation(
    @CurrentUser() user: DashboardUser,
    @Body() { token }: InvitationTokenDto,
  ): Promise<AcceptedInvitationDto> {
    return this.accepted.accept(user, token);
  }
}
