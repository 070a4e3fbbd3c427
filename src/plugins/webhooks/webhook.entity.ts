import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant } from '../../platform/database/dialect.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import type { WebhookEvent } from './webhook-events.js';

/** The changes between states are listed in WEBHOOK_TRANSITIONS. */
export type WebhookState = 'active' | 'deactivated' | 'deleted';

/** A webhook is deactivated by a user, by its receiver's 410, or after a delivery failed for good. */
export type DeactivationReason = 'user' | 'gone' | 'failed';

@Entity('webhooks')
@Index(['kbId'])
@Index(['state'])
export class Webhook {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  @Column('varchar') url: string;
  @Column('simple-array') events: WebhookEvent[];
  @Column('varchar', { nullable: true }) description: string | null;

  /** The row of a deleted webhook stays until its deliveries are removed in the background. */
  @Column('varchar') state: WebhookState;
  @Column('varchar', { nullable: true }) deactivationReason: DeactivationReason | null;
  @Column({ type: instant, nullable: true }) deactivatedAt: Date | null;

  /** Encrypted, see WebhookSecrets. */
  @Column('varchar') secret: string;
  @Column({ type: instant }) secretIssuedAt: Date;

  /** The secret before the last rotation, encrypted; it signs too until `previousSecretUntil`. */
  @Column('varchar', { nullable: true }) previousSecret: string | null;
  @Column({ type: instant, nullable: true }) previousSecretUntil: Date | null;

  /** The pepper that the secrets are encrypted under. */
  @Column('varchar') pepperId: string;

  /** The position of the last event before the webhook was created or activated. */
  @Column('bigint', { default: 0 }) sinceEvent: number;

  /** Whether the last attempt failed: fewer deliveries are then sent at a time. */
  @Column('boolean') failing: boolean;
  @Column('varchar') createdBy: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant }) updatedAt: Date;
}
