import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { rowLock } from '../../platform/database/dialect.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { LeasedQueue } from '../../platform/jobs/leased-queue.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { roundRobin } from '../../knowledge-bases/round-robin.js';
import { toTenant } from '../../knowledge-bases/tenant-lookup.js';
import type { DeliveryLease, EndedAttempt } from './delivery-attempt.js';
import { recordAttempt } from './record-attempt.js';
import type { SendingCapacity } from './sending-capacity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookTransitions } from './webhook-transitions.js';
import { Webhook } from './webhook.entity.js';

/** Longer than an attempt takes. Afterwards, other processes may lease the deliveries of one that died. */
const LEASE_MS = 30_000;
/** The maximum of deliveries that are sent to one webhook at a time, over all processes. */
const MAX_SENDING = 5;
/** The maximum for a webhook whose last attempt failed. */
const MAX_SENDING_WHILE_FAILING = 1;
/** How long a delivery is postponed if the capacity that limits it is used up. */
const POSTPONE_MS = { failing: 5000, user: 1000, process: 0 };
/** Due deliveries that one transaction reads. */
const BATCH = 200;

/**
 * The table of deliveries is the queue. The index of `due_at` finds deliveries that are due, and those
 * whose lease expired because their process died. If their webhook is at its limit, they become `waiting`
 * and leave that index until an earlier delivery of the webhook has ended. So finding the deliveries of other
 * webhooks never scans a long queue, and each delivery is read only a few times. Users take turns, and so do
 * the webhooks of each user.
 *
 * Every change of a delivery locks its webhook first, in the order of ids. So the transaction that
 * records the end of a delivery sees all deliveries that became `waiting` because of it.
 */
@Injectable()
export class WebhookDeliveryQueue extends LeasedQueue<WebhookDelivery> {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    unitOfWork: UnitOfWork,
    private readonly transitions: WebhookTransitions,
  ) {
    super(unitOfWork, WebhookDelivery, {
      leaseMs: LEASE_MS,
      leased: { state: 'sending' },
    });
  }

  async hasDue(): Promise<boolean> {
    const now = await databaseNow(this.deliveries.manager);
    return this.deliveries.existsBy({ dueAt: LessThanOrEqual(now) });
  }

  /**
   * Records attempts that ended, and leases due deliveries.
   *
   * @returns the leases, and whether more deliveries may be due
   */
  async advance(
    ended: readonly EndedAttempt[],
    capacityNow: () => SendingCapacity,
  ): Promise<{ leases: DeliveryLease[]; more: boolean }> {
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      const due = await manager.find(WebhookDelivery, {
        select: { id: true, webhookId: true },
        where: { dueAt: LessThanOrEqual(now) },
        order: { dueAt: 'ASC' },
        take: BATCH,
      });
      const webhookIds = [
        ...ended.map(({ lease }) => lease.webhook.id),
        ...due.map(({ webhookId }) => webhookId),
      ];
      const webhooks = await lockWebhooks(manager, webhookIds);
      for (const attempt of ended) {
        const webhook = webhooks.get(attempt.lease.webhook.id);
        if (!webhook) continue;
        await recordAttempt(manager, this.transitions, webhook, attempt, now, async (columns) => {
          return (await this.change(manager, [attempt.lease], columns)) === 1;
        });
      }
      // Created inside, because each attempt of the unit of work takes from it.
      const capacity = capacityNow();
      const leases = await this.leaseRound(manager, { webhooks, due, ended, capacity, now });
      return { leases, more: due.length === BATCH || leases.length > 0 };
    });
  }

  private async leaseRound(
    manager: EntityManager,
    { webhooks, due, ended, capacity, now }: Round,
  ): Promise<DeliveryLease[]> {
    // The deliveries are read again, because others may have changed them before the webhooks were locked.
    const stillDue = await manager.find(WebhookDelivery, {
      where: { id: In(due.map(({ id }) => id)), dueAt: LessThanOrEqual(now) },
      order: { dueAt: 'ASC', id: 'ASC' },
    });
    const dueByWebhook = Map.groupBy(stillDue, ({ webhookId }) => webhookId);
    const sendingOf = await countSending(manager, [...webhooks.keys()], now);
    const kbIds = In([...webhooks.values()].map(({ kbId }) => kbId));
    const kbs = await manager.find(KnowledgeBase, {
      select: { id: true, createdBy: true },
      where: { id: kbIds, state: 'active' },
    });
    const userIds = new Map(kbs.map(({ id, createdBy }) => [id, toTenant(id, createdBy).userId]));
    const hasEnded = new Set(ended.map(({ lease }) => lease.webhook.id));
    const toLease: Omit<DeliveryLease, 'number'>[] = [];
    const postponed: Record<keyof typeof POSTPONE_MS, WebhookDelivery[]> = {
      ...{ failing: [], user: [], process: [] },
    };
    const parked: WebhookDelivery[] = [];
    const failed: WebhookDelivery[] = [];
    for (const webhook of roundRobin(webhooks.values(), ({ kbId }) => userIds.get(kbId) ?? '')) {
      const own = dueByWebhook.get(webhook.id) ?? [];
      const userId = userIds.get(webhook.kbId);
      if (webhook.state !== 'active' || userId === undefined) {
        failed.push(...own);
        // The waiting deliveries of a deactivated webhook become due, and fail in the next round.
        postponed.process.push(...(await findWaiting(manager, webhook.id, BATCH)));
        continue;
      }
      const max = webhook.failing ? MAX_SENDING_WHILE_FAILING : MAX_SENDING;
      const room = Math.max(0, max - (sendingOf.get(webhook.id) ?? 0));
      const candidates =
        own.length < room && hasEnded.has(webhook.id)
          ? [...own, ...(await findWaiting(manager, webhook.id, room - own.length))]
          : own;
      const { places, limit } = capacity.findLimit({ webhook, userId });
      const leased = candidates.slice(0, Math.min(room, places));
      capacity.take({ webhook, userId }, leased.length);
      toLease.push(...leased.map((row) => ({ row, webhook, userId })));
      // Another process may have capacity left, or this one may have some soon.
      postponed[limit].push(...candidates.slice(leased.length, room));
      parked.push(...own.slice(room));
    }
    const leases = await this.leaseRows(
      manager,
      toLease.map(({ row }) => row),
      now,
    );
    for (const limit of ['failing', 'user', 'process'] as const) {
      const dueAt = new Date(now.getTime() + POSTPONE_MS[limit]);
      await update(manager, postponed[limit], { state: 'scheduled', dueAt });
    }
    await update(manager, parked, { state: 'waiting', dueAt: null });
    await update(manager, failed, { state: 'failed', dueAt: null, error: 'webhook_deactivated' });
    return leases.flatMap((lease, index) => {
      const chosen = toLease[index];
      return chosen ? [{ ...chosen, ...lease }] : [];
    });
  }
}

