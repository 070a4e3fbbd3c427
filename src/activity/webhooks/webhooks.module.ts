import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { WebhookCleanup } from './webhook-cleanup.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookDeliveryJob } from './webhook-delivery-job.js';
import { WebhookDeliveryQueue } from './webhook-delivery-queue.js';
import { WebhookNotices } from './webhook-notices.js';
import { WebhookOutbox } from './webhook-outbox.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookTransitions } from './webhook-transitions.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Global, because every feature records events of its changes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Webhook, WebhookDelivery]), KnowledgeBasesModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhookDeliveriesService,
    WebhookOutbox,
    WebhookNotices,
    WebhookSecrets,
    WebhookTransitions,
    WebhookDeliveryQueue,
    WebhookDeliveryJob,
    WebhookSender,
    WebhookCleanup,
  ],
  exports: [WebhookOutbox, WebhookNotices],
})
export class WebhooksModule {}
