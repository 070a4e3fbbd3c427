import { Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AddRouteConfig } from '../../platform/http/nest-metadata.js';
import { AcceptsForm, READS_BODY_LAST } from '../../platform/http/request-body.js';
import { ChannelIntake } from './channel-intake.js';
import {
  type ChannelRequest,
  ChannelSignatureGuard,
  requireChannel,
} from './channel-signature.guard.js';

/** What Slack calls, in its own form. A request needs no credential but its signature. */
@ApiExcludeController()
@Controller('channels/:channel_id')
@UseGuards(ChannelSignatureGuard)
export class ChannelEventsController {
  constructor(private readonly intake: ChannelIntake) {}

  /** The request URL of the Slack app’s event subscriptions. */
  @Post('events')
  @HttpCode(200)
  @AddRouteConfig(READS_BODY_LAST)
  takeChannelEvent(@Req() request: ChannelRequest): Promise<object> {
    return this.intake.takeEvent(requireChannel(request), request.body);
  }

  /** The request URL of the Slack app’s slash command. The answer follows at its `response_url`. */
  @Post('commands')
  @HttpCode(200)
  @AddRouteConfig(READS_BODY_LAST)
  @AcceptsForm()
  takeChannelCommand(@Req() request: ChannelRequest): Promise<object> {
    return this.intake.takeCommand(requireChannel(request), request.body);
  }
}
