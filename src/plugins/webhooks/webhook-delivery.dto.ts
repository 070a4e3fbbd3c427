import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';
import type { DeliveryError, DeliveryState, WebhookDelivery } from './webhook-delivery.entity.js';
import { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';

type VisibleState = 'pending' | 'delivered' | 'failed';

export class WebhookDeliveryDto {
  /** The `webhook-id` of every attempt, by which a receiver recognizes what it got before. */
  @ApiId('whd') id: string;
  @ApiId('wh') webhook_id: string;
  @ApiProperty({ enum: [...WEBHOOK_EVENTS, TEST_EVENT], example: 'document.failed' })
  event: WebhookEvent | typeof TEST_EVENT;
  /** `delivered`: the receiver answered with a status of 2xx within ten seconds. */
  state: VisibleState;
  /** How many attempts have ended since it was created or asked to be sent again. */
  @ApiInteger({ minimum: 0 }) attempts: number;
  /** Null when none is planned, or while it waits for earlier deliveries of the webhook. */
  @ApiInstant(null) next_attempt_at: string | null;
  @ApiInstant() last_attempt_at: string | null;
  /**
   * The HTTP status of the last attempt; null without an answer.
   * @example 200
   */
  @ApiInteger() response_status: number | null;
  /** Why the last attempt failed. */
  error: DeliveryError | null;
  @ApiInstant() created_at: string;
}

const VISIBLE_STATES: Record<DeliveryState, VisibleState> = {
  queued: 'pending',
  waiting: 'pending',
  delivered: 'delivered',
  failed: 'failed',
};

export const toWebhookDeliveryDto = (delivery: WebhookDelivery): WebhookDeliveryDto => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event: delivery.event,
  state: VISIBLE_STATES[delivery.state],
  attempts: delivery.attempts,
  next_attempt_at: delivery.job?.state === 'waiting' ? delivery.job.dueAt.toISOString() : null,
  last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
  response_status: delivery.responseStatus,
  error: delivery.error,
  created_at: delivery.createdAt.toISOString(),
});
