import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { keyShareLock } from '../../platform/database/dialect.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { newId } from '../../platform/http/type-id.js';
import type { EventData } from '../../knowledge-bases/events/event.js';
import { type EventReader, ReadsEvents } from '../../knowledge-bases/events/event-reader.js';
import type { RecordedEvent } from '../../knowledge-bases/events/recorded-event.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookDeliveryQueue } from './webhook-delivery-queue.js';
import {
  isWebhookEvent,
  TEST_EVENT,
  toBody,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from './webhook-events.js';
import { Webhook } from './webhook.entity.js';

/** Creates the deliveries of events for the webhooks that were active when they happened, and still are. */
@Injectable()
@ReadsEvents({ name: 'webhooks', of: WEBHOOK_EVENTS })
export class WebhookOutbox implements EventReader {
  constructor(private readonly queue: WebhookDeliveryQueue) {}

  async read(manager: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    const webhooks = await findActive(
      manager,
      events.map(({ kbId }) => kbId),
    );
    const deliveries = events.flatMap(({ seq, kbId, action, createdAt, data }) =>
      webhooks.flatMap((webhook): NewDelivery[] => {
        if (webhook.kbId !== kbId || webhook.sinceEvent >= seq) return [];
        if (!data || !isWebhookEvent(action) || !webhook.events.includes(action)) return [];
        return [
          { webhookId: webhook.id, event: action, createdAt, data: { kb_id: kbId, ...data } },
        ];
      }),
    );
    if (deliveries.length > 0) await insertDeliveries(manager, this.queue, deliveries);
  }
}

/** Locks the webhooks until the transaction ends, so that they can be referred to. */
const findActive = (manager: EntityManager, kbIds: readonly string[]): Promise<Webhook[]> =>
  manager.find(Webhook, {
    select: { id: true, kbId: true, events: true, sinceEvent: true },
    where: { kbId: In([...new Set(kbIds)]), state: 'active' },
    order: { id: 'ASC' },
    ...keyShareLock(manager.dataSource),
  });

interface NewDelivery {
  readonly webhookId: string;
  readonly event: WebhookEvent | typeof TEST_EVENT;
  /** When the event happened. */
  readonly createdAt: Date;
  readonly data: EventData;
}

/** @returns the deliveries' ids */
export async function insertDeliveries(
  manager: EntityManager,
  queue: WebhookDeliveryQueue,
  deliveries: readonly NewDelivery[],
): Promise<string[]> {
  const rows = deliveries.map(({ webhookId, event, createdAt, data }) => ({
    id: newId('whd'),
    webhookId,
    event,
    body: toBody(event, createdAt, data),
    state: 'queued' as const,
    attempts: 0,
    lastAttemptAt: null,
    responseStatus: null,
    error: null,
    createdAt,
  }));
  await insertRows(manager, WebhookDelivery, rows);
  const ids = rows.map(({ id }) => id);
  await queue.add(manager, ...ids);
  return ids;
}
