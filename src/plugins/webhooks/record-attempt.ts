import type { EntityManager } from 'typeorm';
import type { EndedAttempt } from './delivery-attempt.js';
import { retryPauseMs } from './retry-schedule.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { TEST_EVENT } from './webhook-events.js';
import type { WebhookTransitions } from './webhook-transitions.js';
import { Webhook } from './webhook.entity.js';

/** The receiver asks for no further deliveries. */
const GONE = 410;

/**
 * Stores how an attempt ended. After the last failure, and after a 410, the webhook is deactivated.
 *
 * @param webhook locked by the caller; the object is updated together with its row
 * @returns the time until the next attempt; undefined if it was the last one
 */
export async function recordAttempt(
  manager: EntityManager,
  transitions: WebhookTransitions,
  webhook: Webhook,
  { lease: { row: delivery }, result }: EndedAttempt,
  now: Date,
): Promise<number | undefined> {
  if (!result) return 0;
  const attempts = delivery.attempts + 1;
  const isGone = result.status === GONE;
  const isTest = delivery.event === TEST_EVENT;
  const failing = result.error !== null;
  const pauseMs = failing && !isGone && !isTest ? retryPauseMs(attempts) : undefined;
  const stateAfterFailure = pauseMs === undefined ? 'failed' : 'queued';
  const state = failing ? stateAfterFailure : 'delivered';
  const { status: responseStatus, error } = result;
  const columns = { state, attempts, lastAttemptAt: now, responseStatus, error } as const;
  await manager.update(WebhookDelivery, { id: delivery.id }, columns);
  if (webhook.failing !== failing) {
    await manager.update(Webhook, { id: webhook.id }, { failing });
    webhook.failing = failing;
  }
  if (!failing || pauseMs !== undefined || (isTest && !isGone)) return pauseMs;
  const actor = { id: 'webhook-delivery', requestId: delivery.id };
  const reason = isGone ? 'gone' : 'failed';
  const details = { delivery_id: delivery.id, error: result.error, status: result.status };
  if (await transitions.deactivate(manager, actor, webhook, reason, details)) {
    webhook.state = 'deactivated';
  }
  return undefined;
}
