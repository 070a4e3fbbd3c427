import { Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';

/**
 * That an end user was named with a key in a quarter of an hour. Distinct end users cannot be added
 * up, so a report counts them over these rows.
 */
@Entity('usage_end_users', { withoutRowid: true })
@Index(['kbId', 'endUser', 'quarter'])
export class UsageEndUser {
  @PrimaryColumn('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** See quarter.ts. */
  @PrimaryColumn('integer') quarter: number;

  /** The key's. Part of the primary key, so that the index alone answers a report of one environment. */
  @PrimaryColumn('varchar') environment: ApiKeyEnvironment;
  @PrimaryColumn('varchar') apiKeyId: string;

  /** See end-user-number.ts; below 0 for one who was made anonymous. */
  @PrimaryColumn('bigint') endUser: number;
}
