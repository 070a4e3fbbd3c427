import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { sqlKeyShareLock, sqlParameter } from '../../platform/database/dialect.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { newId } from '../../platform/http/type-id.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { type EventFields, type TEST_EVENT, toBody, type WebhookEvent } from './webhook-events.js';

/**
 * SQL: whether a knowledge base has a webhook that subscribes to an event.
 *
 * @param kbId SQL for its id
 */
export const isSubscribed = (kbId: string, event: WebhookEvent) =>
  `EXISTS (SELECT 1 FROM webhooks WHERE webhooks.kb_id = ${kbId} AND webhooks.state = 'active'
    AND ',' || webhooks.events || ',' LIKE '%,${event},%')`;

/**
 * Writes events for the webhooks of a knowledge base, in the transaction of the change that they report,
 * so neither is committed without the other. Without webhooks, this costs one indexed read.
 */
@Injectable()
export class WebhookOutbox {
  /**
   * @param fields of each event; a function is called only if a webhook subscribes to the event
   */
  async record(
    manager: EntityManager,
    kbId: string,
    event: WebhookEvent,
    fields: EventFields | (() => Promise<readonly EventFields[]>),
  ): Promise<void> {
    const webhookIds = await this.subscribers(manager, kbId, event);
    if (webhookIds.length === 0) return;
    const events = typeof fields === 'function' ? await fields() : [fields];
    await insertDeliveries(
      manager,
      event,
      events.flatMap((one) => webhookIds.map((id) => [id, { kb_id: kbId, ...one }] as const)),
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
  deliveries: readonly (readonly [webhookId: string, fields: EventFields])[],
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
