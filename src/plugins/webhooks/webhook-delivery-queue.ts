import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  DataSource,
  type EntityManager,
  In,
  LessThanOrEqual,
  type SelectQueryBuilder,
} from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { rowLock } from '../../platform/database/dialect.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { JobQueue } from '../../knowledge-bases/job-queue.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { QueuedJob } from '../../knowledge-bases/queued-job.entity.js';
import { roundRobin } from '../../knowledge-bases/round-robin.js';
import { toFairShare } from '../../knowledge-bases/fair-share-lookup.js';
import type { DeliveryLease, EndedAttempt } from './delivery-attempt.js';
import { recordAttempt } from './record-attempt.js';
import { SendingCapacity } from './sending-capacity.js';
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

const QUEUE = 'webhook_deliveries';

/**
 * The queue of deliveries, each with its webhook as the kind. If their webhook is at its limit, due ones
 * become `waiting` and leave the queue until an earlier delivery of the webhook has ended. So finding the
 * deliveries of other webhooks never scans a long queue, and each delivery is read only a few times. Users
 * take turns, and so do the webhooks of each user.
 *
 * Every change of a delivery locks its webhook first, in the order of ids. So the transaction that
 * records the end of a delivery sees all deliveries that became `waiting` because of it.
 */
@Injectable()
export class WebhookDeliveryQueue extends JobQueue<WebhookDelivery, readonly [DeliveryLease]> {
  private ended: EndedAttempt[] = [];

  constructor(
    @InjectDataSource() dataSource: DataSource,
    unitOfWork: UnitOfWork,
    private readonly transitions: WebhookTransitions,
  ) {
    super(dataSource, unitOfWork, WebhookDelivery, {
      ...{ name: QUEUE, leaseMs: LEASE_MS },
      kbId: '(SELECT w.kb_id FROM webhooks w WHERE w.id = s.webhook_id)',
      kind: 's.webhook_id',
    });
  }

  /** Stores how an attempt ended when the next deliveries are leased. */
  record(attempt: EndedAttempt): void {
    this.ended.push(attempt);
  }

  /** Records ended attempts, and leases due deliveries if there is room. */
  override async lease(room: number): Promise<readonly (readonly [DeliveryLease])[]> {
    for (;;) {
      const ended = this.ended.splice(0);
      if (ended.length === 0 && (room <= 0 || !(await this.hasDue()))) return [];
      try {
        const { leases, more } = await this.advance(ended, room);
        if (leases.length > 0 || !more) return leases.map((lease) => [lease] as const);
      } catch (error) {
        // A later round records them; until then, their leases keep other processes from sending them.
        this.ended = [...ended, ...this.ended];
        throw error;
      }
    }
  }

  private async hasDue(): Promise<boolean> {
    const { manager } = this.dataSource;
    const now = await databaseNow(manager);
    await this.reclaim(now);
    return manager.existsBy(QueuedJob, dueAt(now));
  }

