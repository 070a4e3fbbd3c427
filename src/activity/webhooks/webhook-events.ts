/** What a webhook can subscribe to. */
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
  'message.unanswered',
  'message.rated',
  'source.failed',
  'source.recovered',
  'api_key.budget_reached',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * Sent by `POST /webhooks/{webhook_id}/test` to that webhook, also if it subscribes to nothing of
 * the kind.
 */
export const TEST_EVENT = 'webhook.test';

/** Ids and states of what an event is about; never a secret or the text of a document. */
export type EventFields = Readonly<Record<string, string | number | boolean | null>>;

/** The body of a delivery, as it is stored, signed and sent. */
export const toBody = (type: WebhookEvent | typeof TEST_EVENT, at: Date, data: EventFields) =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });
