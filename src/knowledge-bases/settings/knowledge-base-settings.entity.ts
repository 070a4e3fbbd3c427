import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { Completes } from '../../platform/database/belongs-to.js';
import { json } from '../../platform/database/dialect.js';
import { KnowledgeBase } from '../knowledge-base.entity.js';

/** The settings that a knowledge base overrides. Null, or no row, means the default. */
@Entity('knowledge_base_settings')
export class KnowledgeBaseSettings {
  @PrimaryColumn('varchar') kbId: string;
  @Completes(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  @Column('text', { nullable: true }) systemPrompt: string | null;
  @Column('float', { nullable: true }) temperature: number | null;
  @Column('varchar', { nullable: true }) model: string | null;
  @Column('integer', { nullable: true }) topK: number | null;
  @Column('float', { nullable: true }) minScore: number | null;
  @Column('float', { nullable: true }) answerThreshold: number | null;
  @Column('text', { nullable: true }) refusalText: string | null;
  @Column('integer', { nullable: true }) historyMessages: number | null;
  @Column('integer', { nullable: true }) chunkSize: number | null;
  @Column('integer', { nullable: true }) chunkOverlap: number | null;
  @Column('integer', { nullable: true }) rateLimitPerMinute: number | null;
  @Column('integer', { nullable: true }) rateLimitPerEndUser: number | null;
  @Column('integer', { nullable: true }) dailyMessageLimit: number | null;
  @Column({ type: json, nullable: true }) allowedOrigins: string[] | null;
  @Column('integer', { nullable: true }) retentionDays: number | null;
  @Column('integer', { nullable: true }) keyMaxAgeDays: number | null;
  @Column('boolean', { nullable: true }) fallbackToExtractive: boolean | null;
}
