import { Body, Delete, Get, Patch, Post, Query } from '@nestjs/common';
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
import { CreateChannelDto, UpdateChannelDto } from './channel-requests.dto.js';
import { ChannelDto } from './channel.dto.js';
import { ChannelsService } from './channels.service.js';

@DashboardController('Channels')
export class ChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  /**
   * Create a channel
   * @remarks A bot in Slack, which answers mentions, direct messages and commands. The secrets of the Slack app can be
   * added later, since its addresses have the id of the channel.
   */
  @Post('kbs/:kb_id/channels')
  @Access('kb', 'member', 'keys:write')
  @Operation({ problems: ['quota_reached', 'chat_service_unavailable'] })
  createChannel(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateChannelDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<ChannelDto> {
    return this.channels.create(user, kbId, dto, request);
  }

  /** List the channels of a knowledge base */
  @Get('kbs/:kb_id/channels')
  @Access('kb', 'viewer', 'keys:read')
  @Operation({ page: ChannelDto })
  listChannels(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<ChannelDto>> {
    return this.channels.list(user, kbId, query);
  }

  /** Get a channel */
  @Get('channels/:channel_id')
  @Access('channel', 'viewer', 'keys:read')
  getChannel(
    @CurrentUser() user: DashboardUser,
    @IdParam('chan', 'channel_id') id: string,
  ): Promise<ChannelDto> {
    return this.channels.get(user, id);
  }

  /**
   * Change a channel
   * @remarks Fields that are left out stay as they are. A new `bot_token` makes the channel active again.
   */
  @Patch('channels/:channel_id')
  @Access('channel', 'member', 'keys:write')
  @Operation({ problems: ['chat_service_unavailable'] })
  updateChannel(
    @CurrentUser() user: DashboardUser,
    @IdParam('chan', 'channel_id') id: string,
    @Body() dto: UpdateChannelDto,
  ): Promise<ChannelDto> {
    return this.channels.update(user, id, dto);
  }

  /** Delete a channel */
  @Delete('channels/:channel_id')
  @Access('channel', 'member', 'keys:write')
  deleteChannel(
    @CurrentUser() user: DashboardUser,
    @IdParam('chan', 'channel_id') id: string,
  ): Promise<SuccessDto> {
    return succeeded(this.channels.delete(user, id));
  }
}