  /** @returns the leases, and whether more deliveries may be due */
  private advance(
    ended: readonly EndedAttempt[],
    room: number,
  ): Promise<{ leases: DeliveryLease[]; more: boolean }> {
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      const order = { dueAt: 'ASC' } as const;
      const due = await manager.find(QueuedJob, { where: dueAt(now), order, take: BATCH });
      const hasEnded = new Set(ended.map(({ lease }) => lease.webhook.id));
      const webhooks = await lockWebhooks(manager, [...hasEnded, ...due.map(({ kind }) => kind)]);
      await this.recordEnded(manager, webhooks, ended, now);
      // Others may have changed the jobs before the webhooks were locked.
      const jobs = await this.lock(
        manager,
        due.map(({ subjectId }) => subjectId),
      );
      const stillDue = jobs
        .filter((job) => job.state === 'waiting' && job.dueAt <= now)
        .sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
      const dueByWebhook = Map.groupBy(stillDue, ({ kind }) => kind);
      // Created inside, because each attempt of the unit of work takes from it.
      const capacity = room > 0 ? new SendingCapacity(this.kept) : SendingCapacity.none;
      const round = { webhooks, dueByWebhook, hasEnded, capacity, now };
      const leases = await this.leaseRound(manager, round);
      return { leases, more: due.length === BATCH };
    });
  }

  private async recordEnded(
    manager: EntityManager,
    webhooks: ReadonlyMap<string, Webhook>,
    ended: readonly EndedAttempt[],
    now: Date,
  ): Promise<void> {
    if (ended.length === 0) return;
    const leases = ended.map(({ lease }) => lease);
    const held = await this.lockHeld(manager, leases);
    const done: string[] = [];
    for (const attempt of ended) {
      const { row, webhook: leased } = attempt.lease;
      const webhook = webhooks.get(leased.id);
      if (!webhook || !held.has(row.id)) continue;
      const pauseMs = await recordAttempt(manager, this.transitions, webhook, attempt, now);
      if (pauseMs === undefined) {
        done.push(row.id);
      } else {
        const next = new Date(now.getTime() + pauseMs);
        await this.change(manager, [row.id], { state: 'waiting', lease: null, dueAt: next });
      }
    }
    await this.removeAll(manager, done);
  }

  private async leaseRound(
    manager: EntityManager,
    { webhooks, dueByWebhook, hasEnded, capacity, now }: Round,
  ): Promise<DeliveryLease[]> {
    const sendingOf = await countSending(manager, [...webhooks.keys()]);
    const kbIds = In([...webhooks.values()].map(({ kbId }) => kbId));
    const kbs = await manager.find(KnowledgeBase, {
      select: { id: true, createdBy: true },
      where: { id: kbIds, state: 'active' },
    });
    const userIds = new Map(
      kbs.map(({ id, createdBy }) => [id, toFairShare(id, createdBy).userId]),
    );
    const toLease = new Map<string, Pick<DeliveryLease, 'webhook' | 'userId'>>();
    const postponed: Record<keyof typeof POSTPONE_MS, string[]> = {
      ...{ failing: [], user: [], process: [] },
    };
    const parked: string[] = [];
    const failed: string[] = [];
    for (const webhook of roundRobin(webhooks.values(), ({ kbId }) => userIds.get(kbId) ?? '')) {
      const own = (dueByWebhook.get(webhook.id) ?? []).map(({ subjectId }) => subjectId);
      const userId = userIds.get(webhook.kbId);
      if (webhook.state !== 'active' || userId === undefined) {
        failed.push(...own);
        // The waiting deliveries of a deactivated webhook become due, and fail in the next round.
        await this.queueWaiting(manager, webhook.id, BATCH);
        continue;
      }
      const max = webhook.failing ? MAX_SENDING_WHILE_FAILING : MAX_SENDING;
      const room = Math.max(0, max - (sendingOf.get(webhook.id) ?? 0));
      const candidates =
        own.length < room && hasEnded.has(webhook.id)
          ? [...own, ...(await this.queueWaiting(manager, webhook.id, room - own.length))]
          : own;
      const { places, limit } = capacity.findLimit({ webhook, userId });
      const leased = candidates.slice(0, Math.min(room, places));
      capacity.take({ webhook, userId }, leased.length);
      for (const id of leased) toLease.set(id, { webhook, userId });
      // Another process may have capacity left, or this one may have some soon.
      postponed[limit].push(...candidates.slice(leased.length, room));
      parked.push(...own.slice(room));
    }
    const leases = await this.leaseLocked(manager, await this.lock(manager, toLease.keys()), now);
    for (const limit of ['failing', 'user', 'process'] as const) {
      const due = new Date(now.getTime() + POSTPONE_MS[limit]);
      await this.change(manager, postponed[limit], { dueAt: due });
    }
    await setState(manager, parked, { state: 'waiting' });
    await setState(manager, failed, { state: 'failed', error: 'webhook_deactivated' });
    const orphans = [...dueByWebhook]
      .filter(([id]) => !webhooks.has(id))
      .flatMap(([, jobs]) => jobs);
    const ended = [...parked, ...failed, ...orphans.map(({ subjectId }) => subjectId)];
    await this.removeAll(manager, ended);
    return leases.flatMap((lease) => {
      const chosen = toLease.get(lease.row.id);
      return chosen ? [{ ...lease, ...chosen }] : [];
    });
  }

  /** Queues the next deliveries of a webhook that wait. @returns their ids */
  private async queueWaiting(
    manager: EntityManager,
    webhookId: string,
    limit: number,
  ): Promise<string[]> {
    const waiting = await manager.find(WebhookDelivery, {
      select: { id: true },
      where: { webhookId, state: 'waiting' },
      order: { id: 'ASC' },
      take: limit,
    });
    const ids = waiting.map(({ id }) => id);
    await setState(manager, ids, { state: 'queued' });
    if (ids.length > 0) await this.add(manager, ...ids);
    return ids;
  }
}

const dueAt = (now: Date) =>
  ({ queue: QUEUE, state: 'waiting', dueAt: LessThanOrEqual(now) }) as const;

/** Loads the jobs of deliveries, which say when they are sent. */
export const withJob = (
  rows: SelectQueryBuilder<WebhookDelivery>,
): SelectQueryBuilder<WebhookDelivery> =>
  rows.leftJoinAndMapOne(
    `${rows.alias}.job`,
    QueuedJob,
    'job',
    `job.queue = '${QUEUE}' AND job.subject_id = ${rows.alias}.id`,
  );

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
  readonly dueByWebhook: ReadonlyMap<string, readonly QueuedJob[]>;
  /** The webhooks with a delivery that has just ended. */
  readonly hasEnded: ReadonlySet<string>;
  readonly capacity: SendingCapacity;
  readonly now: Date;
}

/** Counts the deliveries that are being sent, by webhook. */
async function countSending(
  manager: EntityManager,
  webhookIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await manager
    .createQueryBuilder(QueuedJob, 'job')
    .select('job.kind', 'id')
    .addSelect('COUNT(*)', 'count')
    .where({ queue: QUEUE, state: 'leased', kind: In(webhookIds) })
    .groupBy('job.kind')
    .getRawMany<{ id: string; count: number | string }>();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

async function setState(
  manager: EntityManager,
  ids: readonly string[],
  columns: Partial<Pick<WebhookDelivery, 'state' | 'error'>>,
): Promise<void> {
  if (ids.length > 0) await manager.update(WebhookDelivery, { id: In(ids) }, columns);
}
