import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { WebhookCleanup } from './webhook-cleanup.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookDeliveryJob } from './webhook-delivery-job.js';
import { WebhookDeliveryQueue } from './webhook-delivery-queue.js';
import { WebhookOutbox } from './webhook-outbox.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookTransitions } from './webhook-transitions.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook, WebhookDelivery]), KnowledgeBasesModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhookDeliveriesService,
    WebhookOutbox,
    WebhookSecrets,
    WebhookTransitions,
    WebhookDeliveryQueue,
    WebhookDeliveryJob,
    WebhookSender,
    WebhookCleanup,
  ],
})
export class WebhooksModule {}
