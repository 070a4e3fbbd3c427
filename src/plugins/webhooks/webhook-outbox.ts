import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { sqlKeyShareLock, sqlParameter } from '../../platform/database/dialect.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { newId } from '../../platform/http/type-id.js';
import type { Event, EventData } from '../../knowledge-bases/events/event.js';
import { type EventReader, ReadsEvents } from '../../knowledge-bases/events/events.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { isWebhookEvent, type TEST_EVENT, toBody, type WebhookEvent } from './webhook-events.js';

/**
 * Writes events for the webhooks of a knowledge base, in the transaction of the change that they report,
 * so neither is committed without the other. Without webhooks, this costs one indexed read.
 */
@Injectable()
@ReadsEvents()
export class WebhookOutbox implements EventReader {
  async readEvent(manager: EntityManager, { kbId, action, data }: Event): Promise<void> {
    if (!data || !isWebhookEvent(action)) return;
    const webhookIds = await this.subscribers(manager, kbId, action);
    if (webhookIds.length === 0) return;
    await insertDeliveries(
      manager,
      action,
      (await data()).flatMap((fields) =>
        webhookIds.map((id) => [id, { kb_id: kbId, ...fields }] as const),
      ),
    );
  }

  /** Locks the webhooks until the transaction ends, so that they can be referred to. */
  private async subscribers(
    manager: EntityManager,
    kbId: string,
    event: WebhookEvent,
  ): Promise<string[]> {
    const { dataSource } = manager;
    const rows = await manager.query<{ id: string; events: string }[]>(
      `SELECT id, events FROM webhooks
       WHERE kb_id = ${sqlParameter(dataSource, 0)} AND state = 'active'
       ${sqlKeyShareLock(dataSource)}`,
      [kbId],
    );
    return rows.flatMap(({ id, events }) => (events.split(',').includes(event) ? [id] : []));
  }
}

/**
 * @param deliveries the id of a webhook and the event's fields
 * @returns the deliveries' ids
 */
export async function insertDeliveries(
  manager: EntityManager,
  event: WebhookEvent | typeof TEST_EVENT,
  deliveries: readonly (readonly [webhookId: string, fields: EventData])[],
): Promise<string[]> {
  const createdAt = await databaseNow(manager);
  const rows = deliveries.map(([webhookId, fields]) => ({
    id: newId('whd'),
    webhookId,
    event,
    body: toBody(event, createdAt, fields),
    state: 'scheduled' as const,
    dueAt: createdAt,
    attempts: 0,
    lease: 0,
    lastAttemptAt: null,
    responseStatus: null,
    error: null,
    createdAt,
  }));
  await insertRows(manager, WebhookDelivery, rows);
  return rows.map(({ id }) => id);
}
