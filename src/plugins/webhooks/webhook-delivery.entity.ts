import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';
import { firstIdAt } from '../../platform/http/type-id.js';
import { HOUR_MS, Retained } from '../../platform/jobs/retention.js';
import { UNDER_LEGAL_HOLD } from '../../knowledge-bases/settings/legal-hold.js';
import type { QueuedJob } from '../../knowledge-bases/queued-job.entity.js';
import { PurgedInBatches } from '../../knowledge-bases/declared-purges.js';
import type { TEST_EVENT, WebhookEvent } from './webhook-events.js';
import { Webhook } from './webhook.entity.js';

/**
 * `queued` has a row in the queue, a QueuedJob; `waiting` has none, unlike a QueuedJob that is `waiting`: it is
 * queued when an earlier delivery of the webhook is done. The others are final. The API shows both as `pending`.
 */
export type DeliveryState = 'queued' | 'waiting' | 'delivered' | 'failed';

/** The reason why an attempt failed. */
export type DeliveryError =
  | 'unexpected_status'
  | 'timeout'
  | 'connection_failed'
  | 'address_not_allowed'
  | 'secret_unreadable'
  | 'webhook_deactivated';

/**
 * An event for one webhook, inserted when WebhookOutbox reads the event.
 * Its id is the `webhook-id` of every attempt.
 */
@Entity('webhook_deliveries')
@Index(['webhookId', 'state', 'id'])
@Index(['webhookId', 'id'])
@PurgedInBatches('webhook_id IN (SELECT id FROM webhooks WHERE kb_id = :kbId)')
@Retained({
  // Ids begin with a time, so the primary key finds the old ones.
  condition: `id < :first AND state IN ('delivered', 'failed')
    AND webhook_id NOT IN (SELECT id FROM webhooks WHERE kb_id IN (${UNDER_LEGAL_HOLD}))`,
  parameters: (before) => ({ first: firstIdAt('whd', before.getTime()) }),
  period: 30 * 24 * HOUR_MS,
})
export class WebhookDelivery {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') webhookId: string;
  @BelongsTo(() => Webhook, 'webhook_id') webhook: Relation<Webhook>;

  @Column('varchar') event: WebhookEvent | typeof TEST_EVENT;

  /** The JSON, byte for byte as it is signed. */
  @Column('text') body: string;
  @Column('varchar') state: DeliveryState;

  /** The number of ended attempts. */
  @Column('integer') attempts: number;

  @Column({ type: instant, nullable: true }) lastAttemptAt: Date | null;

  /** The HTTP status of the last attempt; null when it got none. */
  @Column('integer', { nullable: true }) responseStatus: number | null;
  @Column('varchar', { nullable: true }) error: DeliveryError | null;
  @Column({ type: instant }) createdAt: Date;

  /** Loaded only by `withJob`. */
  job?: QueuedJob | null;
}
