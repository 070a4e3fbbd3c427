import type { Lease } from '../../knowledge-bases/job-queue.js';
import type { DeliveryError, WebhookDelivery } from './webhook-delivery.entity.js';
import type { Webhook } from './webhook.entity.js';

/** The right of one process to attempt a delivery. */
export interface DeliveryLease extends Lease<WebhookDelivery> {
  readonly webhook: Webhook;
  /** The user who created the knowledge base, whose share of the capacity it uses. */
  readonly userId: string;
}

/** How an attempt ended. */
export interface AttemptResult {
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** Null when the receiver accepted the delivery. */
  readonly error: DeliveryError | null;
}

/** A lease whose attempt ended; `result` is undefined when the service's shutdown aborted it. */
export interface EndedAttempt {
  readonly lease: DeliveryLease;
  readonly result: AttemptResult | undefined;
}
