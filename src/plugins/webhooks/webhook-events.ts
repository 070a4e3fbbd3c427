import type { Event, EventData } from '../../knowledge-bases/events/event.js';

/** The events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [
  'document.ready',
  'document.failed',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'api_key.deleted',
  'api_key.expiring',
  'api_key.reported_as_leaked',
  'api_key.used_after_revocation',
  'api_key.used_after_rotation',
  'message.unanswered',
  'message.rated',
  'source.failed',
  'source.recovered',
  'api_key.budget_reached',
] as const satisfies readonly Event['action'][];

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const events: ReadonlySet<string> = new Set(WEBHOOK_EVENTS);

export const isWebhookEvent = (action: string): action is WebhookEvent => events.has(action);

/**
 * `POST /webhooks/{webhook_id}/test` sends this event to that webhook, whatever it subscribes to.
 */
export const TEST_EVENT = 'webhook.test';

/** The body of a delivery, as it is stored, signed and sent. */
export const toBody = (type: WebhookEvent | typeof TEST_EVENT, at: Date, data: EventData) =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });
