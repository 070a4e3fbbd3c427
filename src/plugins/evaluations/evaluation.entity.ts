import { Column, Entity, In, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import type { ProblemCode } from '../../platform/problems/problem.js';
import type { AnswerSettings } from '../../knowledge-bases/settings/settings.js';
import type { Figures } from './figures.js';

type EvaluationStatus = 'pending' | 'running' | 'complete' | 'failed';

export const UNFINISHED = In(['pending', 'running'] satisfies EvaluationStatus[]);

/** A set of questions that is asked of a knowledge base, and how well it answers them. */
@Entity('evaluations')
@Index(['kbId', 'id'])
@Index(['status', 'userId', 'kbId', 'dueAt'])
export class Evaluation {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  /** Who created the knowledge base: the user in whose turn it is evaluated. */
  @Column('varchar') userId: string;

  @Column('varchar', { nullable: true }) name: string | null;
  @Column('varchar') status: EvaluationStatus;

  /** The knowledge base's when it was created, with those of the request. */
  @Column({ type: json }) settings: AnswerSettings;
  /** In whose name its questions are asked. */
  @Column({ type: json }) principals: string[];
  @Column('integer') questionCount: number;
  @Column('integer') doneCount: number;

  /** Null until it is complete. */
  @Column({ type: json, nullable: true }) figures: Figures | null;

  /** When a process may ask questions and, while one does, when its lease expires; null when finished. */
  @Column({ type: instant, nullable: true }) dueAt: Date | null;

  /** Number of the latest lease. */
  @Column('integer', { default: 0 }) lease: number;

  /** Why it failed. */
  @Column('varchar', { nullable: true }) errorCode: ProblemCode | null;
  @Column('varchar') createdBy: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant, nullable: true }) finishedAt: Date | null;
}
