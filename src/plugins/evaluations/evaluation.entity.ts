import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { instant, json } from '../../platform/database/dialect.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import type { ProblemCode } from '../../platform/problems/problem.js';
import type { AnswerSettings } from '../../knowledge-bases/settings/settings.js';
import type { EvaluationScores } from './figures.js';

type EvaluationStatus = 'pending' | 'running' | 'complete' | 'failed';

/** A set of questions that is asked of a knowledge base, and how well it answers them. */
@Entity('evaluations')
@Index(['kbId', 'id'])
export class Evaluation {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @BelongsTo(() => KnowledgeBase, 'kb_id') knowledgeBase: Relation<KnowledgeBase>;

  @Column('varchar', { nullable: true }) name: string | null;
  @Column('varchar') status: EvaluationStatus;

  /** The settings of the knowledge base at the start, overridden by those of the request. */
  @Column({ type: json }) settings: AnswerSettings;
  /** Its questions are asked with the access of these principals. */
  @Column({ type: json }) principals: string[];
  @Column('integer') questionCount: number;
  @Column('integer') doneCount: number;

  /** Null until it is complete. */
  @Column({ type: json, nullable: true }) figures: EvaluationScores | null;

  /** The reason why it failed. */
  @Column('varchar', { nullable: true }) errorCode: ProblemCode | null;
  @Column('varchar') createdBy: string;
  @Column({ type: instant }) createdAt: Date;
  @Column({ type: instant, nullable: true }) finishedAt: Date | null;
}