/** Locks webhooks for the transaction, in the order of ids, so that parallel ones cannot deadlock. */
export async function lockWebhooks(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, Webhook>> {
  if (ids.length === 0) return new Map();
  const webhooks = await manager.find(Webhook, {
    where: { id: In([...new Set(ids)]) },
    order: { id: 'ASC' },
    ...rowLock(manager.dataSource),
  });
  return new Map(webhooks.map((webhook) => [webhook.id, webhook]));
}

interface Round {
  readonly webhooks: ReadonlyMap<string, Webhook>;
  readonly due: readonly Pick<WebhookDelivery, 'id' | 'webhookId'>[];
  readonly ended: readonly EndedAttempt[];
  readonly capacity: SendingCapacity;
  readonly now: Date;
}

/** Counts the deliveries that are being sent, by webhook. */
async function countSending(
  manager: EntityManager,
  webhookIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await manager
    .createQueryBuilder(WebhookDelivery, 'delivery')
    .select('delivery.webhookId', 'id')
    .addSelect('COUNT(*)', 'count')
    .where({ webhookId: In(webhookIds), state: 'sending', dueAt: MoreThan(now) })
    .groupBy('delivery.webhookId')
    .getRawMany<{ id: string; count: number | string }>();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

const findWaiting = (manager: EntityManager, webhookId: string, limit: number) =>
  manager.find(WebhookDelivery, {
    where: { webhookId, state: 'waiting' },
    order: { id: 'ASC' },
    take: limit,
  });

async function update(
  manager: EntityManager,
  deliveries: readonly WebhookDelivery[],
  columns: QueryDeepPartialEntity<WebhookDelivery>,
): Promise<void> {
  if (deliveries.length === 0) return;
  const id = In(deliveries.map((delivery) => delivery.id));
  await manager.update(WebhookDelivery, { id }, columns);
}
