import { Column, Entity, PrimaryColumn, type Relation } from 'typeorm';
import { BelongsTo } from '../../platform/database/belongs-to.js';
import { json } from '../../platform/database/dialect.js';
import { PurgedInBatches } from '../../knowledge-bases/declared-purges.js';
import { Evaluation } from './evaluation.entity.js';

/** A question of an evaluation, and its result. */
@Entity('evaluation_questions')
@PurgedInBatches('evaluation_id IN (SELECT id FROM evaluations WHERE kb_id = :kbId)')
export class EvaluationQuestion {
  @PrimaryColumn('varchar') evaluationId: string;
  @BelongsTo(() => Evaluation, 'evaluation_id') evaluation: Relation<Evaluation>;

  /** The position in the request, from 0. */
  @PrimaryColumn('integer') position: number;
  @Column('text') question: string;

  /** The questions that are asked before it, oldest first. */
  @Column({ type: json }) history: string[];

  /** The external ids of documents that answer it; empty if the request named none. */
  @Column({ type: json }) externalIds: string[];

  /** A right answer contains one of these texts; empty if the request named none. */
  @Column({ type: json }) answerContains: string[];

  /** A right answer contains one text of each list. */
  @Column({ type: json }) answerContainsAll: string[][];
  @Column('boolean') answerable: boolean;

  /** The rank, from 1, of the first passage of a named document; null if none was found. */
  @Column('integer', { nullable: true }) rank: number | null;

  /**
   * Normalized discounted cumulative gain of the first ten passages; null without named documents.
   */
  @Column('float', { nullable: true }) ndcg: number | null;

  /** Null until it was asked. */
  @Column('boolean', { nullable: true }) answered: boolean | null;

  /** Null until it was asked, and if the request does not say which answer is right. */
  @Column('boolean', { nullable: true }) isRight: boolean | null;
  @Column('integer', { nullable: true }) latencyMs: number | null;
}
