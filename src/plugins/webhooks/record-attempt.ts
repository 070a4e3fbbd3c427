import type { EntityManager } from 'typeorm';
import type { EndedAttempt } from './delivery-attempt.js';
import { retryPauseMs } from './retry-schedule.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';
import { TEST_EVENT } from './webhook-events.js';
import type { WebhookTransitions } from './webhook-transitions.js';
import { Webhook } from './webhook.entity.js';

/** The receiver asks for no further deliveries. */
const GONE = 410;

/**
 * Stores how an attempt ended, unless its lease is lost. After the last failure, and after a 410, the
 * webhook is deactivated.
 *
 * @param webhook locked by the caller; the object is updated together with its row
 * @param change changes the delivery if its lease is held, and returns whether it is
 */
export async function recordAttempt(
  manager: EntityManager,
  transitions: WebhookTransitions,
  webhook: Webhook,
  { lease: { row: delivery }, result }: EndedAttempt,
  now: Date,
  change: (columns: Partial<WebhookDelivery>) => Promise<boolean>,
): Promise<void> {
  if (!result) {
    await change({ state: 'scheduled', dueAt: now });
    return;
  }
  const attempts = delivery.attempts + 1;
  const isGone = result.status === GONE;
  const isTest = delivery.event === TEST_EVENT;
  const pauseMs = isGone || isTest ? undefined : retryPauseMs(attempts);
  const failure =
    pauseMs === undefined
      ? { state: 'failed' as const, dueAt: null }
      : { state: 'scheduled' as const, dueAt: new Date(now.getTime() + pauseMs) };
  const isHeld = await change({
    attempts,
    lastAttemptAt: now,
    responseStatus: result.status,
    error: result.error,
    ...(result.error === null ? { state: 'delivered' as const, dueAt: null } : failure),
  });
  if (!isHeld) return;
  const failing = result.error !== null;
  if (webhook.failing !== failing) {
    await manager.update(Webhook, { id: webhook.id }, { failing });
    webhook.failing = failing;
  }
  if (!failing || pauseMs !== undefined || (isTest && !isGone)) return;
  const actor = { id: 'webhook-delivery', requestId: delivery.id };
  const reason = isGone ? 'gone' : 'failed';
  const details = { delivery_id: delivery.id, error: result.error, status: result.status };
  if (await transitions.deactivate(manager, actor, webhook, reason, details)) {
    webhook.state = 'deactivated';
  }
}
