import type { Plugin } from '../../platform/plugins/plugin.js';
import { describeWebhooks } from './describe-webhooks.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksModule } from './webhooks.module.js';

/** Sends signed events to the addresses that a knowledge base subscribes. */
export const plugin: Plugin = {
  module: WebhooksModule,
  entities: [Webhook, WebhookDelivery],
  describeWebhooks,
};
