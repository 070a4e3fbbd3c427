import { Body, Delete, Get, Header, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Page } from '../../platform/http/page.dto.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Idempotent, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Operation } from '../../platform/openapi/operation.js';
import { ApiWebhookModels } from './describe-webhooks.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDeliveryDto } from './webhook-delivery.dto.js';
import { CreateWebhookDto, UpdateWebhookDto } from './webhook-requests.dto.js';
import { IssuedWebhookDto, WebhookDto } from './webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

@DashboardController('Webhooks')
@ApiWebhookModels()
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  /**
   * Create a webhook
   * @remarks Events are sent to its `url` as Standard Webhooks, signed with `secret`, which is in this
   * answer alone. A body is `{"type", "timestamp", "data"}` with ids and states; fetch what else you
   * need. Deliveries come at least once and in no certain order: recognize repeated ones by the header
   * `webhook-id`. Answer with 2xx within ten seconds; otherwise it is tried again after 5 seconds,
   * 1 minute, 5 minutes, 30 minutes, 2 hours, 8 hours and 24 hours. After a 410, or when all of these
   * failed, the webhook is deactivated.
   */
  @Post('kbs/:kb_id/webhooks')
  @Access('kb', 'member', 'settings:write')
  @Header('cache-control', 'no-store')
  @Operation({ problems: ['webhook_limit_reached'] })
  createWebhook(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: CreateWebhookDto,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<IssuedWebhookDto> {
    return this.webhooks.create(user, kbId, dto, request);
  }

  /** List the webhooks of a knowledge base */
  @Get('kbs/:kb_id/webhooks')
  @Access('kb', 'viewer', 'settings:write')
  @Operation({ page: WebhookDto })
  listWebhooks(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<WebhookDto>> {
    return this.webhooks.list(user, kbId, query);
  }

  /** Get a webhook */
  @Get('webhooks/:webhook_id')
  @Access('webhook', 'viewer', 'settings:write')
  getWebhook(
    @CurrentUser() user: DashboardUser,
    @IdParam('wh', 'webhook_id') webhookId: string,
  ): Promise<WebhookDto> {
    return this.webhooks.get(user, webhookId);
  }

  /**
   * Change a webhook
   * @remarks Fields that are left out stay as they are. `state` `active` brings a deactivated webhook
   * back: the events that occur from then on are delivered.
   */
  @Patch('webhooks/:webhook_id')
  @Access('webhook', 'member', 'settings:write')
  updateWebhook(
    @CurrentUser() user: DashboardUser,
    @IdParam('wh', 'webhook_id') webhookId: string,
    @Body() dto: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    return this.webhooks.update(user, webhookId, dto);
  }

  /**
   * Rotate the secret of a webhook
   * @remarks The new secret is in this answer alone. For 24 hours each delivery has two signatures, by
   * the new secret and by the one before it, so that the receiver can change over in between.
   */
  @Post('webhooks/:webhook_id/rotate-secret')
  @Access('webhook', 'member', 'settings:write')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  rotateWebhookSecret(
    @CurrentUser() user: DashboardUser,
    @IdParam('wh', 'webhook_id') webhookId: string,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<IssuedWebhookDto> {
    return this.webhooks.rotateSecret(user, webhookId, request);
  }

  /**
   * Send a test event
   * @remarks An event `webhook.test`, tried once. Its delivery says how the receiver answered.
   */
  @Post('webhooks/:webhook_id/test')
  @Access('webhook', 'member', 'settings:write')
  @HttpCode(202)
  @Operation({ problems: ['webhook_deactivated'] })
  testWebhook(
    @CurrentUser() user: DashboardUser,
    @IdParam('wh', 'webhook_id') webhookId: string,
    @Idempotent() request?: IdempotentRequest,
  ): Promise<WebhookDeliveryDto> {
    return this.deliveries.test(user, webhookId, request);
  }

  /**
   * List the deliveries of a webhook
   * @remarks Those of the last 30 days, and how their last attempts ended.
   */
  @Get('webhooks/:webhook_id/deliveries')
  @Access('webhook', 'viewer', 'settings:write')
  @Operation({ page: WebhookDeliveryDto })
  listWebhookDeliveries(
    @CurrentUser() user: DashboardUser,
    @IdParam('wh', 'webhook_id') webhookId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<WebhookDeliveryDto>> {
    return this.deliveries.list(user, webhookId, query);
  }

  /**
   * Send a delivery again
   * @remarks With the same `webhook-id` and body, whether it was delivered or failed; its attempts begin
   * anew.
   */
  @Post('webhook-deliveries/:delivery_id/redeliver')
  @Access('delivery', 'member', 'settings:write')
  @HttpCode(202)
  @Operation({ problems: ['webhook_deactivated'] })
  redeliverWebhookDelivery(
    @CurrentUser() user: DashboardUser,
    @IdParam('whd', 'delivery_id') deliveryId: string,
  ): Promise<WebhookDeliveryDto> {
    return this.deliveries.redeliver(user, deliveryId);
  }

  /**
   * Delete a webhook
   * @remarks Nothing more is sent to it, and its deliveries are removed.
   */
  @Delete('webhooks/:webhook_id')
  @Access('webhook', 'member', 'settings:write')
  @Operation({ problems: ['legal_hold'] })
  deleteWebhook(
    @CurrentUser() user: DashboardUser,
    @IdParam('wh', 'webhook_id') webhookId: string,
  ): Promise<SuccessDto> {
    return succeeded(this.webhooks.delete(user, webhookId));
  }
}
