import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';
import type { DeactivationReason, Webhook } from './webhook.entity.js';

export class WebhookDto {
  @ApiId('wh') id: string;
  @ApiId('kb') kb_id: string;
  /** @example 'https://shop.example.com/hooks/latchkey' */
  url: string;
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true, example: ['document.failed'] })
  events: WebhookEvent[];
  /** @example 'Notifies the shop’s on-call channel' */
  description: string | null;
  /** Nothing is sent to a deactivated webhook. */
  state: 'active' | 'deactivated';
  /** `gone`: its receiver answered 410. `failed`: every attempt of a delivery failed. */
  deactivation_reason: DeactivationReason | null;
  @ApiInstant(null) deactivated_at: string | null;
  /** Until when the secret before the last rotation signs, too. */
  @ApiInstant(null) previous_secret_until: string | null;
  @ApiInstant() created_at: string;
  /** @example 'alice' */
  created_by: string;
  @ApiInstant() updated_at: string;
}

export class IssuedWebhookDto extends WebhookDto {
  /**
   * Verifies deliveries, as Standard Webhooks describes. Store it now: it is shown this once and cannot
   * be shown again.
   */
  @ApiProperty({
    pattern: '^whsec_[0-9A-Za-z+/]{43}=$',
    maxLength: 50,
    // Concatenated, so that secret scanners do not report this file.
    example: `whsec_${'x'.repeat(43)}=`,
  })
  secret: string;
}

export const toWebhookDto = (webhook: Webhook): WebhookDto => ({
  id: webhook.id,
  kb_id: webhook.kbId,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  state: webhook.state === 'active' ? 'active' : 'deactivated',
  deactivation_reason: webhook.deactivationReason,
  deactivated_at: webhook.deactivatedAt?.toISOString() ?? null,
  previous_secret_until: webhook.previousSecretUntil?.toISOString() ?? null,
  created_at: webhook.createdAt.toISOString(),
  created_by: webhook.createdBy,
  updated_at: webhook.updatedAt.toISOString(),
});
