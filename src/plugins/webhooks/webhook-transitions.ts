import { Events } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import type { Change } from '../../knowledge-bases/events/event.js';
import { type Actor } from '../../knowledge-bases/events/event.js';
import { databaseNow } from '../../platform/database/database-now.js';
import type { DeactivationReason, Webhook as WebhookRow, WebhookState } from './webhook.entity.js';
import { Webhook } from './webhook.entity.js';

interface StateTransition {
  readonly from: readonly WebhookState[];
  /** Undefined keeps the state. */
  readonly to?: WebhookState;
  readonly action: Change;
}

const NOT_DELETED = ['active', 'deactivated'] as const;

/** Every change of a webhook's state or columns. A deleted webhook never changes. */
export const WEBHOOK_TRANSITIONS = {
  update: { from: NOT_DELETED, action: 'webhook.updated' },
  rotateSecret: { from: NOT_DELETED, action: 'webhook.secret_rotated' },
  activate: { from: ['deactivated'], to: 'active', action: 'webhook.activated' },
  deactivate: { from: ['active'], to: 'deactivated', action: 'webhook.deactivated' },
  delete: { from: NOT_DELETED, to: 'deleted', action: 'webhook.deleted' },
} as const satisfies Record<string, StateTransition>;

type WebhookTransition = keyof typeof WEBHOOK_TRANSITIONS;

/** Changes webhooks and records the audit events, in the caller's transaction. */
@Injectable()
export class WebhookTransitions {
  constructor(private readonly events: Events) {}

  /** Inserts an active webhook. */
  async add(
    manager: EntityManager,
    actor: Actor,
    webhook: Omit<
      WebhookRow,
      'knowledgeBase' | 'state' | 'deactivationReason' | 'deactivatedAt' | 'failing' | 'sinceEvent'
    >,
  ): Promise<void> {
    await manager.insert(Webhook, {
      ...webhook,
      state: 'active',
      deactivationReason: null,
      deactivatedAt: null,
      failing: false,
      sinceEvent: await this.events.findLastPosition(manager),
    });
    const { id, kbId, url, events } = webhook;
    await this.events.recordChange(manager, actor, {
      kbId,
      action: 'webhook.created',
      targetId: id,
      details: { origin: new URL(url).origin, events },
    });
  }

  /**
   * @param columns further columns to change
   * @returns false when the webhook's state does not allow it; nothing is changed or recorded then
   */
  async apply(
    manager: EntityManager,
    actor: Actor,
    name: Exclude<WebhookTransition, 'deactivate'>,
    webhook: Pick<WebhookRow, 'id' | 'kbId'>,
    { columns = {}, details = {} }: { columns?: Partial<WebhookRow>; details?: object } = {},
  ): Promise<boolean> {
    if (name !== 'activate') return this.change(manager, actor, name, webhook, details, columns);
    return this.change(manager, actor, name, webhook, details, {
      ...columns,
      ...{ deactivationReason: null, deactivatedAt: null, failing: false },
      sinceEvent: await this.events.findLastPosition(manager),
    });
  }

  /** Stops recording events for the webhook; its pending deliveries fail. */
  async deactivate(
    manager: EntityManager,
    actor: Actor,
    webhook: Pick<WebhookRow, 'id' | 'kbId'>,
    reason: DeactivationReason,
    details: object = {},
  ): Promise<boolean> {
    return this.change(
      manager,
      actor,
      'deactivate',
      webhook,
      { reason, ...details },
      { deactivationReason: reason, deactivatedAt: await databaseNow(manager) },
    );
  }

  private async change(
    manager: EntityManager,
    actor: Actor,
    name: WebhookTransition,
    { id, kbId }: Pick<WebhookRow, 'id' | 'kbId'>,
    details: object,
    columns: Partial<WebhookRow>,
  ): Promise<boolean> {
    const { from, to, action }: StateTransition = WEBHOOK_TRANSITIONS[name];
    const { affected } = await manager.update(
      Webhook,
      { id, state: In(from) },
      { ...columns, ...(to && { state: to }), updatedAt: new Date() },
    );
    if (affected !== 1) return false;
    await this.events.recordChange(manager, actor, { kbId, action, targetId: id, details });
    return true;
  }
}
